#include <talus/scene/toml_value.hpp>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <stdexcept>
#include <tuple>

#include <fmt/format.h>

#include <talus/core/nearest.hpp>
#include <talus/scene/toml_text.hpp>

namespace talus {
namespace {

std::string with_unit(Real value, const Dimension& dimension) {
  return dimension == dim::none ? fmt::format("{}", value) : fmt::format("{} {}", value, si_name(dimension));
}

// Angles and temperatures have two units in daily use: a plain number does not say which.
bool must_carry_unit(const Dimension& dimension) { return dimension == dim::angle || dimension == dim::temperature; }

std::string example_of(const Dimension& dimension) {
  if (dimension == dim::none) return "write a plain number, such as 0.5";
  if (dimension == dim::angle) return "write \"30 deg\" or \"0.5 rad\"";
  if (dimension == dim::temperature) return "write \"20 degC\" or \"293 K\"";
  if (dimension == dim::pressure) return "write a number in Pa, or a quantity such as \"600 kPa\"";
  if (dimension == dim::length) return "write a number in m, or a quantity such as \"0.44 mm\"";
  const std::string unit = si_name(dimension);
  return fmt::format("write a number in {}, or a quantity such as \"1 {}\"", unit, unit);
}

Quantity quantity_of(const toml::node& node, const Dimension& dimension) {
  if (const auto integer = node.as_integer()) return {static_cast<Real>(integer->get()), dim::none, false};
  if (const auto real = node.as_floating_point()) return {real->get(), dim::none, false};
  const auto text = node.as_string();
  if (!text)
    throw BadValue{fmt::format("expected {}, found {}", describe(dimension), found(node)), example_of(dimension)};
  try {
    return parse_quantity(text->get());
  } catch (const std::invalid_argument& error) {
    throw BadValue{fmt::format("expected {}: {}", describe(dimension), error.what()), example_of(dimension)};
  }
}

}  // namespace

std::vector<KeyValue> in_file_order(const toml::table& table) {
  std::vector<KeyValue> out;
  for (const auto& [key, value] : table) out.push_back({&key, &value});
  const auto position = [](const KeyValue& entry) {
    const toml::source_position at = entry.key->source().begin;
    return std::tuple{at.line == 0, at.line, at.column};
  };
  std::stable_sort(out.begin(), out.end(),
                   [&](const KeyValue& a, const KeyValue& b) { return position(a) < position(b); });
  return out;
}

std::string found(const toml::node& node) {
  if (node.is_string()) return "text '" + node.as_string()->get() + "'";
  if (node.is_boolean()) return node.as_boolean()->get() ? "true" : "false";
  if (node.is_number()) return "the number " + written(node);
  if (node.is_table()) return "a table";
  if (node.is_array()) {
    if (node.is_array_of_tables()) return "an array of tables";
    return fmt::format("a list of {}", node.as_array()->size());
  }
  return "a date or time, " + written(node);
}

std::string written(const toml::node& node) {
  if (node.is_string()) return toml_string(node.as_string()->get());
  if (node.is_boolean()) return node.as_boolean()->get() ? "true" : "false";
  if (node.is_integer()) return fmt::format("{}", node.as_integer()->get());
  if (node.is_floating_point()) return toml_float(node.as_floating_point()->get());
  if (const toml::array* array = node.as_array()) {
    std::vector<std::string> parts;
    for (const toml::node& element : *array) parts.push_back(written(element));
    return "[" + listed(parts) + "]";
  }
  std::ostringstream out;
  node.visit([&](const auto& concrete) {
    if constexpr (toml::is_value<decltype(concrete)>)
      out << concrete.get();
    else
      out << "{...}";
  });
  return out.str();
}

std::string listed(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : ", ") + word;
  return out;
}

bool contains(const Range& range, Real value) {
  const bool above = range.open_low ? value > range.low : value >= range.low;
  const bool below = range.open_high ? value < range.high : value <= range.high;
  return above && below;
}

std::string allowed(const Range& range, const Dimension& dimension) {
  const bool has_low = std::isfinite(range.low), has_high = std::isfinite(range.high);
  const std::string low = with_unit(range.low, dimension), high = with_unit(range.high, dimension);
  if (has_low && has_high && !range.open_low && !range.open_high) return fmt::format("from {} to {}", range.low, high);
  std::string out;
  if (has_low) out += (range.open_low ? "greater than " : "at least ") + low;
  if (has_low && has_high) out += " and ";
  if (has_high) out += (range.open_high ? "less than " : "at most ") + high;
  return out.empty() ? "any finite number" : out;
}

Real to_quantity(const toml::node& node, const Dimension& dimension, const Range& range) {
  const Quantity got = quantity_of(node, dimension);
  const std::string shown = node.is_string() ? "'" + node.as_string()->get() + "'" : written(node);
  if (!std::isfinite(got.value))
    throw BadValue{fmt::format("expected {}, got {}", describe(dimension), shown), "the number must be finite"};
  if (!got.has_unit && must_carry_unit(dimension))
    throw BadValue{fmt::format("expected {}, got {} without a unit", describe(dimension), shown),
                   example_of(dimension)};
  if (got.has_unit && got.dimension != dimension)
    throw BadValue{fmt::format("expected {}, got {} ({})", describe(dimension), shown,
                               got.dimension == dim::none ? "a plain number" : si_name(got.dimension)),
                   example_of(dimension)};
  if (!contains(range, got.value)) {
    const std::string in_si = got.has_unit ? fmt::format(" ({})", with_unit(got.value, dimension)) : "";
    throw BadValue{fmt::format("must be {}, got {}{}", allowed(range, dimension), shown, in_si), {}};
  }
  return got.value;
}

i64 to_integer(const toml::node& node, i64 low, i64 high) {
  i64 value = 0;
  if (const auto integer = node.as_integer()) {
    value = integer->get();
  } else if (const auto real = node.as_floating_point()) {
    constexpr Real end = 9223372036854775808.;  // 2^63
    if (!std::isfinite(real->get()) || std::abs(real->get()) >= end || real->get() != std::trunc(real->get()))
      throw BadValue{"expected a whole number, got " + written(node), {}};
    value = static_cast<i64>(real->get());
  } else {
    throw BadValue{"expected a whole number, found " + found(node),
                   "write it without quotes or a unit, such as 5000 or 5e3"};
  }
  if (value >= low && value <= high) return value;
  const bool has_low = low != std::numeric_limits<i64>::min(), has_high = high != std::numeric_limits<i64>::max();
  const std::string range = has_low && has_high ? fmt::format("from {} to {}", low, high)
                            : has_low           ? fmt::format("at least {}", low)
                                                : fmt::format("at most {}", high);
  throw BadValue{fmt::format("must be {}, got {}", range, value), {}};
}

bool to_flag(const toml::node& node) {
  if (const auto flag = node.as_boolean()) return flag->get();
  throw BadValue{"expected true or false, found " + found(node), "write true or false, without quotes"};
}

std::string to_text(const toml::node& node) {
  if (const auto text = node.as_string()) return text->get();
  throw BadValue{"expected text, found " + found(node), "put the text in quotes"};
}

std::string to_choice(const std::string& word, const std::vector<std::string>& words) {
  if (std::find(words.begin(), words.end(), word) != words.end()) return word;
  const auto meant = nearest(word, words);
  throw BadValue{fmt::format("must be one of {}; got '{}'", listed(words), word),
                 meant ? fmt::format("did you mean '{}'?", *meant) : ""};
}

}  // namespace talus
