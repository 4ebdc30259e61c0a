#include <talus/scene/toml_text.hpp>

#include <algorithm>

#include <fmt/format.h>

namespace talus {
namespace {

bool is_bare(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

bool is_control(char c) { return (c >= 0 && c < 32) || c == 127; }

// Degrees with the fewest digits that give the same radians; none for an angle that is not round in degrees.
std::string degrees(Real radians) {
  for (int digits = 1; digits <= 15; ++digits) {
    const Real rounded = parse_quantity(fmt::format("{:.{}g}", radians / pi * 180, digits)).value;
    const std::string text = fmt::format("{} deg", rounded);
    if (parse_quantity(text).value == radians) return text;
  }
  return {};
}

}  // namespace

std::string toml_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      out += '\\', out += c;
    else if (c == '\n')
      out += "\\n";
    else if (c == '\t')
      out += "\\t";
    else if (is_control(c))
      out += fmt::format("\\u{:04X}", static_cast<unsigned>(c));
    else
      out += c;
  }
  return out + '"';
}

std::string toml_key(std::string_view key) {
  return !key.empty() && std::all_of(key.begin(), key.end(), is_bare) ? std::string(key) : toml_string(key);
}

std::string toml_float(Real value) {
  std::string out = fmt::format("{}", value);
  if (out.find_first_of(".en") == std::string::npos) out += ".0";  // n: nan and inf have no digits
  return out;
}

std::string toml_comment(std::string_view text) {
  std::string out(text);
  std::replace_if(out.begin(), out.end(), is_control, ' ');
  return out;
}

std::string unit_beside(const Dimension& dimension) {
  const bool is_inside = dimension == dim::angle || dimension == dim::temperature;
  return dimension == dim::none || is_inside ? "" : si_name(dimension);
}

std::string toml_quantity(Real value, const Dimension& dimension) {
  if (dimension == dim::temperature) return toml_string(fmt::format("{} K", value));
  if (dimension != dim::angle) return toml_float(value);
  const std::string round = degrees(value);
  return toml_string(round.empty() ? fmt::format("{} rad", value) : round);
}

}  // namespace talus
