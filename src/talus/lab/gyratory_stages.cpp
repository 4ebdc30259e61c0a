#include <talus/lab/gyratory_stages.hpp>

#include <algorithm>
#include <cmath>

#include <talus/geometry/hull.hpp>
#include <talus/lab/runner.hpp>
#include <talus/stages/row_manifold.hpp>

namespace talus::lab {

namespace {

// How far the farthest part of a grain reaches along a unit vector, m.
template <int D>
Real reach_of_grain(const Model<D>& model, const State<D>& state, std::size_t i, const Vec<D>& way) {
  if constexpr (D == 3)
    if (model.has_hulls()) {
      const Bodies<3>& b = state.bodies;
      const Hull& hull = model.hulls[model.shapes[b.shape[i]].outline];
      const Real size = state.globals.radius_scale * b.radius[i] / hull.reach;
      Real most = -HUGE_VAL;
      for (const Vec3& c : hull.corners) most = std::max(most, dot(b.orientation[i].turned(c), way));
      return dot(b.position[i], way) + size * most;
    }
  return reach_along(model, state, i, way);
}

template <int D>
void load_platen(WallDrive<D>& drive, Real from, Real force, Real ramp, Real mass, Real since) {
  drive.control = WallControl::free;
  drive.by_force = 1;
  drive.target_from = from;
  drive.target = force;
  drive.ramp = ramp;
  drive.since = since;
  drive.mass = mass;
}

// A platen comes down on the sample and presses it with a load that rises, until it hardly moves.
template <int D>
class Compress final : public Stage<D> {
 public:
  static std::unique_ptr<Stage<D>> read(Input& in) {
    auto s = std::make_unique<Compress>();
    s->traits.changes_bodies = true;
    s->traits.frees_walls = true;
    s->traits.platen = in.text("platen", std::nullopt, "which wall: a [boundary.NAME]");
    s->force_ = in.number("force", dim::force, Range::positive(), std::nullopt, "load of the platen");
    s->mass_ = in.number("mass", dim::mass, Range::positive(), std::nullopt, "mass of the platen; its inertia is scaled as that of grains");
    s->ramp_ = in.number("load_time", dim::time, Range::not_negative(), 0.0, "time in which the load rises from nothing");
    s->speed_ = in.number("slow", dim::speed, Range::positive(), std::nullopt, "the stage ends when the platen is slower, under its full load");
    s->min_time_ = in.number("min_time", dim::time, Range::not_negative(), 0.0, "shortest duration");
    s->max_time_ = in.number("max_time", dim::time, Range::positive(), 1e300, "longest duration");
    s->fastest_ = in.number("fastest", dim::speed, Range::not_negative(), 0.0,
                            "a guide resists the platen so that its full load alone would move it at this speed; 0: it is free");
    return s;
  }
  // It is laid on the highest grain.
  void begin(const Model<D>& model, State<D>& state) override {
    const std::size_t wall = find_wall(model, this->traits.platen);
    const Vec<D> out = -into_sample(model, state, wall);
    Real top = -HUGE_VAL;
    for (std::size_t i = 0; i < state.grains(); ++i) top = std::max(top, reach_of_grain(model, state, i, out));
    if (state.grains() > 0) shift_wall(model, state, wall, -(top + wall_position(model, state, wall)));
    state.bodies.velocity[state.grains() + wall] = {};
  }
  void plan(Model<D>& model, const State<D>& state) const override {
    model.cell = {};
    const std::size_t wall = find_wall(model, this->traits.platen);
    if (wall == model.walls.size()) return;  // a scene with such a stage is refused
    model.drives[wall].drag = fastest_ > 0 ? force_ / fastest_ : 0;
    load_platen(model.drives[wall], Real(0), force_, ramp_, model.options.density_scale * mass_, state.globals.stage.start_time);
  }
  bool done(const Observation<D>& seen) const override {
    if (seen.stage_time() >= max_time_) return true;
    if (seen.stage_time() < std::max(min_time_, ramp_) || seen.stage_steps() < control_every) return false;
    const std::size_t wall = find_wall(seen.model, this->traits.platen);
    return std::abs(wall_speed(seen.model, seen.state, wall)) < speed_ && seen.servo_error() < 0.5;
  }
  double progress(const Observation<D>& seen) const override {
    return max_time_ < 1e299 ? seen.stage_time() / max_time_ : 0.5;
  }

