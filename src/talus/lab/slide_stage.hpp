#pragma once
// A wall, or all walls of a group, move at a constant velocity over a distance. One that holds a load keeps it and slides along
// its own plane.
#include <cmath>

#include <talus/lab/stage.hpp>

namespace talus::lab {

template <int D>
class Slide final : public Stage<D> {
 public:
  static std::unique_ptr<Stage<D>> read(Input& in) {
    auto s = std::make_unique<Slide>();
    s->traits.shears = in.flag("shears", true, "this is the shear of the test: figures, lights and pictures of shear are of this stage");
    s->walls_ = in.text("walls", std::nullopt, "which wall, or which group of walls");
    s->velocity_ = to_vec<D>(in.numbers("velocity", dim::speed, Range::any(), D, std::nullopt,
                                        "velocity velocity of the walls; those that hold a load move along their plane"));
    s->ramp_ = in.number("ramp", dim::time, Range::not_negative(), 0.0, "time in which they reach it from rest");
    s->distance_ = in.number("distance", dim::length, Range::positive(), std::nullopt, "distance at which the stage ends");
    return s;
  }
  StageFlaw flaw(const Model<D>& model, const State<D>& state) const override {
    if (!(length(velocity_) > 0)) return {"the walls would stand still", "state a velocity", "velocity"};
    const std::vector<std::size_t> moved = walls_called(model, walls_);
    if (moved.empty()) return {"there is no wall and no group '" + walls_ + "'", known_walls(model), "walls"};
    for (const std::size_t w : moved)
      if (model.drives[w].is_loaded() && std::abs(dot(velocity_, into_sample(model, state, w))) > Real(1e-9) * length(velocity_))
        return {"wall '" + model.walls[w].name + "' holds a load, and the velocity is not along its plane", "state a velocity across the wall's normal", "velocity"};
    return {};
  }
  void plan(Model<D>& model, const State<D>& state) const override {
    model.cell = {};  // of no wall: a scene with such a stage is refused
    for (const std::size_t w : walls_called(model, walls_)) {
      WallDrive<D>& drive = model.drives[w];
      if (!drive.is_loaded()) drive.control = WallControl::velocity;
      drive.velocity = velocity_;
      drive.since = state.globals.stage.start_time;
      drive.ramp = ramp_;
      drive.until = drive.since + duration();
    }
  }
  bool done(const Observation<D>& seen) const override { return seen.stage_time() >= duration() - seen.state.globals.dt / 2; }
  double progress(const Observation<D>& seen) const override { return seen.stage_time() / duration(); }
  double expected_steps(const Model<D>&, const State<D>& state) const override { return duration() / state.globals.dt; }

 private:
  Real duration() const { return ramp_ / 2 + distance_ / length(velocity_); }
  std::string walls_;
  Vec<D> velocity_{};
  Real ramp_ = 0, distance_ = 0;
};

}  // namespace talus::lab
