#include <talus/mpm/mpm_method.hpp>

#include <cmath>

#include <fmt/format.h>

#include <talus/continuum/diagnostics.hpp>
#include <talus/mpm/step.hpp>

namespace talus::mpm {
namespace {

template <int D>
class Mpm final : public continuum::ParticleMethod<D> {
 public:
  explicit Mpm(Options<D> options = {}) : options_(std::move(options)) {}
  std::string_view word() const override { return "mpm"; }
  std::unique_ptr<Method<D>> fresh() const override {
    auto other = std::make_unique<Mpm>(options_);
    other->placed_ = placed_;
    return other;
  }

  void read(Input& scene, bool chosen) override { options_ = read_options<D>(scene, chosen); }
  void place(Input& scene, Model<D>& model, State<D>& state) override {
    continuum::place_bodies(scene, "mpm", options_, options_.spacing, 0, options_.columns(model), model, state);
    placed_ = continuum::mass_of(state);
  }
  void check_stage(const Input& table, std::string_view kind, const Column<WallDrive<D>>& drives, const CellDrive<D>&) const override {
    continuum::check_walls_rest(table, drives);
    if (kind == "element") table.fail("kind", "an element test is made by method sph", "set method = \"sph\"");
  }
  void check_start(Input& scene, const Model<D>&, const State<D>& state) const override {
    const Real limit = limit_of(state);
    if (options_.time_step > limit)
      scene.table("mpm", true, "how a continuum is discretised by material points and a grid")
          ->fail("time_step", fmt::format("{:.4g} s is above the stable limit of {:.4g} s", options_.time_step, limit),
                 "leave it out: the step then follows the limit");
    for (int k = 0; k < D; ++k)
      if (state.globals.cell.periodic[k]) scene.fail("cell", "method mpm has no periodic grid yet", "set cell.periodic to zeros, and walls around it");
  }
  FirstStep first_step(const Model<D>&, const State<D>& state) const override {
    const Real limit = limit_of(state), dt = options_.time_step > 0 ? options_.time_step : limit;
    return {dt, !(options_.time_step > 0), dt / limit, "sound, acceleration and viscosity over a cell of the grid"};
  }

  Steps prepare(const Model<D>& model, State<D>& state) override { return continuum::steps_of(mpm::prepare(options_, model, state, scratch_)); }
  u32 rebuild(const Model<D>& model, State<D>& state) override {
    mpm::rebuild(options_, model, state, scratch_);
    return fine;
  }
  Steps advance(const Model<D>& model, State<D>& state, i64 steps) override {
    return continuum::steps_of(mpm::advance(options_, model, state, scratch_, steps));
  }

  u32 culprit(const Model<D>&, const State<D>& state, u32 status) const override {
    return continuum::culprit(options_.matter, options_.width(), state, status);
  }
  Real now(std::size_t k, const State<D>& state) const override { return continuum::now(k, state, placed_, Real(0)); }

 private:
  Real limit_of(const State<D>& state) const {
    Real speed = 0;
    for (const Vec<D>& v : state.particles.velocity) speed = max(speed, length(v));
    return stable_step(options_, speed, length(state.globals.gravity));
  }

  Options<D> options_;
  Real placed_ = 0;  // kg, of all particles at the start
  Scratch<D> scratch_;
};

}  // namespace

template <int D>
std::unique_ptr<Method<D>> make_method() {
  return std::make_unique<Mpm<D>>();
}
template std::unique_ptr<Method<2>> make_method();
template std::unique_ptr<Method<3>> make_method();

}  // namespace talus::mpm
