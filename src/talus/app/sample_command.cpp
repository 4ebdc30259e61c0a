// talus sample: where the bodies of a run are, for [sample] of another scene and for other programs.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

#include <talus/app/commands.hpp>
#include <talus/app/run_names.hpp>
#include <talus/core/input_error.hpp>
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
  if (request.run.empty()) throw InputError("", 0, "", "talus sample needs the folder of a run", "talus sample RUN --out FILE, or talus sample save, list, card or rev");
  if (request.out.empty()) throw InputError(request.run.string(), 0, "--out", "no file is named", "talus sample RUN --out FILE; talus sample save RUN NAME puts it into the bank");
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
