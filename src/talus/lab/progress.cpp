#include <talus/lab/progress.hpp>

#include <algorithm>

namespace talus::lab {

namespace {

// The running stage by its own pace once it has one, later stages by what they expect at the present time step.
template <int D>
void look_ahead(const Experiment<D>& x, const Observation<D>& seen, Progress& p) {
  const double made = double(seen.stage_steps()), expected = x.stages[p.stage_index]->expected_steps(seen.model, seen.state);
  if (!p.goal && p.stage_share > 0.02)
    p.steps_left = made * (1 - p.stage_share) / p.stage_share;
  else if (!p.goal)
    p.steps_left = std::max(expected - made, 0.0);
  for (std::size_t k = p.stage_index + 1; k < x.stages.size(); ++k) {
    if (!x.stages[k]->traits.has_steps) continue;
    const double steps = x.stages[k]->expected_steps(seen.model, seen.state);
    p.steps_left += steps;
    if (steps == 0) ++p.open_ahead;
  }
}

}  // namespace

template <int D>
Progress progress_of(const Experiment<D>& x, const Channels<D>& channels, const Observation<D>& seen) {
  const Globals<D>& g = seen.state.globals;
  const auto index = std::size_t(g.stage.index);
  Progress p;
  p.stage = x.stages[index]->name;
  p.stage_index = index;
  p.stages = x.stages.size();
  p.stage_share = std::clamp(x.stages[index]->progress(seen), 0.0, 1.0);
  p.goal = x.stages[index]->goal(seen);
  p.step = g.step;
  p.time = g.time;
  p.dt = g.dt;
  p.grains = seen.state.units();
  for (int k = D - 1; k >= 0; --k)
    if (seen.model.cell.holds_stress(k, k)) {
      p.stress = seen.stress()(k, k);
      p.target = seen.model.cell.target(k, k);
      break;
    }
  if (p.target == 0) p.stress = seen.pressure();
  for (const Channel<D>& c : channels)
    if (!c.progress.empty()) p.shown.push_back({c.progress, c.name, c.value(seen)});
  look_ahead(x, seen, p);
  return p;
}

template Progress progress_of(const Experiment<2>&, const Channels<2>&, const Observation<2>&);
template Progress progress_of(const Experiment<3>&, const Channels<3>&, const Observation<3>&);

}  // namespace talus::lab
