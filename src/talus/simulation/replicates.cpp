#include <talus/simulation/replicates.hpp>

#include <cmath>

#include <talus/io/summary.hpp>
#include <talus/report/write_report.hpp>

namespace talus::simulation {

namespace fs = std::filesystem;

void write_ensemble(const fs::path& folder, const std::vector<fs::path>& runs, const std::string& command) {
  std::vector<Summary> all;
  for (const auto& r : runs) all.push_back(read_summary(r / "summary.json"));
  Summary s = all.front();
  s.command = command;
  s.state_hash.clear();
  s.figures.clear();
  s.extra["replicates"] = std::to_string(runs.size());
  s.wall_time_s = 0;
  for (const auto& one : all) {
    s.wall_time_s += one.wall_time_s;
    s.state_hash += (s.state_hash.empty() ? "" : " ") + one.state_hash;
  }
  for (const auto& f : all.front().figures) {
    std::vector<Real> v;
    for (const auto& one : all)
      if (const Figure* g = one.figure(f.name); g && g->value) v.push_back(*g->value);
    Figure mean = f, spread = f;
    spread.name = f.name + "_spread";
    mean.definition = "mean over " + std::to_string(v.size()) + " seeds of: " + f.definition;
    spread.definition = "standard deviation over " + std::to_string(v.size()) + " seeds of: " + f.definition;
    mean.value = spread.value = std::nullopt;
    if (!v.empty()) {
      Real sum = 0, square = 0;
      for (const Real x : v) sum += x;
      mean.value = sum / Real(v.size());
      for (const Real x : v) square += (x - *mean.value) * (x - *mean.value);
      if (v.size() > 1) spread.value = std::sqrt(square / Real(v.size() - 1));
    }
    if (!mean.value) mean.reason = f.reason.empty() ? "no seed reached it" : f.reason;
    if (!spread.value) spread.reason = "fewer than two seeds reached it";
    s.figures.push_back(mean);
    s.figures.push_back(spread);
  }
  write_summary(folder / "summary.json", s);
  report::write_report(runs, folder / "report.html");
}

}  // namespace talus::simulation
