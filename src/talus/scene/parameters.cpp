#include <talus/scene/parameters.hpp>

#include <algorithm>
#include <optional>
#include <stdexcept>

#include <fmt/format.h>

#include <talus/core/input_error.hpp>
#include <talus/core/nearest.hpp>
#include <talus/scene/toml_value.hpp>

namespace talus {
namespace {

const std::vector<std::string> known_fields{"default", "about", "min", "max", "choices"};

[[noreturn]] void refuse(const Place& place, const std::string& key, const std::string& reason,
                         const std::string& hint = {}) {
  throw InputError(place.file, place.line, key, reason, hint);
}

std::optional<Quantity> as_quantity(const toml::node& node) {
  if (const auto number = node.value_exact<i64>()) return Quantity{static_cast<Real>(*number), dim::none, false};
  if (const auto number = node.value_exact<double>()) return Quantity{*number, dim::none, false};
  if (!node.is_string()) return std::nullopt;
  try {
    return parse_quantity(node.as_string()->get());
  } catch (const std::invalid_argument&) { return std::nullopt; }
}

// One declaration with its limits, which both its default and a value from the command line must respect.
class Declaration {
 public:
  Declaration(std::string name, const toml::node& node, const Place& place, const Origins& origins)
      : name_(std::move(name)), key_("parameters." + name_), origins_(origins) {
    const toml::table* table = node.as_table();
    if (!table) {
      const std::string hint = origins.setting_of(node)
                                   ? fmt::format("write --set {}=... to give the parameter a value", name_)
                                   : fmt::format("write {} = {{default = {}, about = \"...\"}}", name_, written(node));
      refuse(place, key_, "a parameter is declared with its default and its meaning, found " + found(node), hint);
    }
    for (const auto& [key, below] : *table) check_field(key, below);
    default_ = table->get("default");
    if (!default_) refuse(place, key_, "has no default", "add default = ..., with its unit");
    const toml::node* meaning = table->get("about");
    if (!meaning) refuse(place, key_, "does not say what it means", "add about = \"one line of meaning\"");
    if (!meaning->is_string())
      refuse(origins.place_of(*meaning), key_ + ".about", "expected text, found " + found(*meaning));
    about_ = meaning->as_string()->get();
    quantity_ = as_quantity(*default_);
    read_limits(*table);
    check(*default_);
  }

  const std::string& about() const { return about_; }
  const toml::node& fallback() const { return *default_; }

  std::string allowed_values() const {
    if (choices_) return listed(choice_words());
    return has_range_ ? allowed(range_, dimension_) : "";
  }

  // A plain number is SI, which is seldom what is meant where the default has another unit.
  std::string doubt(const toml::node& value, const std::string& setting) const {
    const auto got = as_quantity(value);
    if (!got || got->has_unit || got->value == 0 || !quantity_ || !quantity_->has_unit || dimension_ == dim::none) return "";
    return fmt::format("{}: read as {} {}; the default has a unit, {}", setting, written(value), si_name(dimension_), written(*default_));
  }

  void check(const toml::node& value) const {
    const Place place = origins_.place_of(value);
    if (const std::string other = reference_of(value); !other.empty())
      refuse(place, key_, fmt::format("refers to the parameter '{}'; a parameter has a value of its own", other));
    if (value.is_table() || value.is_array_of_tables())
      refuse(place, key_, "expected a number, a text, true or false, or a list; found " + found(value));
    try {
      if (choices_)
        check_choice(value);
      else if (quantity_)
        check_quantity(value);
      else if (default_->is_boolean())
        to_flag(value);
      else if (default_->is_array() && !value.is_array())
        throw BadValue{fmt::format("expected a list like its default {}, found {}", written(*default_), found(value)),
                       {}};
    } catch (const BadValue& bad) {
      const Setting* setting = origins_.setting_of(value);
      if (setting && setting->value.find(',') != std::string::npos)
        refuse(place, key_, fmt::format("expected one value, found '{}'", setting->value),
               fmt::format("for several values: talus sweep SCENE --vary {}={}; the decimal sign is a point", name_, setting->value));
      refuse(place, key_, bad.reason, bad.hint.empty() ? "meaning: " + about_ : bad.hint);
    }
  }

 private:
  void check_field(const toml::key& key, const toml::node& value) const {
    const std::string field(key.str());
    if (std::find(known_fields.begin(), known_fields.end(), field) != known_fields.end()) return;
    const auto meant = nearest(field, known_fields);
    refuse(
        origins_.place_of_key(key, value), key_ + "." + field, "unknown key",
        meant ? fmt::format("did you mean '{}'?", *meant)
              : "a parameter has: " + listed(known_fields) + "; a unit is written with the default, as in \"600 kPa\"");
  }

