#include <talus/scene/settings.hpp>

#include <charconv>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include <talus/core/input_error.hpp>
#include <talus/core/nearest.hpp>
#include <talus/core/nesting.hpp>
#include <talus/core/utf8.hpp>
#include <talus/scene/toml_value.hpp>

namespace talus {
namespace {

[[noreturn]] void refuse(const Setting& setting, const std::string& key, const std::string& reason,
                         const std::string& hint) {
  throw InputError(setting.text, 0, key, reason, hint);
}

// "stage[2].a" and "stage.2.a" are the same; a part in quotes may hold dots.
std::vector<std::string> parts_of(const Setting& setting) {
  std::vector<std::string> parts(1);
  bool is_quoted = false;
  for (const char c : setting.name) {
    if (c == '"')
      is_quoted = !is_quoted;
    else if (!is_quoted && (c == '.' || c == '['))
      parts.emplace_back();
    else if (is_quoted || c != ']')
      parts.back() += c;
  }
  if (parts.size() > deepest_nesting)
    refuse(setting, "", fmt::format("the name has more than {} parts", deepest_nesting), "");
  for (const std::string& part : parts)
    if (part.empty())
      refuse(setting, "", "the name '" + setting.name + "' has an empty part",
             "write it as in --set stage.2.strain=0.1, with array entries counted from 0");
  return parts;
}

std::optional<std::size_t> as_index(const std::string& part) {
  std::size_t index = 0;
  const auto [end, status] = std::from_chars(part.data(), part.data() + part.size(), index);
  if (status != std::errc{} || end != part.data() + part.size()) return std::nullopt;
  return index;
}

// The element of an array that a number or a name stands for.
std::size_t find_element(const toml::array& array, const std::string& part, const std::string& path,
                         const Setting& setting) {
  if (const auto index = as_index(part)) {
    if (*index < array.size()) return *index;
    refuse(setting, path,
           array.empty() ? "has no entries"
                         : fmt::format("has {} entries, numbered 0 to {}", array.size(), array.size() - 1),
           "");
  }
  std::vector<std::string> names;
  for (std::size_t i = 0; i < array.size(); ++i) {
    const toml::table* table = array[i].as_table();
    const auto name = table ? (*table)["name"].value<std::string>() : std::nullopt;
    if (!name) continue;
    if (*name == part) return i;
    names.push_back(*name);
  }
  const auto meant = nearest(part, names);
  refuse(setting, path, fmt::format("no entry has the name '{}'", part),
         meant           ? fmt::format("did you mean '{}'?", *meant)
         : names.empty() ? "its entries have no names: use their number, from 0"
                         : "the names are: " + listed(names));
}

// The table or array below a table; an empty table is made when there is none, unless the name looks mistyped.
toml::node& descend(toml::table& table, const std::string& part, const std::string& path, const Setting& setting,
                    Origins& origins) {
  if (toml::node* below = table.get(part)) return *below;
  std::vector<std::string> siblings;
  for (const auto& [key, value] : table)
    if (value.is_table() || value.is_array()) siblings.emplace_back(key.str());
  if (const auto meant = nearest(part, siblings))
    refuse(setting, path.empty() ? part : path + "." + part, "there is no such table",
           fmt::format("did you mean '{}'?", *meant));
  toml::node& made = table.insert_or_assign(part, toml::table{}).first->second;
  origins.mark(made, setting);
  return made;
}

// The value as TOML, else as a string. Dates are strings here: nothing in a scene is a date, but a title may look so.
toml::table parsed(const Setting& setting) {
  if (too_deep_toml("value = " + setting.value))
    refuse(setting, setting.name, fmt::format("tables and lists are nested more than {} deep", deepest_nesting), "");
  try {
    toml::table out = toml::parse("value = " + setting.value);
    const toml::node* value = out.get("value");
    if (out.size() == 1 && !value->is_date() && !value->is_time() && !value->is_date_time()) return out;
  } catch (const toml::parse_error&) {}
  return toml::table{{"value", setting.value}};
}

}  // namespace

Setting parse_setting(const std::string& text) {
  Setting setting{"--set " + shortened(text, 200), {}, {}};
  if (!is_utf8(text)) refuse(setting, "", "is not UTF-8 text", "a scene is text: write the value in UTF-8");
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) refuse(setting, "", "has no value", "write --set name=value, e.g. --set seed=2");
  const auto trimmed = [](std::string_view part) {
    while (part.starts_with(' ')) part.remove_prefix(1);
    while (part.ends_with(' ')) part.remove_suffix(1);
    return std::string(part);
  };
  setting.name = trimmed(std::string_view(text).substr(0, equals));
  setting.value = trimmed(std::string_view(text).substr(equals + 1));
  if (setting.name.empty()) refuse(setting, "", "has no name", "write --set name=value, e.g. --set seed=2");
  return setting;
}

bool is_dotted(const Setting& setting) { return setting.name.find_first_of(".[") != std::string::npos; }

void put(toml::table& table, std::string_view key, const Setting& setting, Origins& origins) {
  parsed(setting).get("value")->visit(
      [&](const auto& value) { origins.mark(table.insert_or_assign(key, value).first->second, setting); });
}

void put_at_path(toml::table& root, const Setting& setting, Origins& origins) {
  const std::vector<std::string> parts = parts_of(setting);
  toml::node* at = &root;
  std::string path;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string& part = parts[i];
    const bool is_last = i + 1 == parts.size();
    if (toml::array* array = at->as_array()) {
      const std::size_t index = find_element(*array, part, path, setting);
      path += fmt::format("[{}]", index);
      if (is_last)
        parsed(setting).get("value")->visit([&](const auto& value) {
          array->replace(array->cbegin() + static_cast<std::ptrdiff_t>(index), value);
          origins.mark((*array)[index], setting);
        });
      else
        at = array->get(index);
    } else if (toml::table* table = at->as_table()) {
      if (is_last)
        put(*table, part, setting, origins);
      else
        at = &descend(*table, part, path, setting, origins);
      path += (path.empty() ? "" : ".") + part;
    } else {
      refuse(setting, path, "has no entries below it: it is " + found(*at), "");
    }
  }
}

}  // namespace talus
