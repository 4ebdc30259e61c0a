#include <talus/lab/creep_fit.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace talus::lab {

namespace {

using Three = std::array<Real, 3>;
using Rows = std::array<Three, 3>;

// Inverse of a symmetric positive 3 x 3 matrix; false where it is singular.
bool invert(const Rows& a, Rows& inverse) {
  const auto minor = [&](std::size_t i, std::size_t j) {
    const std::size_t i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
    return a[i1][j1] * a[i2][j2] - a[i1][j2] * a[i2][j1];
  };
  const Real det = a[0][0] * minor(0, 0) + a[0][1] * minor(0, 1) + a[0][2] * minor(0, 2);
  if (!(det > 1e-14 * a[0][0] * a[1][1] * a[2][2])) return false;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) inverse[j][i] = minor(i, j) / det;
  return true;
}

// For a time T of the Kelvin element the rest is linear: u = x0 + x1 t/t_end + x2 (1 - exp(-t/T)).
struct Linear {
  const std::vector<Real>&t, &u;
  Real end;
  bool holds = false;
  Three x{};
  Rows inverse{};
  Real squares = 0;

  void solve(Real kelvin) {
    Rows a{};
    Three b{};
    const auto basis = [&](Real time) { return Three{1, time / end, -std::expm1(-time / kelvin)}; };
    for (std::size_t k = 0; k < t.size(); ++k) {
      const Three f = basis(t[k]);
      for (std::size_t i = 0; i < 3; ++i) {
        b[i] += f[i] * u[k];
        for (std::size_t j = 0; j < 3; ++j) a[i][j] += f[i] * f[j];
      }
    }
    holds = invert(a, inverse);
    squares = INFINITY;
    if (!holds) return;
    for (std::size_t i = 0; i < 3; ++i) x[i] = inverse[i][0] * b[0] + inverse[i][1] * b[1] + inverse[i][2] * b[2];
    squares = 0;
    for (std::size_t k = 0; k < t.size(); ++k) {
      const Three f = basis(t[k]);
      const Real left = u[k] - x[0] * f[0] - x[1] * f[1] - x[2] * f[2];
      squares += left * left;
    }
  }
};

}  // namespace

CreepResult fit_creep(const std::vector<Real>& time, const std::vector<Real>& overlap, Real force, Real scale) {
  if (time.size() < 6) return {{}, "six points and more are needed for four constants"};
  for (std::size_t k = 1; k < time.size(); ++k)
    if (!(time[k] > time[k - 1])) return {{}, "times do not rise"};
  const Real end = time.back(), first = std::max(time[0], (time[1] - time[0]) / 4);
  Linear at{time, overlap, end};
  const auto squares = [&](Real log_time) { return at.solve(std::exp(log_time)), at.squares; };
  // The sum of squares over the one time left has few minima: a grid, then halving of the interval about its least.
  const Real low = std::log(first / 4), high = std::log(end);
  constexpr int points = 200;
  Real best = low, least = INFINITY;
  for (int k = 0; k <= points; ++k) {
    const Real x = low + (high - low) * k / points, s = squares(x);
    if (s < least) least = s, best = x;
  }
  if (!std::isfinite(least)) return {{}, "all times are alike to the Kelvin element"};
  if (best == low || best == high) return {{}, "the Kelvin element is faster than the first points, or slower than the test"};
  Real width = (high - low) / points;
  for (int k = 0; k < 60; ++k, width /= 1.5)
    for (const Real x : {best - width, best + width})
      if (const Real s = squares(x); s < least) least = s, best = x;
  at.solve(std::exp(best));
  const Real kelvin = std::exp(best);
  if (!(at.x[0] > 0 && at.x[1] > 0 && at.x[2] > 0)) return {{}, "a constant comes out negative: this is no creep of Burgers' model"};

  CreepResult out;
  const Real per = force / scale;
  out.fit.constants = {per / at.x[0], per * end / at.x[1], per / at.x[2], per / at.x[2] * kelvin};
  out.fit.scatter = std::sqrt(at.squares / Real(time.size()));
  // Errors: of the linear part at this time of the Kelvin element; of that time from the curvature of the sum of squares.
  const Real variance = at.squares / Real(time.size() - 4);
  const auto share = [&](std::size_t i) { return std::sqrt(variance * at.inverse[i][i]) / at.x[i]; };
  const std::array<Real, 3> shares{share(0), share(1), share(2)};
  const Real d = 1e-2, curve = (squares(best + d) - 2 * least + squares(best - d)) / (d * d);
  const Real of_time = curve > 0 ? std::sqrt(2 * variance / curve) : INFINITY;
  const MortarConstants& c = out.fit.constants;
  out.fit.error = {c.maxwell_stiffness * shares[0], c.maxwell_viscosity * shares[1], c.kelvin_stiffness * shares[2],
                   c.kelvin_viscosity * std::hypot(shares[2], of_time)};
  return out;
}

}  // namespace talus::lab
