#include <talus/lab/coat_chain_stage.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

namespace talus::lab {

namespace {

constexpr Real touching = 1e-6;  // overlap over the thickness of coats that just touch: a coat acts from its first touch on

struct ChainMemory {
  Real last_at_start = 0;  // m, where the last grain was
  auto words() { return std::tie(last_at_start); }
};

template <int D>
class CoatChain final : public RememberingStage<D, ChainMemory> {
 public:
  static std::unique_ptr<Stage<D>> read(Input& in) {
    auto s = std::make_unique<CoatChain>();
    s->traits.changes_bodies = true;
    s->traits.tends_each_step = true;  // it lasts as long as it says
    s->force_ = in.number("force", dim::force, Range::positive(), std::nullopt, "on the last grain, towards the first");
    s->mass_ = in.number("mass", dim::mass, Range::positive(), std::nullopt, "of a grain");
    s->ratio_ = in.number("mass_ratio", dim::none, Range::positive(), 1.0, "mass of every second grain over that");
    s->duration_ = in.number("duration", dim::time, Range::positive(), std::nullopt, "how long the row is pushed");
    return s;
  }

  StageFlaw flaw(const Model<D>& model, const State<D>& state) const override {
    if (!(model.coat > 0)) return {"the test needs a row of coated grains; these are bare", "set impulse.law and impulse.coat"};
    if (state.grains() < 2 || state.bodies.orientation.empty()) return {"the test needs a row of two or more hulls", "see scenes/burgers-chain.toml"};
    return {};
  }
  void begin(const Model<D>& model, State<D>& state) override {
    if constexpr (D == 3) {
      Bodies<3>& b = state.bodies;
      if (b.applied.empty()) b.take_forces();
      const u32 last = u32(state.grains()) - 1;
      for (std::size_t i = 0; i < state.grains(); ++i) {
        const u32 k = b.uid[i];
        const Real face = reach_along_x(model, state, i);
        b.orientation[i] = {};
        b.position[i] = {Real(k) * 2 * (face + (1 - touching) * model.coat), 0, 0};
        const Real mass = k % 2 == 0 ? mass_ : ratio_ * mass_;
        b.mass[i] = mass;
        b.inverse_mass[i] = k == 0 ? 0 : 1 / mass;
        b.inverse_moments[i] = {};  // a row of cubes that turn would buckle
        b.inverse_inertia[i] = 0;
        if (k == last) b.applied[i] = {-force_, 0, 0}, remember(state, ChainMemory{b.position[i].x});
      }
    }
  }
  bool done(const Observation<D>& seen) const override { return seen.stage_time() >= duration_ - 0.5 * seen.state.globals.dt; }
  double progress(const Observation<D>& seen) const override { return seen.stage_time() / duration_; }
  double expected_steps(const Model<D>&, const State<D>& state) const override { return duration_ / state.globals.dt; }

  void figures(const Observation<D>& seen, Figures& out) const override {
    if constexpr (D == 3) {
      const State<3>& state = seen.state;
      const u32 last = u32(state.grains()) - 1;
      Real shorter = 0;
      for (std::size_t i = 0; i < state.grains(); ++i)
        if (state.bodies.uid[i] == last) shorter = recall<ChainMemory>(state).last_at_start - state.bodies.position[i].x;
      std::optional<Real> least, most;
      for (std::size_t n = 0; n < state.hull_patches.size(); ++n) {
        if (!(state.hull_patches.coat_area[n] > 0)) continue;
        const Real force = std::abs(state.hull_patches.coat_impulse[n].x) / state.globals.dt;
        least = std::min(least.value_or(force), force), most = std::max(most.value_or(force), force);
      }
      const char* why = most ? "" : "no coats meet";
      out.push_back({"shortening_mm", 1e3 * shorter, "mm", {"shortening of the row", "shortening", "u"}, ""});
      out.push_back({"force_min_N", least, "N", {"smallest force of a coat at the end", "smallest force", "F_min"}, why});
      out.push_back({"force_max_N", most, "N", {"largest force of a coat at the end", "largest force", "F_max"}, why});
    }
  }

 private:
  static Real reach_along_x(const Model<3>& model, const State<3>& state, std::size_t i) {
    const Hull& hull = model.hulls[model.shapes[state.bodies.shape[i]].outline];
    Real most = 0;
    for (const Vec3& c : hull.corners) most = std::max(most, c.x);
    return most * state.globals.radius_scale * state.bodies.radius[i] / hull.reach;
  }
  Real force_, mass_, ratio_, duration_;
};

}  // namespace

template <int D>
StageKind<D> coat_chain_stage() {
  return {"coat-chain", "push a row of coated grains together, the first of them held", &CoatChain<D>::read};
}
template StageKind<2> coat_chain_stage();
template StageKind<3> coat_chain_stage();

}  // namespace talus::lab
