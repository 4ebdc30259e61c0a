#include <talus/toy/toy_method.hpp>

namespace talus::toy {
namespace {

template <int D>
class Toy final : public Method<D> {
 public:
  std::string_view word() const override { return "toy"; }
  std::unique_ptr<Method<D>> fresh() const override { return std::make_unique<Toy>(); }
  void read(Input&, bool) override {}
  bool needs_laws() const override { return false; }
  void check_stage(const Input&, std::string_view, const Column<WallDrive<D>>&, const CellDrive<D>&) const override {}
  void check_start(Input&, const Model<D>&, const State<D>&) const override {}
  FirstStep first_step(const Model<D>&, const State<D>&) const override { return {1e-6, false, 0, "nothing can become unstable"}; }
  bool contacts_hold_energy() const override { return false; }

  Steps prepare(const Model<D>&, State<D>&) override { return {}; }
  u32 rebuild(const Model<D>&, State<D>&) override { return fine; }
  Steps advance(const Model<D>&, State<D>& state, i64 steps) override {
    Globals<D>& g = state.globals;
    for (i64 n = 0; n < steps; ++n) {
      for (std::size_t i = 0; i < state.grains(); ++i) {
        state.bodies.velocity[i] += g.dt * g.gravity;
        state.bodies.position[i] += g.dt * state.bodies.velocity[i];
      }
      g.time += g.dt;
      ++g.step;
    }
    return {};
  }

  ContactList<D> contacts(const Model<D>&, const State<D>&) const override { return {}; }
  u32 culprit(const Model<D>&, const State<D>&, u32) const override { return 0; }
  std::string explain(u32 status, const Complaint& complaint) const override { return explain_any(status, complaint); }
};

}  // namespace

template <int D>
std::unique_ptr<Method<D>> make_method() {
  return std::make_unique<Toy<D>>();
}
template std::unique_ptr<Method<2>> make_method();
template std::unique_ptr<Method<3>> make_method();

}  // namespace talus::toy
