#include <talus/core/quantity.hpp>

#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <talus/core/column_unit.hpp>
#include <talus/core/nearest.hpp>

namespace talus {
namespace {

[[noreturn]] void refuse(const std::string& sentence) { throw std::invalid_argument(sentence); }

std::string quoted(std::string_view text) { return "'" + std::string(text) + "'"; }

// ---- the units -----------------------------------------------------------------------------------------------------

// value in SI = value * times / over * 10^decimal. The power of ten is kept apart: it goes into the exponent of the
// number before it is read, so that a prefix rounds nothing.
struct Unit {
  std::string_view name, prefixes;
  Dimension dimension;
  int decimal = 0;
  Real times = 1, over = 1;
};

// Only prefixes that occur in our field: "0.44 Mm" is a slip, not a megametre.
constexpr std::array units{
    Unit{"m", "numcdk", dim::length},      Unit{"g", "numkM", dim::mass, -3}, Unit{"t", "k", dim::mass, 3},
    Unit{"s", "num", dim::time},           Unit{"min", "", dim::time, 0, 60}, Unit{"h", "", dim::time, 0, 3600},
    Unit{"d", "", dim::time, 0, 86400},    Unit{"N", "numkMG", dim::force},   Unit{"Pa", "umhkMGT", dim::pressure},
    Unit{"bar", "mk", dim::pressure, 5},   Unit{"J", "pnumkMG", dim::energy}, Unit{"W", "numkMG", {1, 2, -3}},
    Unit{"Hz", "mkMG", dim::rate},         Unit{"K", "mu", dim::temperature}, Unit{"L", "um", dim::volume, -3},
    Unit{"l", "um", dim::volume, -3},      Unit{"rad", "m", dim::angle},      Unit{"deg", "", dim::angle, 0, pi, 180},
    Unit{"rpm", "", dim::spin, 0, pi, 30}, Unit{"%", "", dim::none, -2},      Unit{"ppm", "", dim::none, -6},
};

constexpr std::string_view prefix_letters = "pnumcdhkMGT";
constexpr std::array prefix_powers{-12, -9, -6, -3, -2, -1, 2, 3, 6, 9, 12};
static_assert(prefix_powers.size() == prefix_letters.size());

// What a mistyped unit is compared with: the ones in daily use, the commoner first among those that differ in case only.
const std::vector<std::string>& usual_units() {
  static const std::vector<std::string> names{"m",  "mm",  "um",  "nm",   "cm",  "km",  "kg",  "g",   "mg",  "ug", "t",
                                              "s",  "ms",  "us",  "min",  "h",   "d",   "N",   "kN",  "mN",  "MN", "uN",
                                              "Pa", "kPa", "MPa", "GPa",  "hPa", "bar", "J",   "mJ",  "kJ",  "W",  "kW",
                                              "Hz", "kHz", "K",   "degC", "L",   "mL",  "deg", "rad", "rpm", "%"};
  return names;
}

Unit find_unit(std::string_view name) {
  for (const Unit& unit : units)
    if (unit.name == name) return unit;
  for (Unit unit : units) {
    if (name.size() != unit.name.size() + 1 || !name.ends_with(unit.name)) continue;
    if (unit.prefixes.find(name.front()) == std::string_view::npos) continue;
    unit.decimal += prefix_powers[prefix_letters.find(name.front())];
    return unit;
  }
  if (name == "degC") refuse("'degC' has an offset and stands alone; use 'K' inside a compound unit");

  const auto meant = nearest(name, usual_units());
  if (meant) refuse(quoted(name) + " is not a known unit; did you mean " + quoted(*meant) + "?");
  std::string all;
  for (const Unit& unit : units) all += (all.empty() ? "" : " ") + std::string(unit.name);
  refuse(quoted(name) + " is not a known unit; known are, with the usual prefixes: " + all + " degC");
}

// ---- spelling ------------------------------------------------------------------------------------------------------

// Typographic signs in plain letters: micro and degree signs, raised digits, dots and minus signs, thin spaces.
std::string plain(std::string_view text) {
  static const std::array<std::pair<std::string_view, std::string_view>, 21> signs{{
      {"\u00b5", "u"},  {"\u03bc", "u"},  {"\u00b0", "deg"}, {"\u00b7", "*"},  {"\u22c5", "*"},    {"\u2212", "-"},
      {"\u00a0", " "},  {"\u2009", " "},  {"\u202f", " "},   {"\u207b", "^-"}, {"\u00b9", "^1"},   {"\u00b2", "^2"},
      {"\u00b3", "^3"}, {"\u2074", "^4"}, {"\u2075", "^5"},  {"\u2076", "^6"}, {"\u2103", "degC"}, {"\u2070", "^0"},
      {"\u2077", "^7"}, {"\u2078", "^8"}, {"\u2079", "^9"},
  }};
  std::string out;
  while (!text.empty()) {
    std::size_t taken = 0;
    for (const auto& [sign, letters] : signs)
      if (text.starts_with(sign)) out += letters, taken = sign.size();
    if (taken == 0) out += text.front() == '\t' ? ' ' : text.front(), taken = 1;
    text.remove_prefix(taken);
  }
  for (std::size_t at; (at = out.find("^-^")) != std::string::npos;) out.erase(at + 2, 1);  // a raised minus and digit
  while (out.starts_with(' ')) out.erase(0, 1);
  while (out.ends_with(' ')) out.pop_back();
  return out;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }
// Bytes above 127 belong to a letter of another script: they stay together so that the message can show it.
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '%' || c == '_' ||
         (static_cast<unsigned char>(c) & 0x80);
}

// ---- the grammar ---------------------------------------------------------------------------------------------------
//   unit    = [product] { '/' factor }
//   product = factor { (' ' | '*' | '.') factor }
//   factor  = '1' | name [power] | '(' unit ')'

struct Scale {
  Dimension dimension;
  int decimal = 0;
  Real times = 1, over = 1;

