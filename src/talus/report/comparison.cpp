#include <talus/report/comparison.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

#include <talus/core/input_error.hpp>
#include <talus/report/significance.hpp>
#include <talus/report/units.hpp>

namespace talus::report {
namespace {

using Entries = std::vector<std::pair<std::string, std::string>>;

// `value  # comment` or `value: meaning`: the value, without the quotes of a text.
std::string value_in(std::string_view text) {
  if (text.starts_with('"')) return std::string(text.substr(1, text.find('"', 1) - 1));
  const std::size_t end = std::min({text.find("  #"), text.find(": "), text.find(" (")});
  return std::string(text.substr(0, end));
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> out;
  for (std::size_t at = 0, end; at < text.size(); at = end + 1) {
    end = std::min(text.find('\n', at), text.size());
    out.push_back(text.substr(at, end - at));
  }
  return out;
}

bool tells_replicates_apart(const std::string& key) { return key == "seed" || key == "replicates" || key == "device" || key == "title"; }

// The parameters stand in comments above the scene: "#   friction = 0.2 (set; default 0.275): meaning".
Entries parameters_of(const RunData& run) {
  Entries out;
  for (const std::string& line : lines_of(run.scene_text)) {
    if (!line.empty() && !line.starts_with('#')) break;
    const std::size_t equals = line.find(" = ");
    if (!line.starts_with("#   ") || equals == std::string::npos) continue;
    const std::string name = line.substr(4, equals - 4);
    if (!tells_replicates_apart(name)) out.emplace_back(name, value_in(std::string_view(line).substr(equals + 3)));
  }
  return out;
}

const std::string* find(const Entries& entries, const std::string& key) {
  for (const auto& [name, value] : entries)
    if (name == key) return &value;
  return nullptr;
}

// Keys that all have and that are not the same everywhere, in the order of the first.
std::vector<std::string> that_differ(const std::vector<Entries>& all) {
  std::vector<std::string> out;
  for (const auto& [key, first] : all[0]) {
    std::set<std::string> values;
    bool everywhere = true;
    for (const Entries& entries : all) {
      const std::string* value = find(entries, key);
      everywhere = everywhere && value;
      if (value) values.insert(*value);
    }
    if (everywhere && values.size() > 1) out.push_back(key);
  }
  return out;
}

std::vector<double> values_of(const Ensemble& e, const std::string& name) {
  std::vector<double> out;
  for (const RunData* run : e.runs)
    if (const Figure* figure = run->summary.figure(name); figure && figure->value) out.push_back(*figure->value);
  return out;
}

const Figure* any_figure(const Ensemble& e, const std::string& name) {
  for (const RunData* run : e.runs)
    if (const Figure* figure = run->summary.figure(name)) return figure;
  return nullptr;
}

std::string difference(const Spread& a, const Spread& b, const std::string& unit) {
  const double d = b.mean - a.mean;
  std::string text = (d > 0 ? "+" : "") + format_quantity(d, unit);
  if (a.mean != 0) text += fmt::format(" ({}{} %)", d / a.mean > 0 ? "+" : "", format_number(100 * d / std::abs(a.mean), 2));
  return text;
}

// Words beside the number: 0.05 and 0.01 are the habit.
std::string significance(const Spread& a, const Spread& b) {
  if (a.count < 2 || b.count < 2) return "not reached twice";
  const double p = chance_of_difference(a, b);
  if (std::isnan(p)) return a.mean == b.mean ? "none" : "no scatter";
  const char* word = p < 0.01 ? "clear" : p < 0.05 ? "likely" : "within scatter";
  return fmt::format("{}, p {}", word, p < 1e-4 ? "< 10⁻⁴" : "= " + format_number(p, 2));
}

}  // namespace

Entries entries_of(const RunData& run) {
  Entries out;
  std::string table;
  std::map<std::string, int> count;  // of arrays of tables
  for (const std::string& line : lines_of(run.scene_text)) {
    if (line.starts_with("[[")) {
      const std::string name = line.substr(2, line.find(']') - 2);
      table = fmt::format("{}[{}].", name, count[name]++);
    } else if (line.starts_with('[')) {
      table = line.substr(1, line.find(']') - 1) + ".";
    } else if (const std::size_t equals = line.find(" = "); equals != std::string::npos && !line.starts_with('#')) {
      const std::string key = table + line.substr(0, equals);
      if (!tells_replicates_apart(key)) out.emplace_back(key, value_in(std::string_view(line).substr(equals + 3)));
    }
  }
  return out;
}

void need_same_test(const std::vector<RunData>& runs) {
  const RunData* first = nullptr;
  for (const RunData& run : runs) {
    if (run.stages.empty()) continue;  // one that was stopped before it told them
    if (!first) first = &run;
    if (run.stages == first->stages) continue;
    throw InputError(run.label, 0, "",
                     fmt::format("is another test than {}: its stages are {}; those of {} are {}", first->label, fmt::join(run.stages, ", "),
                                 first->label, fmt::join(first->stages, ", ")),
                     "compare runs of one scene with other parameters; or write a report of each: talus report DIR");
  }
}

void name_by_differences(std::vector<Ensemble>& ensembles) {
  if (ensembles.size() < 2) return;
  constexpr std::size_t most = 3;  // entries in a label
  for (const auto entries : {&parameters_of, &entries_of}) {
    std::vector<Entries> all;
    for (const Ensemble& e : ensembles) all.push_back((*entries)(*e.runs[0]));
    const std::vector<std::string> keys = that_differ(all);
    if (keys.empty() || keys.size() > most) continue;
    std::vector<std::string> labels;
    for (const Entries& mine : all) {
      std::vector<std::string> words;
      for (const std::string& key : keys) words.push_back(key + " " + *find(mine, key));
      labels.push_back(fmt::format("{}", fmt::join(words, ", ")));
    }
    if (std::set<std::string>(labels.begin(), labels.end()).size() < labels.size()) continue;
    for (std::size_t k = 0; k < labels.size(); ++k) ensembles[k].label = labels[k];
    return;
  }
}

void add_differences(Report& report, const std::vector<Ensemble>& ensembles) {
  if (ensembles.size() != 2) return;
  report.figure_columns.push_back("Difference");
  const bool repeated = ensembles[0].runs.size() > 1 && ensembles[1].runs.size() > 1;  // one run each: nobody can tell
  if (repeated) report.figure_columns.push_back("More than chance?");
  for (FigureRow& row : report.figures) {
    const Figure* figure = any_figure(ensembles[0], row.name);
    const Spread a = spread_of(values_of(ensembles[0], row.name)), b = spread_of(values_of(ensembles[1], row.name));
    const bool both = figure && a.count > 0 && b.count > 0;
    row.values.push_back(both ? difference(a, b, figure->unit) : "");
    if (repeated) row.values.push_back(both ? significance(a, b) : "");
  }
}

}  // namespace talus::report
