#include <talus/lab/cycle_stage.hpp>

#include <algorithm>

#include <talus/lab/runner.hpp>

namespace talus::lab {

namespace {

template <int D>
class Cycle final : public RememberingStage<D, CycleMemory> {
 public:
  static std::unique_ptr<Stage<D>> read(Input& in) {
    auto s = std::make_unique<Cycle>();
    s->traits.row_per_part = true;
    s->traits.platen = in.text("platen", std::nullopt, "which wall: a [boundary.NAME]");
    s->travel_ = in.number("travel", dim::length, Range::positive(), std::nullopt,
                           "travel of the platen into the sample, from its position at the start of the stage");
    s->levels_ = in.integer("levels", 1, 100000, 25, "equal parts of the travel, with a rest after each");
    s->cycles_ = in.integer("cycles", 1, 1000000, 20, "number of loading cycles");
    s->speed_ = in.number("speed", dim::speed, Range::positive(), std::nullopt, "of the platen between two levels");
    s->unbalanced_ =
        in.number("unbalanced", dim::none, {0, 1, true, false}, 1e-3, "unbalanced force ratio at which a rest ends");
    s->max_rest_ =
        in.number("max_rest", dim::time, Range::positive(), 1e300, "longest rest; the row says how it ended");
    return s;
  }
  void begin(const Model<D>& model, State<D>& state) override {
    CycleMemory m;
    m.start = wall_position(model, state, find_wall(model, this->traits.platen));
    m.stands = state.globals.time;  // the first rest is where the platen is
    m.length = 2 * levels_;
    remember(state, m);
  }
  void plan(Model<D>& model, const State<D>& state) const override {
    model.cell = {};
    const std::size_t wall = find_wall(model, this->traits.platen);
    if (wall == model.walls.size()) return;  // a scene with such a stage is refused
    const CycleMemory m = this->memory(state);
    WallDrive<D>& drive = model.drives[wall];
    drive.control = WallControl::velocity;
    drive.velocity = (goes_down(m.done) ? speed_ : -speed_) * into_sample(model, state, wall);
    drive.since = 0;
    drive.ramp = 0;
    drive.until = m.stands;
  }
  bool part_done(const Observation<D>& seen) const override {
    const CycleMemory m = this->memory(seen.state);
    const Real rest = seen.state.globals.time - m.stands;
    if (m.done > 2 * levels_ * cycles_ || !(rest > 0)) return false;
    return rest >= max_rest_ || seen.contacts().empty() || seen.unbalanced() < unbalanced_;
  }
  bool next_part(const Model<D>&, State<D>& state) const override {
    CycleMemory m = this->memory(state);
    ++m.done;
    m.stands = state.globals.time + travel_ / (Real(levels_) * speed_);
    remember(state, m);
    return false;
  }
  bool done(const Observation<D>& seen) const override { return this->memory(seen.state).done > 2 * levels_ * cycles_; }
  double progress(const Observation<D>& seen) const override {
    return double(this->memory(seen.state).done) / double(2 * levels_ * cycles_);
  }

 private:
  // count levels are done, the start counted as the first: does the platen go down to the next one?
  bool goes_down(i64 count) const { return (count + 2 * levels_ - 1) % (2 * levels_) < levels_; }
  Real travel_, speed_, unbalanced_, max_rest_;
  i64 levels_, cycles_;
};

}  // namespace

template <int D>
StageKind<D> cycle_stage() {
  return {"cycle", "load and unload by a platen, level by level with a rest at each, for a number of cycles", &Cycle<D>::read};
}
template StageKind<2> cycle_stage();
template StageKind<3> cycle_stage();

}  // namespace talus::lab
