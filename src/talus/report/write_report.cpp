#include <talus/report/write_report.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <talus/io/atomic_file.hpp>
#include <talus/report/charts_of_cycles.hpp>
#include <talus/report/charts_of_run.hpp>
#include <talus/report/comparison.hpp>
#include <talus/report/lights_of_run.hpp>
#include <talus/report/data_tables.hpp>
#include <talus/report/png.hpp>
#include <talus/report/title_block.hpp>
#include <talus/report/units.hpp>

namespace talus::report {
namespace {

std::string duration(double seconds) {
  if (seconds < 100) return format_number(seconds, 3) + " s";
  if (seconds < 6000) return fmt::format("{} min {:02} s", int(seconds) / 60, int(seconds) % 60);
  return fmt::format("{} h {:02} min", int(seconds) / 3600, int(seconds) / 60 % 60);
}

std::string figure_value(const Ensemble& e, const std::string& name) {
  std::vector<double> values;
  const Figure* any = nullptr;
  for (const RunData* run : e.runs)
    if (const Figure* figure = run->summary.figure(name)) {
      if (!any || !any->value) any = figure;
      if (figure->value && std::isfinite(*figure->value)) values.push_back(*figure->value);
    }
  if (!any) return {};
  if (values.empty()) return fmt::format("{}: {}", not_reached, any->reason);
  if (values.size() == 1 && e.runs.size() == 1) return format_quantity(values[0], any->unit);

  double mean = 0, squares = 0;
  for (const double v : values) mean += v / double(values.size());
  for (const double v : values) squares += (v - mean) * (v - mean);
  const double deviation = values.size() > 1 ? std::sqrt(squares / double(values.size() - 1)) : 0;
  std::string text = format_spread(mean, deviation, any->unit);
  if (values.size() < e.runs.size()) text += fmt::format(" ({} of {} runs)", values.size(), e.runs.size());
  return text;
}

void add_figures(Report& report, const std::vector<Ensemble>& ensembles) {
  for (const Ensemble& e : ensembles)
    for (const RunData* run : e.runs)
      for (const Figure& figure : run->summary.figures) {
        const auto same = [&](const FigureRow& row) { return row.name == figure.name; };
        if (std::any_of(report.figures.begin(), report.figures.end(), same)) continue;
        FigureRow row{figure.name, {}, figure.definition};
        for (const Ensemble& column : ensembles) row.values.push_back(figure_value(column, figure.name));
        report.figures.push_back(std::move(row));
      }
  for (FigureRow& row : table_of_cycles(ensembles)) report.figures.push_back(std::move(row));
  std::stable_sort(report.figures.begin(), report.figures.end(),
                   [](const FigureRow& a, const FigureRow& b) { return a.definition.group < b.definition.group; });
  if (ensembles.size() > 1)
    for (const Ensemble& e : ensembles) report.figure_columns.push_back(e.label);
  else if (ensembles[0].runs.size() > 1)
    report.figure_columns.push_back(fmt::format("Mean ± standard deviation of {}", ensembles[0].runs.size()));
}

// One line for each of several runs: the rest is in their own reports.
void add_provenance_line(Report& report, const RunData& run) {
  const Summary& s = run.summary;
  report.provenance.emplace_back(
      run.label,
      fmt::format("{} · talus {} · seed {} · {} steps in {} · state hash {} · {}", s.scene, s.version, s.seed,
                  format_quantity(double(s.steps), "1"), duration(s.wall_time_s), s.state_hash, s.status));
}

void add_provenance(Report& report, const RunData& run) {
  const Summary& s = run.summary;
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) report.provenance.emplace_back(name, value);
  };
  add("scene", s.scene);
  add("command", s.command);
  if (s.version.empty()) return;
  add("program", "talus " + s.version + (s.commit.empty() ? "" : ", commit " + s.commit));
  add("seed", std::to_string(s.seed));
  add("device", fmt::format("{}, {} thread{}", s.device, s.threads, s.threads == 1 ? "" : "s"));
  add("started", s.started);
  add("wall time", duration(s.wall_time_s));
  add("steps", fmt::format("{}, {} simulated", format_quantity(double(s.steps), "1"), format_quantity(s.time_s, "s")));
  add("state hash", s.state_hash);
  add("status", s.status);
  for (const auto& [name, value] : s.extra)
    if (name != "stages" && name != "shear_stages") report.provenance.emplace_back(name, value);
  add("stages", fmt::format("{}", fmt::join(run.stages, ", ")));
}

