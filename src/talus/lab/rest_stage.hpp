#pragma once
// Come to rest: under gravity (settle), in a fixed cell (relax), with whatever the walls do.
#include <algorithm>
#include <cmath>

#include <talus/lab/runner.hpp>
#include <talus/lab/stage.hpp>

namespace talus::lab {

template <int D>
class Rest final : public Stage<D> {
 public:
  static std::unique_ptr<Stage<D>> read_settle(Input& in) { return read(in, "settle"); }
  static std::unique_ptr<Stage<D>> read_relax(Input& in) { return read(in, "relax"); }
  static std::unique_ptr<Stage<D>> read(Input& in, std::string_view word) {
    auto s = std::make_unique<Rest>();
    s->settles_ = word == "settle";
    s->unbalanced_ =
        in.number("unbalanced", dim::none, {0, 1, true, false}, 1e-3, "unbalanced force ratio at which the stage ends");
    s->mean_speed_ = in.number("mean_speed", dim::speed, Range::not_negative(), 0.0,
                               "mean speed of the grains below which the stage may end; 0: any");
    s->min_time_ = in.number("min_time", dim::time, Range::not_negative(), 0.0, "shortest duration");
    s->max_time_ = in.number("max_time", dim::time, Range::positive(), 1e300, "longest duration");
    s->look_every_ = in.integer("look_every", control_every, 1000000, control_every,
                                "steps between looks at whether the sample is at rest, a multiple of 100; on a device the whole sample is fetched for one");
    if (s->look_every_ % control_every != 0) in.fail("look_every", "the runner looks every 100 steps", "state a multiple of 100");
    if (word == "relax")
      s->pressure_below_ = in.number("pressure_below", dim::pressure, Range::not_negative(), 0.0,
                                     "the stage also ends when the mean stress has fallen below this; 0: never");
    if (word == "settle")
      s->tolerance_ = in.number("wall_tolerance", dim::none, {0, 1, true, false}, 0.01,
                                "relative error of wall servos at which the stage may end");
    return s;
  }
  bool done(const Observation<D>& seen) const override {
    if (seen.stage_time() >= max_time_) return true;
    if (seen.stage_time() < min_time_ || seen.stage_steps() < control_every || seen.stage_steps() % look_every_ != 0) return false;
    if (pressure_below_ > 0 && trace(seen.stress()) / D < pressure_below_) return true;
    if (mean_speed_ > 0 && !(measure::mean_speed(seen.state) < mean_speed_)) return false;
    return (seen.unbalanced() < unbalanced_ || seen.contacts().empty()) && seen.servo_error() < tolerance_ &&
           (!settles_ || !seen.contacts().empty());
  }
  std::optional<Goal> goal(const Observation<D>& seen) const override {
    if (mean_speed_ > 0 && seen.unbalanced() < unbalanced_) return Goal{"mean speed in m/s", measure::mean_speed(seen.state), mean_speed_};
    if (pressure_below_ > 0) return Goal{"pressure in Pa", seen.pressure(), pressure_below_};
    return Goal{"unbalanced", seen.unbalanced(), unbalanced_};
  }
  double progress(const Observation<D>& seen) const override {
    if (max_time_ < 1e299) return seen.stage_time() / max_time_;
    const Real u = std::max(seen.unbalanced(), unbalanced_);
    return std::clamp(std::log(u) / std::log(unbalanced_), 0.0, 0.99);
  }

 private:
  bool settles_;
  i64 look_every_;
  Real unbalanced_, mean_speed_, min_time_, max_time_, tolerance_ = 0.01, pressure_below_ = 0;
};

}  // namespace talus::lab