 private:
  Real force_, mass_, ramp_, speed_, min_time_, max_time_, fastest_;
};

// The load rises to its final value while the mould tilts; then the mould gyrates so many times.
template <int D>
class Gyrate final : public Stage<D> {
 public:
  static std::unique_ptr<Stage<D>> read(Input& in) {
    auto s = std::make_unique<Gyrate>();
    s->traits.frees_walls = true;
    s->traits.platen = in.text("platen", std::nullopt, "the wall on top of the sample: its height alone is free");
    s->mould_ = in.text("mould", std::nullopt, "the wall that gyrates about its own point: a cylinder");
    s->stress_ = in.number("stress", dim::pressure, Range::positive(), std::nullopt, "load of the platen over the mould's section");
    s->from_ = in.number("force_from", dim::force, Range::not_negative(), 0.0, "load at the start");
    s->mass_ = in.number("mass", dim::mass, Range::positive(), std::nullopt, "mass of the platen; its inertia is scaled as that of grains");
    s->angle_ = in.number("angle", dim::angle, {0, pi / 8, false, false}, std::nullopt, "between the mould's axis and the vertical");
    s->period_ = in.number("period", dim::time, Range::positive(), 2.0, "period of one gyration");
    s->tilt_time_ = in.number("tilt_time", dim::time, Range::positive(), std::nullopt, "time in which the mould tilts and the load rises");
    s->gyrations_ = in.number("gyrations", dim::none, Range::positive(), std::nullopt, "number of gyrations");
    return s;
  }
  void plan(Model<D>& model, const State<D>& state) const override {
    model.cell = {};
    const std::size_t wall = find_wall(model, this->traits.platen), mould = find_wall(model, mould_);
    if (wall == model.walls.size() || mould == model.walls.size()) return;  // a scene with such a stage is refused
    const Real start = state.globals.stage.start_time;
    const Real force = stress_ * wall_shape(model, state, mould).section(D - 1);
    model.drives[wall].drag = 0;
    load_platen(model.drives[wall], from_, force, tilt_time_, model.options.density_scale * mass_, start);
    model.drives[wall].follows = i32(mould);
    model.drives[mould].control = WallControl::gyrate;
    model.drives[mould].gyration = {angle_, period_, start, tilt_time_};
  }
  StageFlaw flaw(const Model<D>& model, const State<D>& state) const override { return {reason(model, state), "see scenes/gyratory-small.toml"}; }
  bool done(const Observation<D>& seen) const override { return seen.stage_time() >= whole() - 0.5 * seen.state.globals.dt; }
  double progress(const Observation<D>& seen) const override { return seen.stage_time() / whole(); }
  double expected_steps(const Model<D>&, const State<D>& state) const override { return whole() / state.globals.dt; }

 private:
  std::string reason(const Model<D>& model, const State<D>& state) const {
    if (D == 2) return "a mould gyrates in space";
    if (find_wall(model, mould_) == model.walls.size()) return "there is no wall '" + mould_ + "' that could be the mould";
    if (!(wall_shape(model, state, find_wall(model, mould_)).section(D - 1) > 0)) return "the mould encloses nothing across the last axis";
    if (into_sample(model, state, find_wall(model, this->traits.platen))[D - 1] != -1) return "the platen faces down along the last axis";
    if (state.bodies.orientation.empty()) return "bodies that know how they lie in space are hulls";
    return "";
  }
  Real whole() const { return tilt_time_ + gyrations_ * period_; }
  std::string mould_;
  Real stress_, from_, mass_, angle_, period_, tilt_time_, gyrations_;
};

}  // namespace

template <int D>
std::unique_ptr<Stage<D>> read_compress(Input& in) {
  return Compress<D>::read(in);
}
template <int D>
std::unique_ptr<Stage<D>> read_gyrate(Input& in) {
  return Gyrate<D>::read(in);
}

template std::unique_ptr<Stage<2>> read_compress(Input&);
template std::unique_ptr<Stage<3>> read_compress(Input&);
template std::unique_ptr<Stage<2>> read_gyrate(Input&);
template std::unique_ptr<Stage<3>> read_gyrate(Input&);

}  // namespace talus::lab