// The folder of replicates has a folder for each of its runs. It may have a scene too.
std::vector<std::filesystem::path> replicates_in(const std::filesystem::path& folder) {
  namespace fs = std::filesystem;
  std::vector<fs::path> out;
  if (fs::is_directory(folder))
    for (const auto& entry : fs::directory_iterator(folder))
      if (entry.path().filename().string().starts_with("seed-") && fs::exists(entry.path() / "scene.toml")) out.push_back(entry.path());
  const auto key = [](const fs::path& p) { return std::pair(p.string().size(), p.string()); };  // seed-2 before seed-10
  std::sort(out.begin(), out.end(), [&](const fs::path& a, const fs::path& b) { return key(a) < key(b); });
  return out;
}

}  // namespace

Report report_of_runs(const std::vector<RunData>& runs) {
  need_same_test(runs);
  std::vector<Ensemble> ensembles = group_replicates(runs);
  name_by_differences(ensembles);
  Report report = report_of_ensembles(runs, ensembles);
  add_differences(report, ensembles);
  return report;
}

Report report_of_ensembles(const std::vector<RunData>& runs, const std::vector<Ensemble>& ensembles) {
  Report report;
  const Summary& first = runs[0].summary;
  report.title = first.title.empty() ? runs[0].label : first.title;
  if (ensembles.size() > 1) report.title += ensembles.size() > 2 ? fmt::format(": comparison of {}", ensembles.size()) : fmt::format(": {} against {}", ensembles[0].label, ensembles[1].label);
  if (runs.size() == 1) {
    if (!first.version.empty())
      report.subtitle = fmt::format("{} · seed {} · {} steps in {}", runs[0].label, first.seed,
                                    format_quantity(double(first.steps), "1"), duration(first.wall_time_s));
  } else {
    for (const RunData& run : runs) report.subtitle += (report.subtitle.empty() ? "" : " · ") + run.label;
  }

  if (ensembles.size() == 1) report.test = title_block(runs[0]);
  report.lights = lights_of_runs(ensembles);
  add_figures(report, ensembles);
  report.charts = charts_of_runs(ensembles);
  report.tables = tables_of_runs(runs);
  if (runs.size() == 1)
    add_provenance(report, runs[0]);
  else
    for (const RunData& run : runs) add_provenance_line(report, run);
  for (const Ensemble& e : ensembles)  // replicates look alike: the first stands for all
    for (Picture picture : e.runs[0]->pictures) {
      if (runs.size() > 1) picture.caption = e.runs[0]->label + ": " + picture.caption;
      report.pictures.push_back(std::move(picture));
    }
  for (const Ensemble& e : ensembles)
    report.scene_text += (ensembles.size() > 1 ? "# " + e.label + "\n" : "") + e.runs[0]->scene_text +
                         (ensembles.size() > 1 ? "\n" : "");
  return report;
}

std::vector<RunData> read_runs(const std::vector<std::filesystem::path>& folders, WithPictures pictures) {
  std::vector<RunData> runs;
  for (const auto& given : folders) {
    const auto replicates = replicates_in(std::filesystem::absolute(given / "").lexically_normal().parent_path());
    for (const auto& folder : replicates.empty() ? std::vector{given} : replicates) {
      runs.push_back(read_run(folder, pictures));
      if (folders.size() > 1 && runs.back().label.starts_with("seed-"))
        runs.back().label = (folder.parent_path().filename() / runs.back().label).string();
    }
  }
  return runs;
}

void write_report(const std::vector<std::filesystem::path>& run_folders, const std::filesystem::path& out) {
  const std::vector<RunData> runs = read_runs(run_folders, WithPictures::yes);
  if (runs.empty()) throw std::invalid_argument("a report needs at least one run");
  write_text_atomic(out, render_html(report_of_runs(runs)));
}

void write_picture(const Picture& picture, const std::filesystem::path& path) {
  const auto bytes = encode_small(picture);
  write_text_atomic(path, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

}  // namespace talus::report
