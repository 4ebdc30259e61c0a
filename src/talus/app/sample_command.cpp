// talus sample: where the bodies of a run are, for [sample] of another scene and for other programs.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

#include <talus/app/commands.hpp>
#include <talus/core/input_error.hpp>
#include <talus/core/nearest.hpp>
#include <talus/core/nesting.hpp>
#include <talus/io/checkpoint.hpp>
#include <talus/io/sample_text.hpp>
#include <talus/io/text_file.hpp>
#include <talus/simulation/sample_card.hpp>

namespace talus::app {
namespace fs = std::filesystem;
namespace {

// By its word, or by the ending of the file.
std::string format_of(const SampleRequest& request) {
  if (!request.format.empty()) return request.format;
  const std::map<std::string, std::string> by_ending{{".csv", "csv"},   {".data", "lammps"}, {".lmp", "lammps"},
                                                     {".lammps", "lammps"}, {".txt", "yade"},    {".yade", "yade"}};
  const auto found = by_ending.find(request.out.extension().string());
  if (found != by_ending.end()) return found->second;
  throw InputError(request.out.string(), 0, "", "the ending of the file does not tell its format",
                   "end it in .csv, .data (LAMMPS) or .txt (Yade), or state --format csv, lammps or yade");
}

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

fs::path checkpoint_of(const fs::path& run) {
  std::error_code error;
  if (!fs::exists(run, error)) refuse_missing(run);
  if (!fs::is_directory(run)) return run;
  const auto found = newest_checkpoint(run);
  if (!found) throw InputError(run.string(), 0, "", "the folder has no checkpoint", meant_by(run));
  if (!found->message.empty()) fmt::print(stderr, "talus: {}\n", found->message);
  return found->path;
}

std::vector<Real> densities_in(const std::string& extra) {
  std::vector<Real> densities;
  const auto json = too_deep_json(extra) ? nlohmann::json() : nlohmann::json::parse(extra, nullptr, false);
  if (json.is_object() && json.contains("made_of"))
    for (const auto& m : simulation::read_card(json["made_of"]).materials) densities.push_back(m.density);
  return densities;
}

template <int D>
std::string text_of(const fs::path& checkpoint, const std::string& format, bool motion) {
  State<D> state;
  SampleWishes wishes{checkpoint.string(), {}, motion};
  try {
    wishes.densities = densities_in(read_checkpoint(checkpoint, state).extra);
  } catch (const nlohmann::json::exception& error) {
    throw InputError(checkpoint.string(), 0, "", std::string("the checkpoint is not one of this program: ") + error.what());
  }
  if (format == "csv") return is_periodic(state.globals.cell) ? cell_csv(state, wishes) : places_csv(state, wishes);
  if constexpr (D == 3)
    return format == "lammps" ? lammps_data(state, wishes) : yade_text(state, wishes);
  else
    throw InputError(checkpoint.string(), 0, "", "the sample is of the plane, the format holds spheres", "write CSV: --format csv");
}

}  // namespace

int write_sample(const SampleRequest& request) {
  const std::string format = format_of(request);
  const fs::path checkpoint = checkpoint_of(request.run);
  need_folder_of(request.out);
  if (fs::exists(request.out))
    throw InputError(request.out.string(), 0, "", "the file is there already", "choose another name, or remove it");
  write_text_atomic(request.out, checkpoint_dimension(checkpoint) == 2 ? text_of<2>(checkpoint, format, request.motion)
                                                                       : text_of<3>(checkpoint, format, request.motion));
  const std::string_view what = format == "csv" ? "where the bodies of" : format == "lammps" ? "LAMMPS data: where the grains of" : "Yade text: where the grains of";
  fmt::print("{}: {} {} are\n", request.out.string(), what, checkpoint.string());
  return 0;
}

}  // namespace talus::app
