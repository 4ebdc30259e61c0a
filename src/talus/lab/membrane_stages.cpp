// Stages of samples inside a membrane: trim, confine.
#include <talus/lab/membrane_stages.hpp>

#include <algorithm>
#include <cmath>

#include <talus/lab/runner.hpp>
#include <talus/stages/row_manifold.hpp>
#include <talus/state/remove.hpp>

namespace talus::lab {

namespace {

struct TrimMemory {
  i64 removed = 0;  // grains
  auto words() { return std::tie(removed); }
};

// Takes away what lies too high, and lays a platen on the rest. No steps.
template <int D>
class Trim final : public RememberingStage<D, TrimMemory> {
 public:
  static std::unique_ptr<Stage<D>> read(Input& in) {
    auto s = std::make_unique<Trim>();
    s->height_ = in.number("height", dim::length, Range::positive(), std::nullopt,
                           "grains whose centre is higher along the last axis are removed");
    s->traits.has_steps = false;
    s->traits.changes_bodies = true;
    s->traits.platen = in.text("platen", std::nullopt, "the wall that is laid on the others: a [boundary.NAME]");
    return s;
  }
  void begin(const Model<D>& model, State<D>& state) override {
    std::vector<bool> gone(state.grains());
    for (std::size_t i = 0; i < gone.size(); ++i) gone[i] = state.bodies.position[i][D - 1] > height_;
    remember(state, TrimMemory{std::count(gone.begin(), gone.end(), true)});
    remove_grains(state, gone);
    const std::size_t cap = find_wall(model, this->traits.platen);
    const Vec<D> out = -into_sample(model, state, cap);
    Real top = -HUGE_VAL;
    for (std::size_t i = 0; i < state.grains(); ++i) top = std::max(top, reach_along(model, state, i, out));
    if (state.grains() > 0) shift_wall(model, state, cap, -(top + wall_position(model, state, cap)));
  }
  bool done(const Observation<D>&) const override { return true; }
  double progress(const Observation<D>&) const override { return 1; }
  void figures(const Observation<D>& seen, Figures& out) const override {
    out.push_back({"grains_removed", Real(this->memory(seen.state).removed), "1", {"number of grains removed", "grains removed", "", FigureGroup::sample}, ""});
    out.push_back({"grains_left", Real(seen.state.grains()), "1", {"number of grains left", "grains left", "N", FigureGroup::sample}, ""});
  }

 private:
  Real height_;
};

// The stresses of membrane and walls go up in equal increments, each when the sample has come to rest under the one before.
struct ConfineMemory {
  i64 done = 0;  // increments
  auto words() { return std::tie(done); }
};

template <int D>
class Confine final : public RememberingStage<D, ConfineMemory> {
 public:
  static std::unique_ptr<Stage<D>> read(Input& in) {
    auto s = std::make_unique<Confine>();
    s->increments_ = in.integer("increments", 1, 1000000, 20, "number of increments in which the stresses are raised");
    s->unbalanced_ = in.number("unbalanced", dim::none, {0, 1, true, false}, 1e-3,
                               "unbalanced force ratio at which the next increment comes");
    s->tolerance_ = in.number("wall_tolerance", dim::none, {0, 1, true, false}, 0.01,
                              "relative error of the walls' stresses at which the next increment comes");
    return s;
  }
  void plan(Model<D>& model, const State<D>& state) const override {
    model.cell = {};
    const Real share = Real(std::min(this->memory(state).done + 1, increments_)) / Real(increments_);
    model.membrane.stress *= share;
    for (auto& d : model.drives)
      if (d.control == WallControl::free || d.holds_stress()) d.target *= share;
  }
  bool part_done(const Observation<D>& seen) const override {
    return seen.unbalanced() < unbalanced_ && seen.servo_error() < tolerance_;
  }
  bool next_part(const Model<D>&, State<D>& state) const override {
    remember(state, ConfineMemory{this->memory(state).done + 1});
    return false;
  }
  bool done(const Observation<D>& seen) const override { return this->memory(seen.state).done >= increments_; }
  double progress(const Observation<D>& seen) const override {
    return double(this->memory(seen.state).done) / double(increments_);
  }

 private:
  i64 increments_;
  Real unbalanced_, tolerance_;
};

}  // namespace

template <int D>
std::unique_ptr<Stage<D>> read_trim(Input& in) {
  return Trim<D>::read(in);
}
template <int D>
std::unique_ptr<Stage<D>> read_confine(Input& in) {
  return Confine<D>::read(in);
}

template std::unique_ptr<Stage<2>> read_trim(Input&);
template std::unique_ptr<Stage<3>> read_trim(Input&);
template std::unique_ptr<Stage<2>> read_confine(Input&);
template std::unique_ptr<Stage<3>> read_confine(Input&);

}  // namespace talus::lab