  void multiply(const Scale& other, int power) {
    dimension.mass += power * other.dimension.mass;
    dimension.length += power * other.dimension.length;
    dimension.time += power * other.dimension.time;
    dimension.temperature += power * other.dimension.temperature;
    dimension.angle += power * other.dimension.angle;
    decimal += power * other.decimal;
    for (int i = 0; i < std::abs(power); ++i) {
      times *= power > 0 ? other.times : other.over;
      over *= power > 0 ? other.over : other.times;
    }
  }
};

class UnitReader {
 public:
  explicit UnitReader(std::string_view text) : text_(text) {}

  Scale read() {
    const Scale scale = unit();
    if (!rest().empty()) refuse(quoted(rest()) + " was left over in the unit " + quoted(text_));
    return scale;
  }

 private:
  std::string_view rest() const { return text_.substr(at_); }
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void skip_spaces() {
    while (peek() == ' ') ++at_;
  }
  bool take(char c) {
    skip_spaces();
    if (peek() != c) return false;
    ++at_;
    return true;
  }

  Scale unit() {
    Scale scale;
    skip_spaces();
    if (peek() != '/') {
      scale.multiply(factor(), 1);
      while (another_factor()) scale.multiply(factor(), 1);
    }
    while (take('/')) {
      scale.multiply(factor(), -1);
      // "W/m K" is read as W/(m K) by some and as (W/m) K by others: we ask instead of choosing.
      if (another_factor())
        refuse("in " + quoted(text_) + " it is not clear whether " + quoted(rest()) +
               " is above or below the line; write parentheses, as in 'W/(m K)', or put it first, as in 'K W/m'");
    }
    return scale;
  }

  bool another_factor() {
    if (take('*') || take('.')) return true;
    skip_spaces();
    return is_letter(peek()) || is_digit(peek()) || peek() == '(';
  }

  Scale factor() {
    skip_spaces();
    if (take('(')) {
      if (++depth_ > deepest) refuse("a unit has at most " + std::to_string(deepest) + " parentheses inside one another");
      const Scale scale = unit();
      --depth_;
      if (!take(')')) refuse("the unit " + quoted(text_) + " lacks a ')'");
      return scale;
    }
    if (peek() == '1' && !is_digit(at_ + 1 < text_.size() ? text_[at_ + 1] : '\0')) return ++at_, Scale{};
    const std::size_t start = at_;
    while (is_letter(peek())) ++at_;
    const std::string_view name = text_.substr(start, at_ - start);
    if (name.empty())
      refuse(rest().empty() ? "the unit " + quoted(text_) + " ends too early"
                            : quoted(rest()) + " is not a unit, in " + quoted(text_));
    const Unit found = find_unit(name);
    Scale scale;
    scale.multiply({found.dimension, found.decimal, found.times, found.over}, power());
    return scale;
  }

