#include <talus/simulation/replicates.hpp>

#include <cmath>

#include <talus/io/summary.hpp>
#include <talus/report/write_report.hpp>

namespace talus::simulation {

namespace fs = std::filesystem;

namespace {

// Mean and spread of one figure.
std::pair<Figure, Figure> mean_and_spread(const Figure& f, const std::vector<Summary>& all) {
  std::vector<Real> v;
  for (const auto& one : all)
    if (const Figure* g = one.figure(f.name); g && g->value) v.push_back(*g->value);
  Figure mean = f, spread = f;
  spread.name = f.name + "_spread";
  mean.definition.text = "mean over " + std::to_string(v.size()) + " seeds of: " + f.definition.text;
  spread.definition.text = "standard deviation over " + std::to_string(v.size()) + " seeds of: " + f.definition.text;
  spread.definition.title = f.definition.title.empty() ? "" : "scatter of: " + f.definition.title;
  spread.definition.symbol.clear();
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
  return {mean, spread};
}

// Standard deviation over the mean of another figure.
Figure coefficient_of_variation(const Figure& f, const std::vector<Summary>& all) {
  Figure out = f;
  const Figure* of = all.front().figure(f.definition.varies);
  const auto [mean, spread] = of ? mean_and_spread(*of, all) : std::pair<Figure, Figure>{};
  if (mean.value && spread.value && *mean.value != 0) out.value = *spread.value / *mean.value, out.reason = "";
  else out.reason = spread.reason;
  return out;
}

}  // namespace

std::vector<Replicate> replicates_of(const LoadedScene& all, const RunFolder& folder) {
  std::vector<Replicate> out;
  for (i64 k = 0; k < all.heading.replicates; ++k) {
    const u64 seed = all.heading.seed + u64(k);
    out.push_back({seed, folder.path() / ("seed-" + std::to_string(seed))});
  }
  return out;
}

Simulation open_replicate(const Replicate& one, const LoadedScene& all, const std::vector<std::string>& settings,
                          const fs::path& files, const RunOptions& options, Listener& listener) {
  if (fs::exists(one.folder / "scene.toml")) return Simulation::resume(one.folder, options, listener);
  Simulation fresh(load_scene(all.path, with_seed(settings, one.seed), files), options, listener);
  fresh.record(one.folder);
  return fresh;
}

void write_ensemble(const fs::path& folder, const std::vector<Replicate>& runs, const std::string& command) {
  std::vector<Summary> all;
  std::vector<fs::path> folders;
  for (const auto& r : runs) {
    folders.push_back(r.folder);
    all.push_back(read_summary(r.folder / "summary.json"));
  }
  Summary s = all.front();
  s.command = command;
  s.state_hash.clear();
  s.figures.clear();
  s.files.clear();  // they are in the folders of the seeds
  s.extra["replicates"] = std::to_string(runs.size());
  s.wall_time_s = 0;
  for (const auto& one : all) {
    s.wall_time_s += one.wall_time_s;
    s.state_hash += (s.state_hash.empty() ? "" : " ") + one.state_hash;
  }
  for (const auto& f : all.front().figures) {
    auto [mean, spread] = mean_and_spread(f, all);
    if (!f.definition.varies.empty()) {
      s.figures.push_back(coefficient_of_variation(f, all));
      continue;
    }
    s.figures.push_back(std::move(mean));
    s.figures.push_back(std::move(spread));
  }
  write_summary(folder / "summary.json", s);
  report::write_report(folders, folder / "report.html");
}

}  // namespace talus::simulation
