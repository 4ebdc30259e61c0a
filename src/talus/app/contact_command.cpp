// talus contact: a contact law by itself, along a path; the constants of a mortar from a creep test.
#include <talus/app/command_line.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <talus/core/csv.hpp>
#include <talus/core/input_error.hpp>
#include <talus/core/nearest.hpp>
#include <talus/io/text_file.hpp>
#include <talus/scene/toml_input.hpp>
#include <talus/simulation/contact_bench.hpp>

namespace talus::app {
namespace {

void need_one_of(const std::string& option, const std::string& word, const std::vector<std::string>& known) {
  if (std::find(known.begin(), known.end(), word) != known.end()) return;
  std::string all;
  for (const auto& k : known) all += (all.empty() ? "" : ", ") + k;
  const auto meant = nearest(word, known);
  throw InputError("", 0, option, fmt::format("there is no '{}'", word), (meant ? "did you mean '" + *meant + "'? " : "") + "known: " + all);
}

std::string as_csv(const simulation::BenchTable& table) {
  std::string text;
  for (std::size_t k = 0; k < table.names.size(); ++k)
    text += fmt::format("{}{}{}", k ? "," : "", table.names[k], table.units[k] == "1" ? "" : " [" + table.units[k] + "]");
  text += "\n";
  for (std::size_t row = 0; row < table.columns[0].size(); ++row) {
    for (std::size_t k = 0; k < table.columns.size(); ++k) text += fmt::format("{}{}", k ? "," : "", table.columns[k][row]);
    text += "\n";
  }
  return text;
}

// A column in 60 marks, from its least to its largest value.
std::string drawn(const std::vector<Real>& column) {
  static constexpr const char* marks[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  Real low = INFINITY, high = -INFINITY;
  for (const Real x : column)
    if (std::isfinite(x)) low = std::min(low, x), high = std::max(high, x);
  std::string line;
  const std::size_t places = std::min<std::size_t>(60, column.size());
  for (std::size_t k = 0; k < places; ++k) {
    const Real x = column[places > 1 ? k * (column.size() - 1) / (places - 1) : 0];
    line += !std::isfinite(x) ? " " : marks[high > low ? std::min(7, int(8 * (x - low) / (high - low))) : 0];
  }
  return line + (low <= high ? fmt::format("  {:.4g} to {:.4g}", low, high) : "  no value");
}

void print(const simulation::BenchTable& table) {
  const bool few = table.columns[0].size() <= 12;
  for (std::size_t k = 0; k < table.names.size(); ++k) {
    fmt::print("{:<22} ", table.names[k] + (table.units[k] == "1" ? "" : " [" + table.units[k] + "]"));
    if (few)
      for (const Real x : table.columns[k]) fmt::print("{:>13.6g}", x);
    fmt::print("{}\n", few ? "" : drawn(table.columns[k]));
  }
  for (const Figure& f : table.figures)
    fmt::print("{:<26} {:<14} {}\n", f.name, f.value ? fmt::format("{:.6g}{}", *f.value, f.unit == "1" ? "" : " " + f.unit) : f.reason, f.definition.text);
}

}  // namespace

void CommandLine::add_contact() {
  auto* contact = app_.add_subcommand("contact", "a contact law by itself, along a path; the constants of a mortar from a creep test");
  contact->add_option("law", contact_.law, "name of a law (talus list laws, talus list coats)")->required();
  contact->add_option("--path", contact_.path, "normal, oblique, creep, relaxation, cyclic, frequency; of burgers also integrators, coefficients, friction, stop");
  contact->add_option("--set", contact_.settings, "name=value: a key of the law, of the contact or of the path")->allow_extra_args(false);
  contact->add_option("--fit", contact_.fit, "CSV of a creep test, columns time and overlap: find the constants of burgers; force, area, thickness by --set");
  contact->add_option("--out", contact_.out, "CSV to write");
  actions_.emplace_back(contact, [this] { return test_contact(contact_); });
}

int test_contact(const ContactRequest& request) {
  need_one_of("LAW", request.law, simulation::bench_laws());
  std::vector<std::string> paths, settings;
  for (const auto& p : simulation::bench_paths()) paths.emplace_back(p.word);
  need_one_of("--path", request.path, paths);
  for (const auto& setting : request.settings) settings.push_back("contact." + setting);
  TomlInput input("[contact]\n", "talus contact", settings);
  const auto in = input.table("contact", true, "keys of the law, of the contact and of the path");
  simulation::BenchTable table;
  if (request.fit.empty()) {
    table = simulation::contact_bench(*in, request.law, request.path);
  } else {
    if (request.law != "burgers") throw InputError("", 0, "--fit", "constants are found for law burgers alone", "write talus contact burgers --fit FILE.csv");
    const CsvTable creep = parse_csv(read_text(request.fit), request.fit);
    creep.need_known({"time", "overlap"});
    table = simulation::creep_bench(*in, creep.values("time", dim::time), creep.values("overlap", dim::length));
  }
  input.finish();
  print(table);
  if (!request.out.empty()) {
    need_folder_of(request.out);
    write_text_atomic(request.out, as_csv(table));
  }
  return 0;
}

}  // namespace talus::app
