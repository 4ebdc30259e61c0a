#include <talus/simulation/sweep.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <talus/core/hash.hpp>
#include <talus/core/input_error.hpp>
#include <talus/core/nearest.hpp>
#include <talus/core/quantity.hpp>
#include <talus/io/atomic_file.hpp>
#include <talus/io/summary.hpp>
#include <talus/io/text_file.hpp>
#include <talus/report/sweep_page.hpp>
#include <talus/simulation/find_scene.hpp>
#include <talus/simulation/loaded_scene.hpp>
#include <talus/simulation/parents.hpp>

namespace talus::simulation {

namespace fs = std::filesystem;

namespace {

constexpr const char* file_name = "sweep.json";
constexpr std::size_t most_runs = 10000;

std::string name_of(const std::string& setting) { return setting.substr(0, setting.find('=')); }

// The name of a folder: what a file system takes. "50 kPa" and "50kPa" are the same value.
std::string folder_word(const std::string& text) {
  std::string out;
  for (const char c : text)
    if (c != ' ') out += c == '/' ? '+' : c;
  return out;
}

std::string point_name(const Sweep& sweep, const std::vector<std::string>& values) {
  std::string out;
  for (std::size_t k = 0; k < values.size(); ++k) out += (k ? "," : "") + sweep.varied[k].name + "=" + values[k];
  return folder_word(out);
}

std::vector<std::vector<std::string>> points_of(const Sweep& sweep) {
  std::vector<std::vector<std::string>> points{{}};
  for (const Varied& v : sweep.varied) {
    std::vector<std::vector<std::string>> longer;
    for (const auto& point : points)
      for (const std::string& value : v.values) {
        longer.push_back(point);
        longer.back().push_back(value);
      }
    points = std::move(longer);
    if (points.size() > most_runs) throw InputError("", 0, "--vary", fmt::format("these are more than {} combinations", most_runs));
  }
  return points;
}

std::vector<std::string> settings_of(const Sweep& sweep, const std::vector<std::string>& values) {
  std::vector<std::string> out = sweep.settings;
  for (std::size_t k = 0; k < values.size(); ++k) out.push_back(sweep.varied[k].name + "=" + values[k]);
  return out;
}

void need_known_names(const Sweep& sweep, const std::vector<std::string>& known) {
  std::set<std::string> names;
  for (const Varied& v : sweep.varied) {
    const auto refuse = [&](const std::string& why, const std::string& hint) { throw InputError("", 0, "--vary " + v.name, why, hint); };
    if (v.name == "seed" || v.name == "replicates") refuse("seeds are not varied by name", "write --seeds N: each combination with N seeds");
    if (!names.insert(v.name).second) refuse("is varied twice", "write all of its values in one --vary");
    for (const std::string& s : sweep.settings)
      if (name_of(s) == v.name) refuse("is set and varied", "leave out --set " + s);
    if (v.name.find_first_of(".[") != std::string::npos || std::find(known.begin(), known.end(), v.name) != known.end()) continue;
    const auto meant = nearest(v.name, known);
    refuse("the scene has no such parameter", (meant ? "did you mean '" + *meant + "'? " : std::string()) +
                                                  fmt::format("the parameters are: {}; another entry is varied by its path, as in stage.0.rate", fmt::join(known, ", ")));
  }
}

template <int D>
void build(LoadedScene loaded) {
  build_scene<D>(loaded, "", parents_as_placed<D>(loaded, {"", "", ""}));
}

// Every combination is read; the first is built, which finds entries that nothing asks for.
void need_readable(const Sweep& sweep, const std::vector<std::vector<std::string>>& points) {
  for (const auto& point : points) {
    LoadedScene loaded = load_scene(sweep.scene, settings_of(sweep, point), sweep.scene.parent_path());
    if (&point == &points.front()) loaded.heading.dimension == 2 ? build<2>(std::move(loaded)) : build<3>(std::move(loaded));
  }
}

nlohmann::ordered_json written(const Sweep& s) {
  nlohmann::ordered_json j{{"schema_version", 1}, {"scene", s.scene.string()}, {"fingerprint", s.fingerprint}, {"settings", s.settings}};
  j["vary"] = nlohmann::ordered_json::array();
  for (const Varied& v : s.varied) j["vary"].push_back({{"name", v.name}, {"values", v.values}});
  j["seeds"] = s.seeds;
  j["first_seed"] = s.first_seed;
  return j;
}

struct Axis {
  std::string unit;             // SI; empty: of words
  std::vector<double> numbers;  // SI
};

// A parameter whose values are all numbers of one kind is one; otherwise they are words.
Axis axis_of(const Varied& v) {
  Axis axis;
  try {
    std::optional<Dimension> dimension;
    for (const std::string& value : v.values) {
      const Quantity q = parse_quantity(value);
      if (dimension && *dimension != q.dimension) return {};
      dimension = q.dimension;
      axis.numbers.push_back(q.value);
    }
    axis.unit = si_name(*dimension);
  } catch (const std::invalid_argument&) { return {}; }
  return axis;
}

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? "\"\"" : c == '\n' ? " " : std::string(1, c);
  return out + "\"";
}

std::string table_of(const Sweep& sweep, const std::vector<SweepRun>& runs, const std::vector<std::optional<Summary>>& summaries) {
  std::vector<std::string> columns{"run", "status"};
  std::vector<Axis> axes;
  for (const Varied& v : sweep.varied) {
    axes.push_back(axis_of(v));
    columns.push_back(quoted(v.name) + (axes.back().unit.empty() ? "" : " [" + axes.back().unit + "]"));
  }
  columns.push_back("seed");
  std::vector<std::string> figures;
  for (const auto& s : summaries)
    for (std::size_t k = 0; s && k < s->figures.size(); ++k)
      if (const Figure& f = s->figures[k]; std::find(figures.begin(), figures.end(), f.name) == figures.end()) {
        figures.push_back(f.name);
        const bool is_varied = std::any_of(sweep.varied.begin(), sweep.varied.end(), [&](const Varied& v) { return v.name == f.name; });
        columns.push_back(f.name + (is_varied ? "_result [" : " [") + f.unit + "]");
      }
  std::string text = fmt::format("{}\n", fmt::join(columns, ","));
  for (std::size_t r = 0; r < runs.size(); ++r) {
    text += quoted(runs[r].label()) + "," + quoted(summaries[r] ? summaries[r]->status : "not run");
    for (std::size_t k = 0; k < axes.size(); ++k) {
      const auto& values = sweep.varied[k].values;
      const auto at = std::size_t(std::find(values.begin(), values.end(), runs[r].values[k]) - values.begin());
      text += "," + (axes[k].numbers.empty() ? quoted(runs[r].values[k]) : fmt::format("{:.10g}", axes[k].numbers[at]));
    }
    text += fmt::format(",{}", runs[r].seed);
    for (const std::string& name : figures) {
      const Figure* f = summaries[r] ? summaries[r]->figure(name) : nullptr;
      text += f && f->value && std::isfinite(*f->value) ? fmt::format(",{:.10g}", *f->value) : ",";
    }
    text += "\n";
  }
  return text;
}

}  // namespace