  int power() {
    const std::size_t start = at_;
    const bool has_caret = peek() == '^';
    if (has_caret) ++at_;
    int sign = 1;
    if (peek() == '-' || peek() == '+') sign = text_[at_++] == '-' ? -1 : 1;
    const std::size_t digits = at_;
    while (is_digit(peek())) ++at_;
    if (digits == at_ && start == at_) return 1;
    const bool is_fraction = peek() == '.' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1]);
    if (at_ - digits != 1 || is_fraction)
      refuse("powers of units are whole numbers of one digit, as in 'm^3' or 's^-1'; got " + quoted(text_));
    return sign * (text_[digits] - '0');
  }

  static constexpr int deepest = 20;  // each is a call inside the others: a text must not use up the stack

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

// ---- the number ----------------------------------------------------------------------------------------------------

struct Decimal {
  std::string_view mantissa;  // with its sign
  int exponent = 0;
};

// Takes the number off the front of the text.
Decimal take_number(std::string_view& text, std::string_view whole) {
  std::size_t at = 0;
  const auto digits = [&] {
    const std::size_t start = at;
    while (at < text.size() && is_digit(text[at])) ++at;
    return at - start;
  };
  if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
  const std::size_t before = digits();
  const bool has_point = at < text.size() && text[at] == '.';
  if (has_point) ++at;
  const std::size_t after = has_point ? digits() : 0;
  if (before + after == 0) {
    const std::string_view word = text.substr(!text.empty() && (text[0] == '+' || text[0] == '-') ? 1 : 0);
    if (word.starts_with("nan") || word.starts_with("inf")) refuse("the number must be finite, got " + quoted(whole));
    refuse("expected a number with an optional unit, such as '600 kPa'; got " + quoted(whole));
  }
  Decimal out{text.substr(0, at)};
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    std::size_t from = at + 1;
    if (from < text.size() && text[from] == '+') ++from;
    int exponent = 0;
    const auto [end, status] = std::from_chars(text.data() + from, text.data() + text.size(), exponent);
    if (status == std::errc::result_out_of_range || std::abs(exponent) > 9999)
      refuse("the exponent of " + quoted(whole) + " is out of reach");
    if (status == std::errc{}) out.exponent = exponent, at = static_cast<std::size_t>(end - text.data());
  }
  text.remove_prefix(at);
  if (text.starts_with(','))
    refuse("the decimal sign is a point: write " +
           quoted(std::string(out.mantissa) + "." + std::string(text.substr(1))) + " instead of " + quoted(whole));
  if (text.starts_with('_') || text.starts_with('\''))
    refuse("digits are not grouped inside a quantity: write " + quoted(whole) + " without separators");
  return out;
}

Real scaled(const Decimal& number, int decimal, std::string_view whole) {
  std::string digits(number.mantissa);
  if (digits.starts_with('+')) digits.erase(0, 1);
  digits += "e" + std::to_string(number.exponent + decimal);
  Real value = 0;
  const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  (void)end;
  if (status != std::errc{}) refuse("the number " + quoted(whole) + " is too large or too small to be held");
  return value;
}

ColumnUnit unit_of(std::string_view name) {
  if (name == "degC") return {dim::temperature, 0, 1, 1, 273.15};
  Scale scale = UnitReader(name).read();
  if (scale.dimension != dim::angle) scale.dimension.angle = 0;
  return {scale.dimension, scale.decimal, scale.times, scale.over, 0};
}

Real converted(const Decimal& number, const ColumnUnit& unit, std::string_view whole) {
  const Real plain_value = scaled(number, unit.decimal, whole) * unit.times / unit.over;
  const Real value = unit.offset != 0 ? plain_value + unit.offset : plain_value;  // a zero keeps its sign
  if (unit.offset != 0 && value < 0) refuse(quoted(whole) + " is below absolute zero (-273.15 degC)");
  if (!std::isfinite(value)) refuse("the number " + quoted(whole) + " is too large to be held");
  return value;
}

