#include <talus/lab/cycle_stage.hpp>

#include <algorithm>

#include <talus/lab/runner.hpp>

namespace talus::lab {

namespace {

template <int D>
class Cycle final : public Stage<D> {
 public:
  static std::unique_ptr<Stage<D>> read(Input& in) {
    auto s = std::make_unique<Cycle>();
    s->platen_ = in.text("platen", std::nullopt, "which wall: a [boundary.NAME]");
    s->travel_ = in.number("travel", dim::length, Range::positive(), std::nullopt,
                           "way of the platen into the sample, from where it is at the start of the stage");
    s->levels_ = in.integer("levels", 1, 100000, 25, "equal parts of the way, with a rest after each");
    s->cycles_ = in.integer("cycles", 1, 1000000, 20, "times down and up again");
    s->speed_ = in.number("speed", dim::speed, Range::positive(), std::nullopt, "of the platen between two levels");
    s->unbalanced_ =
        in.number("unbalanced", dim::none, {0, 1, true, false}, 1e-3, "unbalanced force ratio at which a rest ends");
    s->max_rest_ =
        in.number("max_rest", dim::time, Range::positive(), 1e300, "longest rest; the row tells how it ended");
    return s;
  }
  std::string_view kind() const override { return "cycle"; }
  std::string_view platen() const override { return platen_; }
  void begin(const Model<D>& model, State<D>& state) override {
    auto& m = state.globals.stage;
    m.real[cycle_start] = wall_position(model, state, find_wall(model, platen_));
    m.real[cycle_stands] = state.globals.time;  // the first rest is where the platen is
    m.count[cycle_length] = 2 * levels_;
  }
  void plan(Model<D>& model, const State<D>& state) const override {
    model.cell = {};
    const std::size_t wall = find_wall(model, platen_);
    if (wall == model.walls.size()) return;  // a scene with such a stage is refused
    const auto& m = state.globals.stage;
    WallDrive<D>& drive = model.drives[wall];
    drive.control = WallControl::velocity;
    drive.velocity = ((goes_down(m.count[cycle_done]) ? speed_ : -speed_)) * into_sample(model, state, wall);
    drive.since = 0;
    drive.ramp = 0;
    drive.until = m.real[cycle_stands];
  }
  bool part_done(const Observation<D>& seen) const override {
    const auto& m = seen.state.globals.stage;
    const Real rest = seen.state.globals.time - m.real[cycle_stands];
    if (m.count[cycle_done] > 2 * levels_ * cycles_ || !(rest > 0)) return false;
    return rest >= max_rest_ || seen.contacts().empty() || seen.unbalanced() < unbalanced_;
  }
  void mark(State<D>& state) const override { state.globals.stage.count[cycle_marked] = 1; }
  void next_part(State<D>& state) const override {
    auto& m = state.globals.stage;
    m.count[cycle_marked] = 0;
    ++m.count[cycle_done];
    m.real[cycle_stands] = state.globals.time + travel_ / (Real(levels_) * speed_);
  }
  bool done(const Observation<D>& seen) const override {
    return seen.state.globals.stage.count[cycle_done] > 2 * levels_ * cycles_;
  }
  double progress(const Observation<D>& seen) const override {
    return double(seen.state.globals.stage.count[cycle_done]) / double(2 * levels_ * cycles_);
  }

 private:
  // count levels are done, the start counted as the first: does the platen go down to the next one?
  bool goes_down(i64 count) const { return (count + 2 * levels_ - 1) % (2 * levels_) < levels_; }
  std::string platen_;
  Real travel_, speed_, unbalanced_, max_rest_;
  i64 levels_, cycles_;
};

}  // namespace

template <int D>
StageKind<D> cycle_stage() {
  return {"cycle", "press a platen in level by level and back, with a rest at each, again and again", &Cycle<D>::read};
}
template StageKind<2> cycle_stage();
template StageKind<3> cycle_stage();

}  // namespace talus::lab