Sweep make_sweep(const std::string& scene, const std::vector<std::string>& settings, const std::vector<std::string>& vary, i64 seeds) {
  Sweep sweep;
  sweep.scene = fs::absolute(find_scene(scene)).lexically_normal();
  sweep.settings = settings;
  sweep.seeds = seeds;
  if (vary.empty()) throw InputError("", 0, "--vary", "nothing is varied", "write --vary NAME=A,B,C or --vary NAME=LOW:HIGH:COUNT");
  for (const std::string& text : vary) sweep.varied.push_back(read_varied(text));
  const LoadedScene plain = load_scene(sweep.scene, settings, sweep.scene.parent_path());
  sweep.fingerprint = hex(hash_text(plain.text));
  sweep.first_seed = plain.heading.seed;
  std::vector<std::string> known;
  for (const auto& p : plain.input->parameters()) known.push_back(p.name);
  need_known_names(sweep, known);
  const auto points = points_of(sweep);
  std::set<std::string> folders;
  for (const auto& point : points) {
    const std::string name = point_name(sweep, point);
    if (name.size() > 200) throw InputError("", 0, "--vary", "the name of a folder would be longer than 200 bytes: " + name, "vary fewer parameters, or shorter values");
    if (!folders.insert(name).second) throw InputError("", 0, "--vary", "two combinations have the same folder, " + name, "write each value once");
  }
  need_readable(sweep, points);
  return sweep;
}

