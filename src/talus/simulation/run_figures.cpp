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
      if (!lost().empty()) {
        f.value.reset();
        f.reason = lost();
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
  // Why the series does not have all of its rows; empty when it has.
  std::string lost() const {
    return measured_.series_from > 0
               ? fmt::format("series.csv has lost its rows before step {:.0f}", measured_.series_from)
               : "";
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
Figures run_figures(const lab::Experiment<D>& x, const lab::Channels<D>& channels, const Measured& measured) {
  Collected all(measured);
  if (x.analysis) all.add_listed(x.analysis->figures(measured.series));
  for (std::size_t k = 0; k < x.stages.size() && !x.analysis; ++k)
    if (x.stages[k]->traits.shears) all.add_read(lab::shear_figures(measured.series, int(k)));
  for (const auto& f : measured.figures) all.add(f);
  for (const auto& f : lab::figures_of(channels, measured.series, measured.since_row, all.lost())) all.add(f);
  return all.figures;
}

template Figures run_figures(const lab::Experiment<2>&, const lab::Channels<2>&, const Measured&);
template Figures run_figures(const lab::Experiment<3>&, const lab::Channels<3>&, const Measured&);

}  // namespace talus::simulation
