#pragma once
// A stage of the plane that waits for so many steps.
#include <talus/lab/runner.hpp>

namespace talus::test {

class WaitStage : public lab::Stage<2> {
 public:
  explicit WaitStage(i64 steps) : steps_(steps) { name = "wait"; }
  void plan(Model<2>&, const State<2>&) const override {}
  bool done(const lab::Observation<2>& seen) const override { return seen.stage_steps() >= steps_; }
  double progress(const lab::Observation<2>&) const override { return 0; }

 protected:
  i64 steps_;
};

}  // namespace talus::test
