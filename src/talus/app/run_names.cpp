#include <talus/app/run_names.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <talus/core/input_error.hpp>
#include <talus/core/nearest.hpp>
#include <talus/io/checkpoint.hpp>

namespace talus::app {
namespace fs = std::filesystem;
namespace {

bool has_checkpoint(const fs::path& folder) {
  std::error_code error;
  for (auto entry = fs::directory_iterator(folder, error); !error && entry != fs::directory_iterator(); entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (name.starts_with("checkpoint-") && name.ends_with(".h5")) return true;
  }
  return false;
}

// What a folder without checkpoints was probably to be: one of the runs in it.
std::string meant_by(const fs::path& folder) {
  std::vector<std::pair<fs::file_time_type, std::string>> runs;
  std::error_code error;
  for (auto entry = fs::directory_iterator(folder, error); !error && entry != fs::directory_iterator(); entry.increment(error))
    if (entry->is_directory(error) && has_checkpoint(entry->path())) runs.emplace_back(entry->last_write_time(error), entry->path().string());
  if (!runs.empty()) {
    const std::string newest = std::max_element(runs.begin(), runs.end())->second;
    return fmt::format("did you mean '{}'{}?", newest, runs.size() > 1 ? fmt::format(", the newest of its {} runs", runs.size()) : "");
  }
  return fs::exists(folder / "scene.toml", error) ? "it was stopped before its first: talus resume " + folder.string()
                                                  : "name the folder of a run, or a checkpoint";
}

// A name that is not there: the nearest one beside it.
[[noreturn]] void refuse_missing(const fs::path& run) {
  std::vector<std::string> beside;
  std::error_code error;
  const fs::path parent = run.has_parent_path() ? run.parent_path() : fs::path(".");
  for (auto entry = fs::directory_iterator(parent, error); !error && entry != fs::directory_iterator(); entry.increment(error))
    beside.push_back(entry->path().filename().string());
  std::sort(beside.begin(), beside.end());
  const auto meant = nearest(run.filename().string(), beside);
  throw InputError(run.string(), 0, "", "there is no such run",
                   meant ? "did you mean '" + (run.has_parent_path() ? parent / *meant : fs::path(*meant)).string() + "'?"
                         : "name the folder of a run, or a checkpoint");
}

}  // namespace

fs::path checkpoint_of(const fs::path& run) {
  std::error_code error;
  if (!fs::exists(run, error)) refuse_missing(run);
  if (!fs::is_directory(run)) return run;
  const auto found = newest_checkpoint(run);
  if (!found) throw InputError(run.string(), 0, "", "the folder has no checkpoint", meant_by(run));
  if (!found->message.empty()) fmt::print(stderr, "talus: {}\n", found->message);
  return found->path;
}

}  // namespace talus::app
