// talus fit: parameters of a scene so that its run matches a measured curve or figures.
#include <talus/app/commands.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <talus/core/csv.hpp>
#include <talus/core/input_error.hpp>
#include <talus/core/nearest.hpp>
#include <talus/io/atomic_file.hpp>
#include <talus/io/run_folder.hpp>
#include <talus/io/summary.hpp>
#include <talus/io/text_file.hpp>
#include <talus/lab/fit.hpp>
#include <talus/report/run_data.hpp>

namespace talus::app {
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

struct Curve {
  std::vector<Real> x, y;
};
Curve read_curve(const FitRequest& request) {
  const CsvTable table = parse_csv(read_text(request.curve), request.curve);
  const auto column = [&](const std::string& name) {
    for (const auto& c : table.columns)
      if (c.name == name) return c.values;
    std::vector<std::string> names;
    for (const auto& c : table.columns) names.push_back(c.name);
    const auto meant = nearest(name, names);
    throw InputError(request.curve, table.header_line, name, "there is no such column",
                     meant ? "did you mean '" + *meant + "'?" : "");
  };
  return {column(request.x), column(request.y)};
}

// The curve of a run: means over all rows with the same x, for rows that are at rest where the run marks them.
Curve curve_of(const fs::path& run, const FitRequest& request) {
  const auto table = report::parse_series(read_text(run / "series.csv"), (run / "series.csv").string());
  const auto* x = table.find(request.x);
  const auto* y = table.find(request.y);
  if (!x || !y) {
    std::vector<std::string> names;
    for (const auto& c : table.columns) names.push_back(c.name);
    const std::string missing = x ? request.y : request.x;
    const auto meant = nearest(missing, names);
    refuse("--curve", "the series of the run has no column '" + missing + "'",
           meant ? "did you mean '" + *meant + "'?" : "");
  }
  const auto* settled = table.find("settled");
  const auto* loading = table.find("loading");
  std::vector<std::pair<Real, Real>> points;
  for (std::size_t r = 0; r < table.rows; ++r)
    if ((!settled || settled->values[r] == 1) && (!loading || loading->values[r] == 1))
      points.emplace_back(x->values[r], y->values[r]);
  std::sort(points.begin(), points.end());
  Curve out;
  for (std::size_t k = 0; k < points.size();) {
    std::size_t end = k;
    Real sum = 0;
    const Real width = 1e-6 * (points.back().first - points.front().first);
    for (; end < points.size() && points[end].first - points[k].first <= width; ++end) sum += points[end].second;
    out.x.push_back(points[k].first);
    out.y.push_back(sum / Real(end - k));
    k = end;
  }
  return out;
}

}  // namespace

int fit_scene(const FitRequest& request) {
  std::vector<lab::FitParameter> parameters;
  for (const auto& text : request.vary) parameters.push_back(read_range(text));
  if (parameters.empty()) refuse("--vary", "nothing to vary", "write --vary NAME=LOW:HIGH");
  if (request.curve.empty() == request.figures.empty())
    refuse("--curve", "a fit needs either a curve or figures",
           "give --curve FILE --x COLUMN --y COLUMN, or --figure NAME=VALUE");
  if (!request.curve.empty() && (request.x.empty() || request.y.empty()))
    refuse("--curve", "which columns?", "give --x COLUMN --y COLUMN; the series of the run must have both");
  std::vector<std::pair<std::string, Real>> figures;
  for (const auto& text : request.figures) {
    const auto equals = text.find('=');
    if (equals == std::string::npos) refuse("--figure", "'" + text + "' has no value", "write NAME=VALUE");
    figures.emplace_back(text.substr(0, equals), number("--figure", text.substr(equals + 1)));
  }
  Curve measured;
  Real scale = 0;
  if (!request.curve.empty()) {
    measured = read_curve(request);
    for (const Real y : measured.y) scale = std::max(scale, std::abs(y));
    if (!(scale > 0)) refuse("--curve", "the measured curve is zero everywhere", "");
  }
  const RunFolder folder = RunFolder::create(request.run.out, "fit");
  int runs = 0;
  const auto mismatch = [&](const std::vector<Real>& at) {
    RunRequest one = request.run;
    one.out = folder.path() / fmt::format("run-{:02}", ++runs);
    one.voice = Voice::quiet;
    std::string words;
    for (std::size_t k = 0; k < at.size(); ++k) {
      one.settings.push_back(fmt::format("{}={:.17g}", parameters[k].name, at[k]));
      words += fmt::format(" {} = {:.6g}", parameters[k].name, at[k]);
    }
    if (const int code = run_scene(one); code != 0) throw FitStopped{code};
    std::vector<Real> out;
    if (!measured.x.empty()) {
      const Curve run = curve_of(*one.out, request);
      for (std::size_t k = 0; k < measured.x.size(); ++k)
        out.push_back((lab::interpolate(run.x, run.y, measured.x[k]) - measured.y[k]) / scale);
    } else {
      const Summary s = read_summary(*one.out / "summary.json");
      for (const auto& [name, value] : figures) {
        const Figure* f = s.figure(name);
        if (!f || !f->value) {
          std::vector<std::string> names;
          for (const auto& g : s.figures) names.push_back(g.name);
          const auto meant = nearest(name, names);
          refuse("--figure", "the run has no figure '" + name + "'" + (f ? ": " + f->reason : ""),
                 meant && !f ? "did you mean '" + *meant + "'?" : "");
        }
        out.push_back((*f->value - value) / (value != 0 ? std::abs(value) : 1));
      }
    }
    Real square = 0;
    for (const Real r : out) square += r * r / Real(out.size());
    if (request.run.voice != Voice::quiet) fmt::print("run {:2}:{}  mismatch {:.5f}\n", runs, words, std::sqrt(square));
    std::fflush(stdout);
    return out;
  };
  lab::FitResult result;
  try {
    result = lab::fit(parameters, mismatch, request.max_runs, request.tolerance);
  } catch (const FitStopped& stopped) { return stopped.code; }

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
  write_text_atomic(folder.path() / "fit.json", j.dump(2) + "\n");
  fmt::print("mismatch {:.5f} after {} runs{}: {}\n", result.mismatch, result.trials.size(),
             result.settled ? "" : ", not settled", (folder.path() / "fit.json").string());
  return 0;
}

}  // namespace talus::app
