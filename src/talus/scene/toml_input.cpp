#include <talus/scene/toml_input.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <talus/core/input_error.hpp>
#include <talus/core/nearest.hpp>
#include <talus/scene/old_names.hpp>
#include <talus/scene/toml_document.hpp>
#include <talus/scene/toml_text.hpp>
#include <talus/scene/toml_value.hpp>

namespace talus {

struct TomlInput::Value {
  const toml::node* node = nullptr;
  std::string parameter;  // empty when the value stands in the entry itself
  explicit operator bool() const { return node != nullptr; }
};

TomlInput::TomlInput(std::string_view text, std::string file, const std::vector<std::string>& settings, ReadFile read)
    : document_(std::make_shared<TomlDocument>(text, std::move(file), settings, std::move(read))),
      here_(&document_->requested()) {}

TomlInput::TomlInput(std::shared_ptr<TomlDocument> document, RequestedTable& here)
    : document_(std::move(document)), here_(&here) {}

// ---- finding and checking one value --------------------------------------------------------------------------------

TomlInput::Value TomlInput::given(std::string_view key) const {
  return {here_->given ? here_->given->get(key) : nullptr, {}};
}

TomlInput::Value TomlInput::resolve(const Value& entry, const std::string& path) const {
  const std::string name = reference_of(*entry.node);
  if (name.empty()) return entry;
  if (const toml::node* value = document_->parameters().value(name)) {
    document_->use_parameter(name);
    return {value, name};
  }
  const Place place = document_->origins().place_of(*entry.node);
  const std::vector<std::string> known = document_->parameters().names();
  const auto meant = nearest(name, known);
  throw InputError(place.file, place.line, path,
                   fmt::format("refers to the parameter '{}', which is not declared", name),
                   meant           ? fmt::format("did you mean \"${}\"?", *meant)
                   : known.empty() ? "declare it under [parameters]"
                                   : "the parameters are: " + listed(known));
}

TomlInput::Value TomlInput::find(std::string_view key, bool required, std::string_view what,
                                 std::string_view about) const {
  if (const Value entry = given(key)) return resolve(entry, here_->path_of(key));
  if (required) miss(key, what, about);
  return {};
}

// A required key is often not missing but misspelt: say so.
void TomlInput::miss(std::string_view key, std::string_view what, std::string_view about) const {
  std::vector<std::string> unread;
  if (here_->given)
    for (const auto& [other, node] : *here_->given)
      if (!here_->find(other.str())) unread.emplace_back(other.str());
  std::string hint = fmt::format("{} = ... gives {}: {}", toml_key(key), what, about);
  Place place = here_->place;
  if (const auto typed = nearest(key, unread)) {
    const auto at = here_->given->find(*typed);
    place = document_->origins().place_of_key(at->first, at->second);
    hint = fmt::format("there is '{}'; did you mean '{}'?", *typed, key);
  }
  throw InputError(place.file, place.line, here_->path_of(key), "is required but missing", hint);
}

// Runs a check that knows the value but not where it is written.
template <class Read>
auto TomlInput::checked(const Value& value, const std::string& path, Read read) const {
  try {
    return read(*value.node);
  } catch (const BadValue& bad) {
    const Place place = document_->origins().place_of(*value.node);
    const std::string from = value.parameter.empty() ? "" : fmt::format(" (value of parameter '{}')", value.parameter);
    throw InputError(place.file, place.line, path, bad.reason + from, bad.hint);
  }
}

RequestedKey& TomlInput::remember(std::string_view key, std::string value, std::string unit, std::string_view about,
                                  bool is_given) {
  RequestedKey& entry = here_->entry(key);
  entry.kind = RequestedKey::Kind::value;
  entry.value = std::move(value);
  entry.unit = std::move(unit);
  entry.about = about;
  entry.is_given = is_given;
  return entry;
}

// Text may come from the command line without quotes: "--set title=2024" is a title, not a number.
std::string TomlInput::word(std::string_view key, const Value& value) const {
  const Setting* setting = document_->origins().setting_of(*value.node);
  if (setting && value.node->is_value() && !value.node->is_string()) return setting->value;
  return checked(value, here_->path_of(key), to_text);
}

// ---- the kinds of entries ------------------------------------------------------------------------------------------

Real TomlInput::number(std::string_view key, Dimension dimension, Range range, std::optional<Real> fallback,
                       std::string_view about) {
  const Value value = find(key, !fallback, describe(dimension), about);
  const Real result = value ? checked(value, here_->path_of(key),
                                      [&](const toml::node& node) { return to_quantity(node, dimension, range); })
                            : *fallback;
  const bool is_set = std::isfinite(result) && contains(range, result);
  remember(key, is_set ? toml_quantity(result, dimension) : "", unit_beside(dimension), about, bool(value)).declared =
      asked_number(dimension, range, fallback, about);
  return result;
}

i64 TomlInput::integer(std::string_view key, i64 low, i64 high, std::optional<i64> fallback, std::string_view about) {
  const Value value = find(key, !fallback, "a whole number", about);
  const i64 result =
      value ? checked(value, here_->path_of(key), [&](const toml::node& node) { return to_integer(node, low, high); })
            : *fallback;
  const bool is_set = result >= low && result <= high;
  remember(key, is_set ? fmt::format("{}", result) : "", "", about, bool(value)).declared =
      asked_integer(low, high, fallback, about);
  return result;
}

bool TomlInput::flag(std::string_view key, bool fallback, std::string_view about) {
  const Value value = find(key, false, "", about);
  const bool result = value ? checked(value, here_->path_of(key), to_flag) : fallback;
  remember(key, result ? "true" : "false", "", about, bool(value)).declared = asked_flag(fallback, about);
  return result;
}

std::string TomlInput::choice(std::string_view key, const std::vector<std::string>& allowed_words,
                              std::optional<std::string> fallback, std::string_view about) {
  const Value value = find(key, !fallback, "one of " + listed(allowed_words), about);
  const std::string written = value ? word(key, value) : *fallback;
  const std::string given_word(present_word(here_->path_of(key), written));
  if (given_word != written)
    document_->add_note(renamed_note(document_->origins().place_of(*value.node),
                                     here_->path_of(key) + " " + toml_string(written), toml_string(given_word)));
  if (value)
    checked(value, here_->path_of(key), [&](const toml::node&) { return to_choice(given_word, allowed_words); });
  const bool is_set = std::find(allowed_words.begin(), allowed_words.end(), given_word) != allowed_words.end();
  const std::string meaning = fmt::format("{}{}one of {}", about, about.empty() ? "" : "; ", listed(allowed_words));
  remember(key, is_set ? toml_string(given_word) : "", "", meaning, bool(value)).declared =
      asked_choice(allowed_words, fallback, about);
  return given_word;
}

std::string TomlInput::text(std::string_view key, std::optional<std::string> fallback, std::string_view about) {
  const Value value = find(key, !fallback, "a text", about);
  const std::string result = value ? word(key, value) : *fallback;
  remember(key, toml_string(result), "", about, bool(value)).declared = asked_text(fallback, about);
  return result;
}

std::vector<Real> TomlInput::numbers(std::string_view key, Dimension dimension, Range range, std::size_t size,
                                     std::optional<std::vector<Real>> fallback, std::string_view about) {
  const std::string path = here_->path_of(key);
  const std::string what = (size ? fmt::format("a list of {}, each ", size) : "a list, each ") + describe(dimension);
  const Value value = find(key, !fallback, what, about);
  std::vector<Real> result;
  if (value) {
    const toml::array* array = checked(value, path, [&](const toml::node& node) {
      if (!node.is_array())
        throw BadValue{fmt::format("expected {}; found {}", what, found(node)), "write [a, b, ...]"};
      if (size && node.as_array()->size() != size)
        throw BadValue{fmt::format("expected {}; found {}", what, found(node)), {}};
      return node.as_array();
    });
    for (std::size_t i = 0; i < array->size(); ++i) {
      const std::string place = fmt::format("{}[{}]", path, i);
      const Value element = resolve({array->get(i), value.parameter}, place);
      result.push_back(
          checked(element, place, [&](const toml::node& node) { return to_quantity(node, dimension, range); }));
    }
  } else {
    result = *fallback;
  }

  bool is_set = size == 0 || result.size() == size;
  std::vector<std::string> parts;
  for (const Real x : result) {
    is_set = is_set && std::isfinite(x) && contains(range, x);
    parts.push_back(toml_quantity(x, dimension));
  }
  remember(key, is_set ? "[" + listed(parts) + "]" : "", unit_beside(dimension), about, bool(value)).declared =
      asked_numbers(dimension, range, size, fallback, about);
  return result;
}

std::string TomlInput::file(std::string_view key, std::string_view about) {
  const Value value = find(key, true, "the name of a file", about);
  const std::string path = word(key, value);
  remember(key, toml_string(path), "", about, true).declared = asked_file(about);
  return checked(value, here_->path_of(key), [&](const toml::node&) {
    if (!document_->read())
      throw BadValue{fmt::format("cannot read '{}': this scene may not name other files", path), {}};
    try {
      return document_->read()(path);
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const std::exception& error) {
      throw BadValue{fmt::format("cannot read '{}': {}", path, error.what()),
                     "names are looked for in the scene's folder, then where the program was started"};
    }
  });
}

// ---- tables --------------------------------------------------------------------------------------------------------

bool TomlInput::has(std::string_view key) const {
  if (std::find(here_->tested.begin(), here_->tested.end(), key) == here_->tested.end())
    here_->tested.emplace_back(key);
  return bool(given(key));
}

void TomlInput::pass(std::string_view key) {
  const toml::node* node = given(key).node;
  if (!node || reference_of(*node).empty()) return;
  resolve(given(key), here_->path_of(key));
  here_->passed.emplace_back(key);
}

// The record of a table below this one, whether the scene has it or not.
RequestedTable& TomlInput::open(std::string_view key, std::string_view about) {
  const toml::node* node = given(key).node;
  if (node && !node->is_table())
    fail(key, "expected a table, found " + found(*node),
         node->is_array_of_tables() ? fmt::format("write [{}] instead of [[{}]]", key, key)
                                    : fmt::format("write [{}] and its entries below it", here_->path_of(key)));
  RequestedKey& entry = here_->entry(key);
  entry.kind = RequestedKey::Kind::table;
  entry.is_given = node != nullptr;
  if (entry.about.empty()) entry.about = about;
  if (entry.tables.empty()) {
    auto below = std::make_unique<RequestedTable>();
    below->path = here_->path_of(key);
    below->given = node ? node->as_table() : nullptr;
    below->place = node ? document_->origins().place_of(*node) : here_->place;
    entry.tables.push_back(std::move(below));
  }
  return *entry.tables.front();
}

std::unique_ptr<Input> TomlInput::table(std::string_view key, bool required, std::string_view about) {
  if (required && !given(key)) miss(key, "a table", about);
  return std::unique_ptr<Input>(new TomlInput(document_, open(key, about)));
}

std::vector<std::unique_ptr<Input>> TomlInput::tables(std::string_view key, std::string_view about) {
  const toml::node* node = given(key).node;
  const toml::array* array = node ? node->as_array() : nullptr;
  if (node && (!array || (!array->empty() && !node->is_array_of_tables())))
    fail(key, "expected an array of tables, found " + found(*node),
         fmt::format("write [[{}]] before the entries of each", here_->path_of(key)));
  RequestedKey& entry = here_->entry(key);
  entry.kind = RequestedKey::Kind::tables;
  entry.is_given = node != nullptr;
  entry.about = about;
  for (std::size_t i = entry.tables.size(); array && i < array->size(); ++i) {
    auto below = std::make_unique<RequestedTable>();
    below->path = fmt::format("{}[{}]", here_->path_of(key), i);
    below->given = (*array)[i].as_table();
    below->place = document_->origins().place_of((*array)[i]);
    entry.tables.push_back(std::move(below));
  }
  std::vector<std::unique_ptr<Input>> out;
  for (const auto& below : entry.tables) out.emplace_back(new TomlInput(document_, *below));
  return out;
}

std::vector<std::string> TomlInput::names(std::string_view key, std::string_view about) {
  RequestedTable& below = open(key, about);
  below.lists_names = true;
  std::vector<std::string> out;
  if (!below.given) return out;
  for (const auto& [name, node] : in_file_order(*below.given)) {
    if (!node->is_table())
      TomlInput(document_, below)
          .fail(name->str(), "expected a table, found " + found(*node),
                fmt::format("write [{}.NAME] and its entries below it", below.path));
    out.emplace_back(name->str());
  }
  return out;
}

std::vector<std::pair<std::string, std::string>> TomlInput::entries(std::string_view key, std::string_view about) {
  RequestedTable& below = open(key, about);
  std::vector<std::pair<std::string, std::string>> out;
  if (!below.given) return out;
  TomlInput in(document_, below);
  for (const auto& [name, node] : in_file_order(*below.given)) {
    const std::string entry(name->str());
    const Value value = in.resolve({node, {}}, below.path_of(entry));
    if (!value.node->is_value()) in.fail(entry, "expected one value, found " + found(*value.node), "");
    out.emplace_back(entry, written(*value.node));
    in.remember(entry, out.back().second, "", "", true);
  }
  return out;
}

// ---- the whole scene -----------------------------------------------------------------------------------------------

void TomlInput::fail(std::string_view key, std::string_view reason, std::string_view hint) const {
  Place place = here_->place;
  if (const toml::node* node = given(key).node) {
    const std::string parameter = reference_of(*node);
    const toml::node* value = parameter.empty() ? node : document_->parameters().value(parameter);
    place = document_->origins().place_of(value ? *value : *node);
  }
  throw InputError(place.file, place.line, here_->path_of(key), std::string(reason), std::string(hint));
}

void TomlInput::finish() const { document_->finish(); }
std::string TomlInput::resolved() const { return document_->resolved(); }
const RequestedTable& TomlInput::requested() const { return document_->requested(); }
const std::vector<std::string>& TomlInput::notes() const { return document_->notes(); }
std::vector<Parameter> TomlInput::parameters() const { return document_->parameters().list(); }

}  // namespace talus
