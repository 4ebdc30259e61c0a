#include <talus/simulation/run_figures.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace talus::simulation {

namespace {

class Collected {
 public:
  explicit Collected(const Measured& measured) : measured_(measured) {}

  void add(Figure f) {
    if (find(figures, f.name)) return;
    if (f.value && std::isfinite(*f.value)) f.reason.clear();
    figures.push_back(std::move(f));
  }
  // Read off the series: not to be trusted when it has lost rows.
  void add_read(Figures read) {
    for (auto& f : read) {
      if (measured_.series_from > 0) {
        f.value.reset();
        f.reason = fmt::format("series.csv has lost its rows before step {:.0f}", measured_.series_from);
      }
      add(std::move(f));
    }
  }
  // What a test lists; what stages have measured stands there.
  void add_listed(Figures listed) {
    for (auto& f : listed)
      if (const Figure* of_stage = find(measured_.figures, f.name))
        add(*of_stage);
      else
        add_read({std::move(f)});
  }
  // The last value of a column.
  void add_last(const char* column, const char* name, const char* unit, const char* definition) {
    const auto it = measured_.series.find(column);
    const bool none = it == measured_.series.end() || it->second.empty();
    add({name, none ? std::nullopt : std::optional<Real>(it->second.back()), unit, definition, "no row was written"});
  }

  Figures figures;

 private:
  static const Figure* find(const Figures& all, const std::string& name) {
    const auto it = std::find_if(all.begin(), all.end(), [&](const Figure& f) { return f.name == name; });
    return it == all.end() ? nullptr : &*it;
  }
  const Measured& measured_;
};

}  // namespace

template <int D>
Figures run_figures(const lab::Experiment<D>& x, const Measured& measured) {
  Collected all(measured);
  if (x.analysis) all.add_listed(x.analysis->figures(measured.series));
  for (std::size_t k = 0; k < x.stages.size() && !x.analysis; ++k)
    if (x.stages[k]->is_shear()) all.add_read(lab::shear_figures(measured.series, int(k)));
  if (x.model.method == Method::impulse) all.add_read(lab::solver_figures(measured.series));
  for (const auto& f : measured.figures) all.add(f);
  all.add_last("porosity", "porosity_final", "1", "porosity of the whole sample at the end");
  all.add_last("Z", "Z_final", "1", "2 contacts / grains at the end");
  all.add_last("p", "pressure_final", "Pa", "mean normal stress of the contacts at the end");
  if (x.cadence.chains) {
    all.add_last("chains", "chains_final", "1", "force chains of three grains and more at the end");
    all.add_last("chain_length", "chain_length_final", "1", "their mean length in grains");
    all.add_last("chain_share", "chain_share_final", "1", "share of all grains that are in them");
  }
  all.add_last("unbalanced", "unbalanced_final", "1", "unbalanced force ratio at the end");
  Real overlap = measured.overlap;
  if (const auto it = measured.series.find("max_overlap"); it != measured.series.end())
    for (const Real o : it->second) overlap = std::max(overlap, o);
  all.add_read({{"max_overlap", overlap, "1", "largest overlap over the smaller radius, all stages", ""}});
  return all.figures;
}

template Figures run_figures(const lab::Experiment<2>&, const Measured&);
template Figures run_figures(const lab::Experiment<3>&, const Measured&);

}  // namespace talus::simulation
