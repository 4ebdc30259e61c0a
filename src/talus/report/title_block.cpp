#include <talus/report/title_block.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include <talus/report/units.hpp>

namespace talus::report {
namespace {

std::optional<double> number_in(const std::string& text) {
  double value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  return status == std::errc{} && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

std::string quantity_in(const std::string& text, std::string_view unit) {
  const auto value = number_in(text);
  return value ? format_quantity(*value, unit) : "";
}

// Half of the mass is in smaller grains.
std::optional<double> median_size(const SizeCurve& sizes) {
  const auto& [d, passing] = sizes;
  const std::size_t n = std::min(d.size(), passing.size());
  for (std::size_t k = 0; k < n; ++k) {
    if (!(passing[k] >= 0.5)) continue;
    if (k == 0 || !(passing[k] > passing[k - 1])) return d[k];
    return d[k - 1] + (0.5 - passing[k - 1]) / (passing[k] - passing[k - 1]) * (d[k] - d[k - 1]);
  }
  return std::nullopt;
}

std::string grains(const RunData& run) {
  for (const char* what : {"grains", "particles"})
    if (const auto entry = run.summary.extra.find(what); entry != run.summary.extra.end()) {
      const auto count = number_in(entry->second);
      return count ? format_quantity(*count, "1") : entry->second;
    }
  return "";
}

// The stress that the test holds or puts on: of its stage, else of a boundary.
std::string stress(const RunData& run) {
  if (!run.shear_stages.empty())
    for (const char* key : {"confining", "pressure", "stress"})
      if (const std::string held = quantity_in(setting_of_stage(run, run.shear_stages[0], key), "Pa"); !held.empty())
        return held + (key[0] == 'c' ? " lateral" : key[0] == 'p' ? " mean" : "");
  for (const std::string& table : tables_of(run, "boundary."))
    if (const std::string held = quantity_in(setting_of(run, table, "stress"), "Pa"); !held.empty())
      return fmt::format("{} by {}", held, table.substr(table.find('.') + 1));
  for (int k = static_cast<int>(run.stages.size()) - 1; k >= 0; --k)
    for (const char* key : {"pressure", "stress"})
      if (const std::string held = quantity_in(setting_of_stage(run, k, key), "Pa"); !held.empty())
        return fmt::format("{} in {}", held, run.stages[static_cast<std::size_t>(k)]);
  return "";
}

// Of the material of the first group of grains.
std::string friction(const RunData& run) {
  for (const std::string& group : tables_of(run, "grains.")) {
    const std::string material = "material." + setting_of(run, group, "material");
    if (const std::string angle = setting_of(run, material, "friction_angle"); !angle.empty()) return angle;
    if (const std::string value = setting_of(run, material, "friction"); !value.empty()) return value;
  }
  return "";
}

std::string law(const RunData& run) {
  return run.series.find("solver_residual") ? "rigid grains, Coulomb friction" : setting_of(run, "contact", "law");
}

// Of a continuum.
std::string model(const RunData& run) {
  for (const std::string& table : tables_of(run, "material."))
    if (const std::string word = setting_of(run, table, "model"); !word.empty()) return word;
  return "";
}

}  // namespace

std::vector<std::pair<std::string, std::string>> title_block(const RunData& run) {
  std::vector<std::pair<std::string, std::string>> out;
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) out.emplace_back(name, value);
  };
  const bool continuum = !model(run).empty();
  add(continuum ? "Particles" : "Grains", grains(run));
  if (run.sizes)
    if (const auto d50 = median_size(*run.sizes)) add("D50", format_quantity(*d50, "m"));
  if (continuum) add("Material", model(run));
  if (!continuum) add("Contact law", law(run));
  if (!continuum) add("Friction", friction(run));
  add("Stress", stress(run));
  if (!continuum) add("Rotation", setting_of(run, "dynamics", "rotation"));
  if (!run.shear_stages.empty()) {
    const std::string mode = setting_of_stage(run, run.shear_stages[0], "mode");
    const auto index = static_cast<std::size_t>(std::max(0, run.shear_stages[0]));
    add("Test", !mode.empty() ? mode : index < run.stages.size() ? run.stages[index] : "");
  }
  return out;
}

}  // namespace talus::report
