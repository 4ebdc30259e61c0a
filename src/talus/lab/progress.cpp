#include <talus/lab/progress.hpp>

#include <algorithm>

namespace talus::lab {

template <int D>
Progress progress_of(const Experiment<D>& x, const Channels<D>& channels, const Observation<D>& seen) {
  const Globals<D>& g = seen.state.globals;
  const auto index = std::size_t(g.stage.index);
  Progress p;
  p.stage = x.stages[index]->name;
  p.stage_index = index;
  p.stages = x.stages.size();
  p.stage_share = std::clamp(x.stages[index]->progress(seen), 0.0, 1.0);
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
  return p;
}

template Progress progress_of(const Experiment<2>&, const Channels<2>&, const Observation<2>&);
template Progress progress_of(const Experiment<3>&, const Channels<3>&, const Observation<3>&);

}  // namespace talus::lab
