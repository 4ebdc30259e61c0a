#pragma once
// SI values in the units an engineer reads: kPa, mm, percent; numbers with a sensible count of digits.
#include <string>
#include <string_view>
#include <vector>

namespace talus::report {

inline constexpr std::string_view not_reached = "not reached";  // begins the text of a figure without a value

// shown = factor * SI value, in `unit`.
struct Scale {
  double factor = 1;
  std::string unit;  // empty: a pure number
};

// The unit in which values up to `size` (SI, absolute) read well: Pa becomes kPa from 1 kPa to 10 MPa, m becomes mm
// from 0.01 mm to 1 m.
Scale pick_scale(std::string_view unit, double size);
bool varies(const std::vector<double>& values);     // do the finite ones differ?
double largest(const std::vector<double>& values);  // absolute, of the finite ones; 0 if none

std::string axis_label(std::string_view what, const Scale& scale);  // "q (kPa)"

std::vector<double> round_ticks(double low, double high);  // four to eight multiples of 1, 2 or 5 times a power of ten

std::string format_number(double value, int digits = 4);  // 0.3851, 12 345, 3.2·10⁻⁵
// These two take SI values and SI units.
std::string format_quantity(double value, std::string_view unit);
std::string format_spread(double mean, double deviation, std::string_view unit);  // 262.1 ± 3.4 kPa

}  // namespace talus::report