// ---- names of dimensions -------------------------------------------------------------------------------------------

struct Named {
  Dimension dimension;
  std::string_view unit, noun;
};

constexpr std::array named{
    Named{dim::length, "m", "a length"},
    Named{dim::mass, "kg", "a mass"},
    Named{dim::time, "s", "a time"},
    Named{dim::temperature, "K", "a temperature"},
    Named{dim::angle, "rad", "an angle"},
    Named{dim::area, "m^2", "an area"},
    Named{dim::volume, "m^3", "a volume"},
    Named{dim::speed, "m/s", "a speed"},
    Named{dim::acceleration, "m/s^2", "an acceleration"},
    Named{dim::rate, "1/s", "a rate"},
    Named{dim::force, "N", "a force"},
    Named{dim::pressure, "Pa", "a pressure"},
    Named{{1, -1, -3}, "Pa/s", "a pressure rate"},
    Named{{-1, 1, 2}, "1/Pa", "a compressibility"},
    Named{dim::stiffness, "N/m", "a stiffness"},
    Named{{1, -2, -2}, "N/m^3", "a stiffness per area"},
    Named{dim::density, "kg/m^3", "a density"},
    Named{dim::energy, "J", "an energy"},
    Named{{1, 2, -3}, "W", "a power"},
    Named{dim::viscosity, "Pa s", "a viscosity"},
    Named{{0, 2, -1}, "m^2/s", "a diffusivity"},
    Named{{1, 1, -3, -1}, "W/(m K)", "a thermal conductivity"},
    Named{{0, 2, -2, -1}, "J/(kg K)", "a specific heat"},
    Named{{0, 2, -2}, "J/kg", "an energy per mass"},
};

std::string base_units(const Dimension& d) {
  const std::array<std::pair<std::string_view, int>, 5> bases{
      {{"kg", d.mass}, {"m", d.length}, {"s", d.time}, {"K", d.temperature}, {"rad", d.angle}}};
  const auto product = [&](int sign, int& count) {
    std::string out;
    for (const auto& [name, power] : bases) {
      if (power * sign <= 0) continue;
      out += (out.empty() ? "" : " ") + std::string(name);
      if (power * sign > 1) out += "^" + std::to_string(power * sign);
      ++count;
    }
    return out;
  };
  int above = 0, below = 0;
  const std::string top = product(1, above), bottom = product(-1, below);
  const std::string start = above ? top : "1";
  if (below == 0) return start;
  return start + (below > 1 ? "/(" + bottom + ")" : "/" + bottom);
}

}  // namespace

Quantity parse_quantity(std::string_view text) {
  constexpr std::size_t longest = 500;
  if (text.size() > longest) refuse("a number with its unit has at most " + std::to_string(longest) + " characters");
  const std::string clean = plain(text);
  std::string_view rest = clean;
  const Decimal number = take_number(rest, text);
  while (rest.starts_with(' ')) rest.remove_prefix(1);

  if (rest.empty()) return {scaled(number, 0, text), dim::none, false};
  const ColumnUnit unit = unit_of(rest);
  return {converted(number, unit, text), unit.dimension, true};
}

ColumnUnit ColumnUnit::read(std::string_view unit) { return unit_of(plain(unit)); }

Real ColumnUnit::value(std::string_view number) const {
  std::string_view rest = number;
  const Decimal decimal_number = take_number(rest, number);
  if (!rest.empty()) refuse(quoted(number) + " is not a number");
  return converted(decimal_number, *this, number);
}

std::string si_name(const Dimension& dimension) {
  for (const Named& name : named)
    if (name.dimension == dimension) return std::string(name.unit);
  return base_units(dimension);
}

std::string describe(const Dimension& dimension) {
  if (dimension == dim::none) return "a plain number";
  for (const Named& name : named)
    if (name.dimension == dimension) return std::string(name.noun) + " (" + std::string(name.unit) + ")";
  return "a quantity in " + base_units(dimension);
}

}  // namespace talus
