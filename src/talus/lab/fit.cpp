#include <talus/lab/fit.hpp>

#include <algorithm>
#include <cmath>

namespace talus::lab {

namespace {

Real size_of(const std::vector<Real>& r) {
  Real sum = 0;
  for (const Real x : r) sum += x * x;
  return r.empty() ? 0 : std::sqrt(sum / Real(r.size()));
}

// Solves the normal equations with a little on the diagonal; n is the number of parameters, a handful.
std::vector<Real> solve(std::vector<std::vector<Real>> a, std::vector<Real> b) {
  const std::size_t n = b.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k; i < n; ++i)
      if (std::abs(a[i][k]) > std::abs(a[pivot][k])) pivot = i;
    std::swap(a[k], a[pivot]);
    std::swap(b[k], b[pivot]);
    if (a[k][k] == 0) continue;
    for (std::size_t i = k + 1; i < n; ++i) {
      const Real factor = a[i][k] / a[k][k];
      for (std::size_t j = k; j < n; ++j) a[i][j] -= factor * a[k][j];
      b[i] -= factor * b[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) b[k] -= a[k][j] * b[j];
    b[k] = a[k][k] != 0 ? b[k] / a[k][k] : 0;
  }
  return b;
}

// The step of Gauss and Newton, damped: (J'J + damping diag) step = -J'r, with the slopes as columns of J.
std::vector<Real> damped_step(const std::vector<std::vector<Real>>& slope, const std::vector<Real>& r, Real damping) {
  const std::size_t n = slope.size();
  std::vector<std::vector<Real>> a(n, std::vector<Real>(n, 0));
  std::vector<Real> b(n, 0);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t m = 0; m < r.size(); ++m) a[i][j] += slope[i][m] * slope[j][m];
    for (std::size_t m = 0; m < r.size(); ++m) b[i] -= slope[i][m] * r[m];
    a[i][i] *= 1 + damping;
  }
  return solve(a, b);
}

// Broyden: the slopes that explain the step from (u, r) to (next, there), changed as little as possible.
void correct_slopes(std::vector<std::vector<Real>>& slope, const std::vector<Real>& u, const std::vector<Real>& r,
                    const std::vector<Real>& next, const std::vector<Real>& there) {
  const std::size_t n = slope.size();
  Real square = 0;
  for (std::size_t k = 0; k < n; ++k) square += (next[k] - u[k]) * (next[k] - u[k]);
  for (std::size_t m = 0; m < r.size(); ++m) {
    Real said = r[m];
    for (std::size_t k = 0; k < n; ++k) said += slope[k][m] * (next[k] - u[k]);
    for (std::size_t k = 0; k < n; ++k) slope[k][m] += (there[m] - said) * (next[k] - u[k]) / square;
  }
}

}  // namespace

FitResult fit(const std::vector<FitParameter>& parameters, const Mismatch& mismatch, int max_runs, Real tolerance) {
  const std::size_t n = parameters.size();
  FitResult out;
  const auto real = [&](const std::vector<Real>& u) {  // from shares of the bounds
    std::vector<Real> at(n);
    for (std::size_t k = 0; k < n; ++k) at[k] = parameters[k].low + u[k] * (parameters[k].high - parameters[k].low);
    return at;
  };
  const auto evaluate = [&](const std::vector<Real>& u) {
    auto r = mismatch(real(u));
    out.trials.push_back({real(u), size_of(r)});
    return r;
  };
  const auto runs_left = [&] { return int(out.trials.size()) < max_runs; };

  std::vector<Real> u(n, 0.5), r = evaluate(u);
  std::vector<std::vector<Real>> slope(n, std::vector<Real>(r.size(), 0));  // of each mismatch along each parameter
  const Real stride = 0.1;
  for (std::size_t k = 0; k < n && runs_left(); ++k) {
    auto other = u;
    other[k] += stride;
    const auto there = evaluate(other);
    for (std::size_t m = 0; m < r.size(); ++m) slope[k][m] = (there[m] - r[m]) / stride;
  }
  Real damping = 1e-6;
  while (runs_left()) {
    const auto step = damped_step(slope, r, damping);
    auto next = u;
    Real moved = 0;
    for (std::size_t k = 0; k < n; ++k) {
      next[k] = std::clamp(u[k] + std::clamp(step[k], -0.4, 0.4), 0.0, 1.0);
      moved = std::max(moved, std::abs(next[k] - u[k]));
    }
    if (moved < tolerance) {
      out.settled = true;
      break;
    }
    const auto there = evaluate(next);
    correct_slopes(slope, u, r, next, there);
    if (size_of(there) < size_of(r)) {
      u = next;
      r = there;
      damping = std::max(damping / 10, 1e-9);
    } else {
      damping = std::max(damping * 30, 1e-3);
    }
  }
  out.best = real(u);
  out.mismatch = size_of(r);
  for (std::size_t k = 0; k < n; ++k) {
    const Real s = size_of(slope[k]) / (parameters[k].high - parameters[k].low);
    out.sensitivity.push_back(s);
    out.uncertainty.push_back(s > 0 ? out.mismatch / s : HUGE_VAL);
    out.at_bound.push_back(u[k] == 0 || u[k] == 1);
  }
  return out;
}

Real interpolate(const std::vector<Real>& x, const std::vector<Real>& y, Real at) {
  if (x.empty()) return NAN;
  if (at <= x.front()) return y.front();
  if (at >= x.back()) return y.back();
  const auto k = std::size_t(std::upper_bound(x.begin(), x.end(), at) - x.begin());
  const Real t = (at - x[k - 1]) / (x[k] - x[k - 1]);
  return y[k - 1] + t * (y[k] - y[k - 1]);
}

}  // namespace talus::lab