fs::path sweep_folder(const Sweep& sweep, const std::optional<fs::path>& out) {
  const std::string mine = written(sweep).dump(2) + "\n";
  if (out && is_sweep(*out)) {
    if (read_text(*out / file_name) != mine)
      throw InputError(out->string(), 0, "", "holds another sweep: other values, settings, seeds or scene",
                       "choose another folder; talus resume " + out->string() + " goes on with that one");
    return *out;
  }
  const fs::path folder = RunFolder::create(out, sweep.scene.stem().string() + "-sweep").path();
  write_text_atomic(folder / file_name, mine);
  return folder;
}

bool is_sweep(const fs::path& folder) { return fs::is_regular_file(folder / file_name); }

Sweep read_sweep(const fs::path& folder) {
  const fs::path file = folder / file_name;
  Sweep s;
  try {
    const auto j = nlohmann::json::parse(read_text(file));
    s.scene = j.at("scene").get<std::string>();
    s.fingerprint = j.at("fingerprint");
    s.settings = j.at("settings").get<std::vector<std::string>>();
    for (const auto& v : j.at("vary")) s.varied.push_back({v.at("name"), v.at("values").get<std::vector<std::string>>()});
    s.seeds = j.at("seeds");
    s.first_seed = j.at("first_seed");
  } catch (const nlohmann::json::exception& error) {
    throw InputError(file.string(), 0, "", std::string("is not what a sweep wrote: ") + error.what());
  }
  return s;
}

std::string SweepRun::label() const { return (folder.parent_path().filename() / folder.filename()).string(); }

std::string SweepRun::status() const {
  return fs::exists(folder / "summary.json") ? read_summary(folder / "summary.json").status : "";
}

std::vector<std::string> SweepRun::arguments(const Sweep& sweep) const {
  if (fs::exists(folder / "scene.toml")) return {"resume", folder.string()};
  if (hex(hash_text(read_text(sweep.scene))) != sweep.fingerprint)
    throw InputError(sweep.scene.string(), 0, "", "the scene was changed after the sweep had begun", "begin another sweep, or put the scene back");
  std::vector<std::string> out{"run", sweep.scene.string(), "--out", folder.string()};
  for (const std::string& setting : with_seed(settings_of(sweep, values), seed)) out.insert(out.end(), {"--set", setting});
  return out;
}

std::vector<SweepRun> runs_of(const Sweep& sweep, const fs::path& folder) {
  std::vector<SweepRun> out;
  for (const auto& point : points_of(sweep))
    for (i64 k = 0; k < sweep.seeds; ++k) {
      const u64 seed = sweep.first_seed + u64(k);
      out.push_back({point, seed, folder / point_name(sweep, point) / ("seed-" + std::to_string(seed))});
    }
  return out;
}

void write_sweep(const Sweep& sweep, const fs::path& folder) {
  const auto runs = runs_of(sweep, folder);
  std::vector<std::optional<Summary>> summaries;
  report::SweepPage page;
  for (const Varied& v : sweep.varied) {
    const Axis axis = axis_of(v);
    page.axes.push_back({v.name, axis.unit, v.values, axis.numbers});
  }
  for (const SweepRun& run : runs) {
    const fs::path file = run.folder / "summary.json";
    summaries.push_back(fs::exists(file) ? std::optional(read_summary(file)) : std::nullopt);
    if (page.points.empty() || page.points.back().values != run.values) page.points.push_back({run.values, {}});
    if (summaries.back() && summaries.back()->status == "done")
      page.points.back().folders.push_back(run.folder);
    else
      page.missing.emplace_back(run.label(), summaries.back() ? summaries.back()->status : "not run");
  }
  write_text_atomic(folder / "sweep.csv", table_of(sweep, runs, summaries));
  report::write_sweep_page(page, folder / "report.html");
}

}  // namespace talus::simulation
