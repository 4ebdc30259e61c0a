#include <talus/report/units.hpp>

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace talus::report {
namespace {

struct Prefix {
  double factor;
  const char* name;
};

// Thousands by SI prefix. `from` and `to` bound the prefixes that are in use for the unit.
Scale prefixed(std::string_view unit, double largest, double from, double to) {
  static constexpr std::array<Prefix, 8> prefixes{
      {{1e-9, "n"}, {1e-6, "µ"}, {1e-3, "m"}, {1, ""}, {1e3, "k"}, {1e6, "M"}, {1e9, "G"}, {1e12, "T"}}};
  const Prefix* best = nullptr;
  for (const Prefix& p : prefixes) {
    if (p.factor < from * 0.999 || p.factor > to * 1.001) continue;
    if (!best || largest >= p.factor * 0.9999) best = &p;
  }
  return {1 / best->factor, best->name + std::string(unit)};
}

std::string superscript(int power) {
  static constexpr std::array<const char*, 10> digit{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string out;
  for (const char c : std::to_string(power)) out += c == '-' ? "⁻" : digit[static_cast<std::size_t>(c - '0')];
  return out;
}

std::string with_unit(std::string number, const std::string& unit) {
  if (unit.empty()) return number;
  return unit == "°" ? number + unit : number + " " + unit;
}

// "12345.6" with thin spaces between thousands; a true minus sign.
std::string group_thousands(const std::string& plain) {
  const bool negative = plain.starts_with('-');
  const std::string body = plain.substr(negative);
  const std::size_t whole = std::min(body.find('.'), body.size());
  std::string out = negative ? "−" : "";
  for (std::size_t k = 0; k < body.size(); ++k) {
    if (whole > 4 && k > 0 && k < whole && (whole - k) % 3 == 0) out += "\u202f";
    out += body[k];
  }
  return out;
}

}  // namespace

Scale pick_scale(std::string_view unit, double size) {
  if (unit == "Pa") return size >= 1e7 ? prefixed(unit, size, 1e6, 1e9) : prefixed(unit, size, 1, 1e3);
  if (unit == "m")
    return size >= 1 ? Scale{1, "m"} : size >= 1e-5 || size == 0 ? Scale{1e3, "mm"} : prefixed(unit, size, 1e-9, 1e-6);
  if (unit == "s") return size >= 1 || size == 0 ? Scale{1, "s"} : prefixed(unit, size, 1e-9, 1e-3);
  if (unit == "N" || unit == "J" || unit == "W")
    return size < 1e-9 ? Scale{1, std::string(unit)} : prefixed(unit, size, 1e-9, 1e9);
  if (unit == "N/m") return {1, "N/m"};
  if (unit == "deg") return {1, "°"};
  if (unit == "1" || unit == "-") return {1, ""};
  return {1, std::string(unit)};
}

bool varies(const std::vector<double>& values) {
  const auto first = std::find_if(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
  return std::any_of(first, values.end(), [&](double v) { return std::isfinite(v) && v != *first; });
}

double largest(const std::vector<double>& values) {
  double out = 0;
  for (const double v : values)
    if (std::isfinite(v)) out = std::max(out, std::abs(v));
  return out;
}

std::string axis_label(std::string_view what, const Scale& scale) {
  return scale.unit.empty() ? std::string(what) : fmt::format("{} ({})", what, scale.unit);
}

std::vector<double> round_ticks(double low, double high) {
  if (!(high > low) || !std::isfinite(low) || !std::isfinite(high - low)) return {std::isfinite(low) ? low : 0};
  const double rough = (high - low) / 5, power = std::pow(10, std::floor(std::log10(rough)));
  const double first = rough / power, step = power * (first < 1.5 ? 1 : first < 3.5 ? 2 : first < 7.5 ? 5 : 10);
  std::vector<double> out;
  // A count, not a sum: beside a large number a step may be nothing, and the sum would stand still.
  constexpr int most = 12;
  const double from = std::ceil(low / step - 1e-9);
  for (int n = 0; n < most && (from + n) * step <= high + 1e-9 * step; ++n) out.push_back((from + n) * step);
  return out;
}

std::string format_number(double value, int digits) {
  if (std::isnan(value)) return "–";
  if (std::isinf(value)) return value > 0 ? "∞" : "−∞";
  if (value == 0) return "0";
  // The power after rounding: 9.9996 with four digits is 10.00.
  const std::string science = fmt::format("{:.{}e}", value, digits - 1);
  const std::size_t e = science.find('e');
  const int power = std::stoi(science.substr(e + 1));
  if (power >= -3 && power < 9) return group_thousands(fmt::format("{:.{}f}", value, std::max(0, digits - 1 - power)));
  return group_thousands(science.substr(0, e)) + "·10" + superscript(power);
}

std::string format_quantity(double value, std::string_view unit) {
  const Scale scale = pick_scale(unit, std::abs(value));
  const bool counts = scale.unit.empty() && value == std::round(value) && std::abs(value) < 1e9;
  if (counts) return group_thousands(fmt::format("{:.0f}", value));
  return with_unit(format_number(scale.factor * value), scale.unit);
}

std::string format_spread(double mean, double deviation, std::string_view unit) {
  const Scale scale = pick_scale(unit, std::abs(mean));
  const double m = scale.factor * mean, s = scale.factor * deviation;
  if (!(s > 1e-9 * std::abs(m)) || !std::isfinite(m)) return format_quantity(mean, unit);
  // Two digits of the deviation set the decimals of both.
  const int decimals = 1 - static_cast<int>(std::floor(std::log10(s)));
  const double top = std::max(std::abs(m), s);
  if (decimals > 6 || decimals < 0 || top >= 1e9)
    return with_unit(format_number(m) + " ± " + format_number(s, 2), scale.unit);
  const auto fixed = [&](double v) { return group_thousands(fmt::format("{:.{}f}", v, decimals)); };
  return with_unit(fixed(m) + " ± " + fixed(s), scale.unit);
}

}  // namespace talus::report
