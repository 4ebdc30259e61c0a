#include <talus/lab/run_stage.hpp>

namespace talus::lab {
namespace {

template <int D>
class Run final : public Stage<D> {
 public:
  static std::unique_ptr<Stage<D>> read(Input& in) {
    auto s = std::make_unique<Run>();
    s->traits.needs_contacts = false;
    s->time_ = in.number("time", dim::time, Range::positive(), std::nullopt, "simulated time; the stage ends within a hundred steps after it");
    return s;
  }
  bool done(const Observation<D>& seen) const override { return seen.stage_time() >= time_; }
  double progress(const Observation<D>& seen) const override { return seen.stage_time() / time_; }
  double expected_steps(const Model<D>&, const State<D>& state) const override { return time_ / state.globals.dt; }

 private:
  Real time_ = 0;
};

}  // namespace

template <int D>
StageKind<D> run_stage() {
  return {"run", "run for a given time", &Run<D>::read};
}
template StageKind<2> run_stage();
template StageKind<3> run_stage();

}  // namespace talus::lab
