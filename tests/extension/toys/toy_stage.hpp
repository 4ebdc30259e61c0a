#pragma once
// A toy: a stage that lets the sample move for a number of steps.
#include <talus/lab/stage.hpp>

namespace talus::lab {

template <int D>
class ToyStage final : public Stage<D> {
 public:
  static std::unique_ptr<Stage<D>> read(Input& in) {
    auto s = std::make_unique<ToyStage>();
    s->steps_ = in.integer("toy_steps", 1, 1000000, 200, "how many steps the toy lasts");
    return s;
  }
  bool done(const Observation<D>& seen) const override { return seen.stage_steps() >= steps_; }
  double progress(const Observation<D>& seen) const override { return double(seen.stage_steps()) / double(steps_); }

 private:
  i64 steps_ = 200;
};

}  // namespace talus::lab
