// talus fit: parameters of a scene so that its run matches a measured curve or figures.
#include <talus/app/commands.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <talus/core/input_error.hpp>
#include <talus/io/atomic_file.hpp>
#include <talus/io/run_folder.hpp>
#include <talus/lab/fit.hpp>
#include <talus/simulation/find_scene.hpp>
#include <talus/simulation/fit_target.hpp>
#include <talus/simulation/loaded_scene.hpp>

namespace talus::app {

using namespace simulation;
namespace fs = std::filesystem;
namespace {

[[noreturn]] void refuse(const std::string& option, const std::string& why, const std::string& hint) {
  throw InputError("", 0, option, why, hint);
}

Real number(const std::string& option, const std::string& text) {
  char* end = nullptr;
  const Real value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0' || !std::isfinite(value))
    refuse(option, "'" + text + "' is no number", "plain numbers are SI");
  return value;
}

lab::FitParameter read_range(const std::string& text) {
  const auto equals = text.find('='), colon = text.find(':', equals == std::string::npos ? 0 : equals);
  if (equals == std::string::npos || colon == std::string::npos)
    refuse("--vary", "'" + text + "' is no range", "write NAME=LOW:HIGH, as in gamma=0.5:2");
  lab::FitParameter p{text.substr(0, equals), number("--vary", text.substr(equals + 1, colon - equals - 1)),
                      number("--vary", text.substr(colon + 1))};
  if (!(p.high > p.low))
    refuse("--vary", "the upper bound of '" + p.name + "' is not above the lower", "exchange them");
  return p;
}

using Settings = std::vector<std::pair<std::string, Real>>;

Settings read_figures(const FitRequest& request) {
  Settings figures;
  for (const auto& text : request.figures) {
    const auto equals = text.find('=');
    if (equals == std::string::npos) refuse("--figure", "'" + text + "' has no value", "write NAME=VALUE");
    figures.emplace_back(text.substr(0, equals), number("--figure", text.substr(equals + 1)));
  }
  return figures;
}

void check_request(const FitRequest& request) {
  if (request.vary.empty()) refuse("--vary", "nothing to vary", "write --vary NAME=LOW:HIGH");
  if (request.curve.empty() == request.figures.empty())
    refuse("--curve", "a fit needs either a curve or figures",
           "give --curve FILE --x COLUMN --y COLUMN, or --figure NAME=VALUE");
  if (!request.curve.empty() && (request.x.empty() || request.y.empty()))
    refuse("--curve", "which columns?", "give --x COLUMN --y COLUMN; the series of the run must have both");
}

Curve measured_curve(const FitRequest& request) {
  if (request.curve.empty()) return {};
  Curve measured = read_curve(request.curve, request.x, request.y);
  if (std::all_of(measured.y.begin(), measured.y.end(), [](Real y) { return !(std::abs(y) > 0); }))
    refuse("--curve", "the measured curve is zero everywhere", "");
  return measured;
}

void tell(const std::vector<lab::FitParameter>& parameters, const lab::FitResult& result, const fs::path& file) {
  nlohmann::ordered_json j;
  j["mismatch"] = result.mismatch;
  j["settled"] = result.settled;
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    j["parameters"][parameters[k].name] = {
        {"value", result.best[k]},
        {"sensitivity", result.sensitivity[k]},
        {"uncertainty",
         std::isfinite(result.uncertainty[k]) ? nlohmann::json(result.uncertainty[k]) : nlohmann::json()},
        {"at_bound", bool(result.at_bound[k])}};
    fmt::print("{:<16} {:.6g}  (± {:.2g} doubles the mismatch squared; sensitivity {:.4g} per unit{})\n",
               parameters[k].name, result.best[k], result.uncertainty[k], result.sensitivity[k],
               result.at_bound[k] ? "; AT ITS BOUND" : "");
  }
  for (const auto& t : result.trials) j["trials"].push_back({{"at", t.at}, {"mismatch", t.mismatch}});
  write_text_atomic(file, j.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
  fmt::print("mismatch {:.5f} after {} runs{}: {}\n", result.mismatch, result.trials.size(),
             result.settled ? "" : ", not settled", file.string());
}

}  // namespace

int fit_scene(const FitRequest& request) {
  std::vector<lab::FitParameter> parameters;
  for (const auto& text : request.vary) parameters.push_back(read_range(text));
  check_request(request);
  const Settings figures = read_figures(request);
  const Curve measured = measured_curve(request);
  const fs::path scene = find_scene(request.run.scene);
  std::vector<std::string> units;
  {
    const LoadedScene loaded = load_scene(scene, request.run.settings, scene.parent_path());
    for (const auto& p : parameters) units.push_back(unit_of(loaded, p.name));
  }
  const RunFolder folder = RunFolder::create(request.run.out, "fit");
  int runs = 0;
  const auto misses = [&](const std::vector<Real>& at) {
    RunRequest one = request.run;
    one.out = folder.path() / fmt::format("run-{:02}", ++runs);
    one.voice = Voice::quiet;
    std::string words;
    for (std::size_t k = 0; k < at.size(); ++k) {
      one.settings.push_back(fmt::format("{}={:.17g}{}", parameters[k].name, at[k], units[k]));
      words += fmt::format(" {} = {:.6g}", parameters[k].name, at[k]);
    }
    if (const int code = run_scene(one); code != 0) throw FitStopped{code};
    const auto out = measured.x.empty() ? mismatch(*one.out, figures)
                                        : mismatch(curve_of_run(*one.out, request.x, request.y), measured);
    Real square = 0;
    for (const Real r : out) square += r * r / Real(out.size());
    if (request.run.voice != Voice::quiet) fmt::print("run {:2}:{}  mismatch {:.5f}\n", runs, words, std::sqrt(square));
    std::fflush(stdout);
    return out;
  };
  try {
    const auto result = lab::fit(parameters, misses, request.max_runs, request.tolerance);
    tell(parameters, result, folder.path() / "fit.json");
  } catch (const FitStopped& stopped) { return stopped.code; }
  return 0;
}

}  // namespace talus::app
