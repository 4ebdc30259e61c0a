// talus compare: metrics of one run of cycles against another, or against a measured series (Table I of Brodu et al. 2015).
#include <talus/app/commands.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <talus/core/input_error.hpp>
#include <talus/io/text_file.hpp>
#include <talus/lab/cycle_analysis.hpp>
#include <talus/report/run_data.hpp>

namespace talus::app {
namespace fs = std::filesystem;
namespace {

// A run folder, or a CSV with the columns of its series.
std::vector<lab::CycleLevel> levels_of(const fs::path& path, std::optional<long> given, const measure::ForceClasses& classes) {
  const bool is_run = fs::is_directory(path);
  const fs::path file = is_run ? path / "series.csv" : path;
  report::RunData run;
  if (is_run)
    run = report::read_run(path, report::WithPictures::no);
  else
    run.series = report::parse_series(read_text(file), file.string());
  const std::string stated = report::setting_of(run, "analysis", "dropped");
  const i64 dropped = given ? *given : stated.empty() ? 5 : std::stoll(stated);  // 5: the default of the analysis
  const auto& table = run.series;
  SeriesData series;
  for (const auto& column : table.columns) series[column.name] = column.values;
  const auto levels = lab::cycle_levels(series, dropped, classes.count);
  if (levels.empty())
    throw InputError(
        file.string(), 0, "settled", "the run has no row at rest in a cycle that counts (analysis.dropped leaves out the first cycles)",
        "talus compare is for runs with the analysis `cycles`, such as hydrogel; it needs the columns settled, cycle, level, loading, travel, top_force, Z_any and f_class_00 onwards");
  return levels;
}

}  // namespace

int compare_runs(const CompareRequest& request) {
  measure::ForceClasses classes;
  const auto reference = levels_of(request.reference, request.dropped, classes);
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  std::string table =
      fmt::format("{:<32} {:>8} {:>10} {:>8} {:>10} {:>9}\n", "run", "Rtop", "errf [N]", "errZ", "bhat x 100", "tau [mN]");
  for (const auto& run : request.runs) {  // nothing is printed before all of them are read
    const auto c = lab::compare_cycles(levels_of(run, request.dropped, classes), reference, classes, request.threshold);
    if (request.json)
      all.push_back({{"run", run.string()},
                     {"Rtop", c.rtop},
                     {"errf_N", c.errf},
                     {"errZ", c.errz},
                     {"bhat", c.bhat},
                     {"tau_N", c.tau}});
    else
      table += fmt::format("{:<32} {:>8.3f} {:>10.3f} {:>8.3f} {:>10.2f} {:>9.2f}\n", run.filename().string(), c.rtop,
                           c.errf, c.errz, 100 * c.bhat, 1e3 * c.tau);
  }
  fmt::print("{}", request.json ? all.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n" : table);
  return 0;
}

}  // namespace talus::app
