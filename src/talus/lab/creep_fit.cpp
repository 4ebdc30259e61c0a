#include <talus/lab/creep_fit.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace talus::lab {

namespace {

template <std::size_t N>
using Square = std::array<std::array<Real, N>, N>;
using Three = std::array<Real, 3>;

// Inverse of a symmetric positive matrix by Gauss and Jordan; false where it is singular.
template <std::size_t N>
bool invert(Square<N> a, Square<N>& inverse) {
  inverse = {};
  for (std::size_t i = 0; i < N; ++i) inverse[i][i] = 1;
  std::array<Real, N> size;
  for (std::size_t i = 0; i < N; ++i) size[i] = a[i][i];
  for (std::size_t k = 0; k < N; ++k) {
    if (!(a[k][k] > 1e-14 * size[k])) return false;
    const Real pivot = a[k][k];
    for (std::size_t j = 0; j < N; ++j) a[k][j] /= pivot, inverse[k][j] /= pivot;
    for (std::size_t i = 0; i < N; ++i) {
      if (i == k) continue;
      const Real by = a[i][k];
      for (std::size_t j = 0; j < N; ++j) a[i][j] -= by * a[k][j], inverse[i][j] -= by * inverse[k][j];
    }
  }
  return true;
}

// For a time T of the Kelvin element the rest is linear: u = x0 + x1 t/t_end + x2 (1 - exp(-t/T)).
struct Linear {
  const std::vector<Real>&t, &u;
  Real end;
  bool holds = false;
  Three x{};
  Real squares = 0;

  void solve(Real kelvin) {
    Square<3> a{}, inverse;
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

// Standard errors that hold whatever the scatter of each point (a creep test is noisier where it is longer), each residual over one
// less the leverage of its point: the estimate called HC3. Errors from the mean scatter are too small here.
MortarConstants errors(const Linear& at, Real kelvin, const MortarConstants& c) {
  Square<4> n{}, scatter{}, inverse, covariance{};
  const auto slope = [&](std::size_t k) {  // of the curve over x and log T
    const Real x = at.t[k] / kelvin;
    return std::array<Real, 4>{1, at.t[k] / at.end, -std::expm1(-x), -at.x[2] * x * std::exp(-x)};
  };
  for (std::size_t k = 0; k < at.t.size(); ++k) {
    const auto f = slope(k);
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = 0; j < 4; ++j) n[i][j] += f[i] * f[j];
  }
  if (!invert(n, inverse)) return {INFINITY, INFINITY, INFINITY, INFINITY};
  for (std::size_t k = 0; k < at.t.size(); ++k) {
    const auto f = slope(k);
    Real leverage = 0;
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = 0; j < 4; ++j) leverage += f[i] * inverse[i][j] * f[j];
    const Real left = (at.u[k] - at.x[0] - at.x[1] * f[1] - at.x[2] * f[2]) / (1 - leverage);
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = 0; j < 4; ++j) scatter[i][j] += left * left * f[i] * f[j];
  }
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 4; ++j)
      for (std::size_t k = 0; k < 4; ++k)
        for (std::size_t l = 0; l < 4; ++l) covariance[i][j] += inverse[i][k] * scatter[k][l] * inverse[l][j];
  const auto share = [&](std::size_t i) { return std::sqrt(covariance[i][i]) / at.x[i]; };
  const Real of_ck = covariance[2][2] / (at.x[2] * at.x[2]) + covariance[3][3] - 2 * covariance[2][3] / at.x[2];
  return {c.maxwell_stiffness * share(0), c.maxwell_viscosity * share(1), c.kelvin_stiffness * share(2), c.kelvin_viscosity * std::sqrt(of_ck)};
}

}  // namespace

CreepResult fit_creep(const std::vector<Real>& time, const std::vector<Real>& overlap, Real force, Real scale) {
  if (time.size() < 6) return {{}, "four constants need at least six points"};
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
  if (!std::isfinite(least)) return {{}, "the times are too close together for the Kelvin element"};
  if (best == low || best == high) return {{}, "the Kelvin element is faster than the first points, or slower than the test"};
  Real width = (high - low) / points;
  for (int k = 0; k < 60; ++k, width /= 1.5)
    for (const Real x : {best - width, best + width})
      if (const Real s = squares(x); s < least) least = s, best = x;
  at.solve(std::exp(best));
  const Real kelvin = std::exp(best);
  if (!(at.x[0] > 0 && at.x[1] > 0 && at.x[2] > 0)) return {{}, "a constant comes out negative: the test does not follow Burgers' model"};

  CreepResult out;
  const Real per = force / scale;
  out.fit.constants = {per / at.x[0], per * end / at.x[1], per / at.x[2], per / at.x[2] * kelvin};
  out.fit.scatter = std::sqrt(at.squares / Real(time.size()));
  out.fit.error = errors(at, kelvin, out.fit.constants);
  return out;
}

}  // namespace talus::lab
