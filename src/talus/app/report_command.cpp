// talus report: the page of a run, of replicates, of a sweep, or of runs beside one another.
#include <fmt/format.h>

#include <talus/app/commands.hpp>
#include <talus/core/input_error.hpp>
#include <talus/io/text_file.hpp>
#include <talus/report/told_verdict.hpp>
#include <talus/report/write_report.hpp>
#include <talus/simulation/sweep.hpp>

namespace talus::app {

namespace fs = std::filesystem;
using namespace simulation;

int report_runs(const std::vector<fs::path>& folders, const std::optional<fs::path>& out) {
  const fs::path to = out ? *out : folders.size() == 1 ? folders.front() / "report.html" : fs::path("report.html");
  if (out) need_folder_of(*out);
  if (folders.size() == 1 && is_sweep(folders.front())) {
    if (out) throw InputError("", 0, "--out", "the report of a sweep stands in its folder", "leave out --out");
    write_sweep(read_sweep(folders.front()), folders.front());
    fmt::print("report: {}\n", to.string());
    return 0;
  }
  report::write_report(folders, to);
  fmt::print("report: {}\n{}", to.string(), report::told(report::lights_of_folders(folders)));
  return 0;
}

}  // namespace talus::app
