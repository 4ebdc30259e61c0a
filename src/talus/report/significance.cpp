#include <talus/report/significance.hpp>

#include <cmath>
#include <limits>

namespace talus::report {
namespace {

// Regularised incomplete beta function I_x(a, b) by its continued fraction (Lentz), for x < (a + 1)/(a + b + 2).
double beta_fraction(double a, double b, double x) {
  constexpr double tiny = 1e-300;
  double c = 1, d = 1 - (a + b) * x / (a + 1);
  d = 1 / (std::abs(d) < tiny ? tiny : d);
  double out = d;
  for (int m = 1; m < 300; ++m) {
    for (const double k : {m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)), -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))}) {
      d = 1 + k * d;
      c = 1 + k / c;
      d = 1 / (std::abs(d) < tiny ? tiny : d);
      if (std::abs(c) < tiny) c = tiny;
      out *= d * c;
    }
    if (std::abs(d * c - 1) < 1e-15) break;
  }
  const double front = std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log1p(-x));
  return front * out / a;
}

double incomplete_beta(double a, double b, double x) {
  if (!(x > 0)) return 0;
  if (!(x < 1)) return 1;
  return x < (a + 1) / (a + b + 2) ? beta_fraction(a, b, x) : 1 - beta_fraction(b, a, 1 - x);
}

}  // namespace

Spread spread_of(const std::vector<double>& values) {
  Spread s;
  for (const double v : values)
    if (std::isfinite(v)) s.mean += v, ++s.count;
  if (s.count > 0) s.mean /= double(s.count);
  double squares = 0;
  for (const double v : values)
    if (std::isfinite(v)) squares += (v - s.mean) * (v - s.mean);
  if (s.count > 1) s.deviation = std::sqrt(squares / double(s.count - 1));
  return s;
}

double student_tails(double t, double freedom) { return incomplete_beta(freedom / 2, 0.5, freedom / (freedom + t * t)); }

double chance_of_difference(const Spread& a, const Spread& b) {
  const double va = a.deviation * a.deviation / double(a.count), vb = b.deviation * b.deviation / double(b.count);
  if (a.count < 2 || b.count < 2 || !(va + vb > 0)) return std::numeric_limits<double>::quiet_NaN();
  const double freedom = (va + vb) * (va + vb) / (va * va / double(a.count - 1) + vb * vb / double(b.count - 1));
  return student_tails(std::abs(a.mean - b.mean) / std::sqrt(va + vb), freedom);
}

}  // namespace talus::report
