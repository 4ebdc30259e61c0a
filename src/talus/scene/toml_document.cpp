#include <talus/scene/toml_document.hpp>

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include <talus/core/input_error.hpp>
#include <talus/core/nearest.hpp>
#include <talus/core/nesting.hpp>
#include <talus/scene/old_names.hpp>
#include <talus/scene/settings.hpp>
#include <talus/scene/toml_text.hpp>
#include <talus/scene/toml_value.hpp>

namespace talus {
namespace {

toml::table parse(std::string_view text, const std::string& file) {
  if (const int line = too_deep_toml(text))
    throw InputError(file, line, "", fmt::format("tables and lists are nested more than {} deep", deepest_nesting));
  try {
    return toml::parse(text);
  } catch (const toml::parse_error& error) {
    throw InputError(file, static_cast<int>(error.source().begin.line), "",
                     "not valid TOML: " + std::string(error.description()));
  }
}

// A key that nothing asked for.
struct Stray {
  Place place;
  std::string path, reason, hint;
};

std::string hint_for(const std::string& key, const std::vector<std::string>& known) {
  if (const auto meant = nearest(key, known)) return fmt::format("did you mean '{}'?", *meant);
  return known.empty() ? "no keys are known here" : "the keys known here are: " + listed(known);
}

void find_strays(const RequestedTable& requested, const Origins& origins,
                 const std::vector<std::string>& parameter_names, std::vector<Stray>& out) {
  if (!requested.given) return;
  for (const auto& [key, node] : in_file_order(*requested.given)) {
    const std::string name(key->str());
    const bool is_top = requested.path.empty();
    if (is_top && name == "parameters") continue;
    if (const RequestedKey* entry = requested.find(name)) {
      for (const auto& below : entry->tables) find_strays(*below, origins, parameter_names, out);
      continue;
    }
    if (std::find(requested.passed.begin(), requested.passed.end(), name) != requested.passed.end()) continue;
    Stray stray{origins.place_of_key(*key, *node), requested.path_of(name), {}, {}};
    if (requested.lists_names) {
      stray.reason = "is declared but nothing refers to it";
      stray.hint = "remove it, or use it";
    } else if (std::find(requested.tested.begin(), requested.tested.end(), name) != requested.tested.end()) {
      stray.reason = "is not used: another entry makes it needless";
      stray.hint = "remove it";
    } else {
      const bool is_table = node->is_table() || node->is_array_of_tables();
      stray.reason = is_table ? "unknown table" : "unknown key";
      std::vector<std::string> known = requested.known_keys();
      if (is_top && !is_table && origins.setting_of(*node)) {
        stray.reason = "neither a parameter of this scene nor a key of its top level";
        known.insert(known.begin(), parameter_names.begin(), parameter_names.end());
      }
      stray.hint = hint_for(name, known);
    }
    out.push_back(std::move(stray));
  }
}

}  // namespace

TomlDocument::TomlDocument(std::string_view text, std::string file, const std::vector<std::string>& settings,
                           ReadFile read)
    : root_(parse(text, file)), origins_(std::move(file)), read_(std::move(read)) {
  if (const toml::node* declared = root_.get("parameters"); declared && !declared->is_table())
    throw InputError(origins_.file(), origins_.place_of(*declared).line, "parameters",
                     "expected a table, found " + found(*declared),
                     "write [parameters] and below it name = {default = ..., about = \"...\"}");
  for (const std::string& name : references_in(root_)) referred_.insert(name);
  rename_old_keys(root_, origins_, notes_);
  std::set<std::string> names;
  for (const std::string& setting : settings) {
    apply(setting, names);
    rename_old_keys(root_, origins_, notes_);
  }
  parameters_ = std::make_unique<Parameters>(root_["parameters"].as_table(), set_parameters_, origins_);
  for (const Parameter& parameter : parameters_->list())
    if (!parameter.note.empty()) add_note(parameter.note);
  requested_.given = &root_;
  requested_.place = {origins_.file(), 0};
}

void TomlDocument::apply(const std::string& text, std::set<std::string>& names) {
  const Setting setting = parse_setting(text);
  const auto refuse = [&](const std::string& reason, const std::string& hint) {
    throw InputError(setting.text, 0, setting.name, reason, hint);
  };
  if (!names.insert(setting.name).second) refuse("is set twice", "keep one of the two");
  if (is_dotted(setting)) return put_at_path(root_, setting, origins_);

  const toml::table* declared = root_["parameters"].as_table();
  if (declared && declared->contains(setting.name)) return put(set_parameters_, setting.name, setting, origins_);

  const toml::node* there = root_.get(setting.name);
  if (there && (there->is_table() || there->is_array_of_tables())) {
    const std::string entry = setting.name + (there->is_table() ? ".key=value" : ".0.key=value");
    refuse("is " + found(*there) + ": set one of its entries", "as in --set " + entry);
  }
  put(root_, setting.name, setting, origins_);
}

void TomlDocument::add_note(const std::string& note) {
  if (std::find(notes_.begin(), notes_.end(), note) == notes_.end()) notes_.push_back(note);
}

void TomlDocument::finish() const {
  std::vector<Stray> strays;
  find_strays(requested_, origins_, parameters_->names(), strays);
  // Those of the command line first, then down the file.
  std::stable_sort(strays.begin(), strays.end(),
                   [](const Stray& a, const Stray& b) { return a.place.line < b.place.line; });
  if (!strays.empty()) {
    const Stray& first = strays.front();
    std::string hint = first.hint;
    constexpr std::size_t most = 20;  // told at once
    if (strays.size() > most) hint += fmt::format("\n  and {} more keys like this, of which:", strays.size() - 1);
    for (std::size_t i = 1; i < std::min(strays.size(), most); ++i) {
      const Stray& more = strays[i];
      hint += fmt::format("\n  also {}{}: {}{}", more.place.line ? fmt::format("line {}, ", more.place.line) : "",
                          more.path, more.reason, more.hint.empty() ? "" : "; " + more.hint);
    }
    throw InputError(first.place.file, first.place.line, first.path, first.reason, hint);
  }

  for (const Parameter& parameter : parameters_->list()) {
    if (!referred_.contains(parameter.name) && !used_.contains(parameter.name))
      throw InputError(origins_.file(), parameter.line, "parameters." + parameter.name,
                       "is declared but nothing refers to it",
                       fmt::format("write \"${}\" as the value of an entry, or remove the parameter", parameter.name));
    if (parameter.is_set && !used_.contains(parameter.name))
      throw InputError(origins_.place_of(*parameters_->value(parameter.name)).file, 0, parameter.name,
                       "has no effect: the entries that refer to this parameter are set by other --set");
  }
}

std::string TomlDocument::resolved() const {
  std::string out = "# The scene as it was read: every default spelled out, numbers in SI.\n";
  if (!parameters_->list().empty()) out += "# Its parameters were:\n";
  for (const Parameter& parameter : parameters_->list()) {
    const std::string from = parameter.is_set ? fmt::format(" (set; default {})", parameter.fallback) : "";
    out +=
        toml_comment(fmt::format("#   {} = {}{}: {}", parameter.name, parameter.value, from, parameter.about)) + "\n";
  }
  return out + "\n" + write_resolved(requested_);
}

}  // namespace talus
