#pragma once
// A platen moves into the sample at constant speed, up to a way.
#include <talus/lab/membrane_stages.hpp>

namespace talus::lab {

template <int D>
class Press final : public RememberingStage<D, PressMemory> {
 public:
  static std::unique_ptr<Stage<D>> read(Input& in) {
    auto s = std::make_unique<Press>();
    s->traits.shears = true;
    s->traits.platen = in.text("platen", std::nullopt, "which wall: a [boundary.NAME]");
    s->speed_ = in.number("speed", dim::speed, Range::positive(), std::nullopt, "along its normal, into the sample");
    s->ramp_ =
        in.number("ramp", dim::time, Range::not_negative(), 0.0, "time in which it reaches this speed from rest");
    const Range way = in.has("height") ? Range::positive() : Range{0, 1, true, true};  // before it meets the other wall
    s->strain_ = in.number("strain", dim::none, way, std::nullopt, "travel of the platen over `height`");
    s->height_ =
        in.number("height", dim::length, Range::not_negative(), 0.0,
                  "length that the strain refers to; 0: from the platen to the wall that faces it, at the start");
    return s;
  }
  void begin(const Model<D>& model, State<D>& state) override {
    const std::size_t wall = find_wall(model, this->traits.platen);
    PressMemory m;
    m.from = wall_position(model, state, wall);
    if (!(height_ > 0)) m.height = distance_to_facing_wall(model, state, wall);
    if constexpr (D == 2)
      if (this->membrane) {
        m.area = cast_rays(model, state).area();
        state.bodies.turn_start = state.bodies.turn;
      }
    remember(state, m);
  }
  void plan(Model<D>& model, const State<D>& state) const override {
    model.cell = {};
    const std::size_t wall = find_wall(model, this->traits.platen);
    if (wall == model.walls.size()) return;  // a scene with such a stage is refused
    WallDrive<D>& drive = model.drives[wall];
    drive.control = WallControl::velocity;
    drive.velocity = speed_ * into_sample(model, state, wall);
    drive.since = state.globals.stage.start_time;
    drive.ramp = ramp_;
    drive.until = 1e300;
  }
  bool done(const Observation<D>& seen) const override { return way(seen) >= strain_ * height(seen.state); }
  double progress(const Observation<D>& seen) const override { return way(seen) / (strain_ * height(seen.state)); }
  double expected_steps(const Model<D>&, const State<D>& state) const override {
    return (strain_ * (height_ > 0 ? height_ : state.globals.cell.h(D - 1, D - 1)) / speed_ + ramp_ / 2) /
           state.globals.dt;
  }

 private:
  Real height(const State<D>& state) const { return height_ > 0 ? height_ : this->memory(state).height; }
  Real way(const Observation<D>& seen) const {
    return wall_position(seen.model, seen.state, find_wall(seen.model, this->traits.platen)) -
           this->memory(seen.state).from;
  }
  Real speed_, ramp_, strain_, height_;
};

}  // namespace talus::lab