  void read_limits(const toml::table& table) {
    if (const toml::node* choices = table.get("choices")) {
      choices_ = choices->as_array();
      if (!choices_ || choices_->empty())
        refuse(origins_.place_of(*choices), key_ + ".choices", "expected a list of values, found " + found(*choices));
    }
    if (quantity_) dimension_ = quantity_->dimension;
    const auto limit = [&](const char* field, Real& bound) {
      const toml::node* node = table.get(field);
      if (!node) return;
      const Place place = origins_.place_of(*node);
      const std::string key = key_ + "." + field;
      if (!quantity_) refuse(place, key, "only numbers have limits; the default is " + found(*default_));
      const auto value = as_quantity(*node);
      if (!value || (value->has_unit && value->dimension != dimension_))
        refuse(place, key, fmt::format("expected {} like the default, found {}", describe(dimension_), found(*node)));
      bound = value->value;
      has_range_ = true;
    };
    limit("min", range_.low);
    limit("max", range_.high);
    if (range_.low > range_.high) refuse(origins_.place_of(table), key_, "min is greater than max");
  }

  std::vector<std::string> choice_words() const {
    std::vector<std::string> words;
    for (const toml::node& choice : *choices_)
      words.push_back(choice.is_string() ? choice.as_string()->get() : written(choice));
    return words;
  }

  void check_choice(const toml::node& value) const {
    const auto number = as_quantity(value);
    for (const toml::node& choice : *choices_) {
      const auto other = as_quantity(choice);
      if (number && other && number->value == other->value) return;
    }
    to_choice(value.is_string() ? value.as_string()->get() : written(value), choice_words());
  }

  // Plain numbers are SI. Whether an angle may come without a unit is decided where the value is used.
  void check_quantity(const toml::node& value) const {
    const auto got = as_quantity(value);
    const bool is_plain = got && !got->has_unit;
    if (is_plain && contains(range_, got->value)) return;
    // A default without a unit says nothing about the dimension: "3 mm" may be what the entries expect.
    const bool has_dimension = quantity_->has_unit || has_range_;
    if (got && !has_dimension) return;
    if (is_plain) throw BadValue{fmt::format("must be {}, got {}", allowed(range_, dimension_), written(value)), {}};
    to_quantity(value, dimension_, range_);
  }

  std::string name_, key_, about_;
  const Origins& origins_;
  const toml::node* default_ = nullptr;
  std::optional<Quantity> quantity_;  // the default, when it is a number
  const toml::array* choices_ = nullptr;
  Dimension dimension_{};
  Range range_{};
  bool has_range_ = false;
};

void collect_references(const toml::node& node, std::vector<std::string>& out) {
  if (const toml::table* table = node.as_table())
    for (const auto& [key, below] : *table) collect_references(below, out);
  if (const toml::array* array = node.as_array())
    for (const toml::node& below : *array) collect_references(below, out);
  if (const std::string name = reference_of(node); !name.empty()) out.push_back(name);
}

}  // namespace

Parameters::Parameters(const toml::table* declared, const toml::table& set_values, const Origins& origins) {
  if (!declared) return;
  for (const auto& [key, node] : in_file_order(*declared)) {
    const std::string name(key->str());
    const Place place = origins.place_of_key(*key, *node);
    const Declaration declaration(name, *node, place, origins);
    const toml::node* set = set_values.get(name);
    if (set) declaration.check(*set);
    const toml::node& value = set ? *set : declaration.fallback();
    list_.push_back({name, declaration.about(), written(value), written(declaration.fallback()),
                     declaration.allowed_values(), set != nullptr, place.line,
                     set ? declaration.doubt(*set, origins.place_of(*set).file) : ""});
    values_.push_back(&value);
  }
}

std::vector<std::string> Parameters::names() const {
  std::vector<std::string> out;
  for (const Parameter& parameter : list_) out.push_back(parameter.name);
  return out;
}

const toml::node* Parameters::value(std::string_view name) const {
  for (std::size_t i = 0; i < list_.size(); ++i)
    if (list_[i].name == name) return values_[i];
  return nullptr;
}

std::string reference_of(const toml::node& node) {
  const auto text = node.as_string();
  return text && text->get().size() > 1 && text->get().front() == '$' ? text->get().substr(1) : "";
}

std::vector<std::string> references_in(const toml::table& root) {
  std::vector<std::string> out;
  for (const auto& [key, node] : root)
    if (key.str() != "parameters") collect_references(node, out);
  return out;
}

}  // namespace talus
