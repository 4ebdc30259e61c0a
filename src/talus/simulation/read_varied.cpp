// What --vary states.
#include <charconv>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include <talus/core/input_error.hpp>
#include <talus/core/quantity.hpp>
#include <talus/core/utf8.hpp>
#include <talus/simulation/sweep.hpp>

namespace talus::simulation {
namespace {

constexpr const char* both_ways = "write NAME=A,B,C, as in friction=0.2,0.5; or NAME=LOW:HIGH:COUNT, as in confining=50kPa:200kPa:4";
constexpr i64 most_values = 1000;

[[noreturn]] void refuse(const std::string& text, const std::string& why, const std::string& hint = both_ways) {
  throw InputError("", 0, "--vary " + shortened(text, 200), why, hint);
}

std::vector<std::string> split(std::string_view text, char at) {
  std::vector<std::string> out;
  for (std::size_t end; (end = text.find(at)) != std::string_view::npos; text.remove_prefix(end + 1)) out.emplace_back(text.substr(0, end));
  out.emplace_back(text);
  for (std::string& part : out) {
    while (part.starts_with(' ')) part.erase(0, 1);
    while (part.ends_with(' ')) part.pop_back();
  }
  return out;
}

bool is_quantity(const std::string& text) {
  try {
    parse_quantity(text);
    return true;
  } catch (const std::invalid_argument&) { return false; }
}

bool is_same(const std::string& a, const std::string& b) {
  if (a == b || !is_quantity(a) || !is_quantity(b)) return a == b;
  const Quantity x = parse_quantity(a), y = parse_quantity(b);
  return x.value == y.value && x.dimension == y.dimension;
}

// The unit as it is written, for values between two ends that share it.
std::string unit_in(const std::string& text) {
  double number = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), number).ptr;
  std::string unit(end, text.data() + text.size());
  while (unit.starts_with(' ')) unit.erase(0, 1);
  return unit;
}

// Ten digits: the ends and round numbers between them are what a person would write.
std::string number(double value) { return fmt::format("{:.10g}", value); }

std::vector<std::string> range_of(const std::string& text, const std::vector<std::string>& parts) {
  if (parts.size() != 3) refuse(text, fmt::format("a range has three parts, this has {}", parts.size()));
  for (const std::string& end : {parts[0], parts[1]})
    if (!is_quantity(end)) refuse(text, "'" + end + "' is no number");
  const Quantity low = parse_quantity(parts[0]), high = parse_quantity(parts[1]);
  if (low.dimension != high.dimension || low.has_unit != high.has_unit)
    refuse(text, fmt::format("'{}' and '{}' differ in their kind of unit", parts[0], parts[1]), "write both ends with a unit of one kind");
  i64 count = 0;
  const auto [end, status] = std::from_chars(parts[2].data(), parts[2].data() + parts[2].size(), count);
  if (status != std::errc{} || end != parts[2].data() + parts[2].size() || count < 2 || count > most_values)
    refuse(text, fmt::format("'{}' is not a count from 2 to {}", parts[2], most_values));
  if (low.value == high.value) refuse(text, "the two ends are the same");
  const std::string unit = unit_in(parts[0]);
  const bool shared = unit == unit_in(parts[1]);
  const double scale = !shared || !low.has_unit ? 1 : parse_quantity("1 " + unit).value;
  const std::string word = !low.has_unit ? "" : shared ? unit : si_name(low.dimension);
  std::vector<std::string> out{shared ? parts[0] : number(low.value) + word};
  for (i64 k = 1; k + 1 < count; ++k) out.push_back(number((low.value + (high.value - low.value) * Real(k) / Real(count - 1)) / scale) + word);
  out.push_back(shared ? parts[1] : number(high.value) + word);
  return out;
}

}  // namespace

Varied read_varied(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) refuse(text, "does not say which values");
  Varied v{split(text.substr(0, equals), '=').front(), split(text.substr(equals + 1), ',')};
  if (v.name.empty()) refuse(text, "has no name");
  if (v.values == std::vector<std::string>{""}) refuse(text, "has no values");
  bool has_range = false;
  for (const std::string& value : v.values) {
    if (value.empty()) refuse(text, "has an empty value");
    has_range = has_range || (value.find(':') != std::string::npos && is_quantity(split(value, ':').front()));
  }
  if (has_range && v.values.size() > 1) refuse(text, "mixes a list with a range");
  if (has_range) v.values = range_of(text, split(v.values.front(), ':'));
  for (std::size_t k = 0; k < v.values.size(); ++k)
    for (std::size_t l = 0; l < k; ++l)
      if (is_same(v.values[k], v.values[l])) refuse(text, fmt::format("has a value twice: '{}' and '{}'", v.values[l], v.values[k]), "keep one of them");
  return v;
}

}  // namespace talus::simulation
