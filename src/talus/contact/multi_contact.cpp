#include <talus/contact/multi_contact.hpp>

#include <cmath>

namespace talus {

namespace {

// The series converges as 1/n^2; what is left after two sums with closed forms converges as 1/n^4.
constexpr int terms = 1500;

}  // namespace

Real point_on_sphere_regular(Real nu, Real s) {
  const Real x = 1 - 2 * s * s, B = 1 - 8 * nu * (1 - nu), C = -2 - nu + 4 * nu * nu;
  const Real alpha = C - 2 * nu * B, c0 = C - B * (1 + nu), beta = c0 - alpha * (1 + 2 * nu);
  const auto term = [&](Real n) { return (B * n + C) / (n * n + (1 + 2 * nu) * n + 1 + nu) - B / (n + 1); };
  Real sum = 0, before = 1, now = x;  // P_0, P_1
  for (int n = 2; n <= terms; ++n) {
    const Real next = ((2 * n - 1) * x * now - (n - 1) * before) / n;
    before = now;
    now = next;
    sum += (term(n) - alpha / (Real(n) * (n + 1)) - beta / (Real(n) * (n + 1) * (n + 2))) * now;
  }
  // Sums over all n >= 1 of P_n / (n (n+1)) and of P_n / (n (n+1) (n+2)), less n = 1. With L = ln s, which may be large:
  // sum P_n / n = -L - ln(1 + s); sum P_n / (n+1) = ln(1 + s) - L; sum P_n / (n+2) = 2 s - 1 + x (ln(1 + s) - L), n from 0.
  const Real l1 = std::log1p(s);
  const Real pairs = 1 - 2 * l1;
  const Real rest = s > 0 ? (x - 1) * (l1 - std::log(s)) : 0;  // x - 1 = -2 s^2
  const Real triples = (-l1 - 2 * l1 + l1 + rest + 2 + 2 * s - 1 - Real(0.5)) / 2;
  sum += alpha * (pairs - x / 2) + beta * (triples - x / 6) + term(0);
  // -x ln(s (1 + s)) + B ln(1 + 1/s) = -(x + B) ln s + (B - x) ln(1 + s)
  const Real logs = (s > 0 ? -(x + B) * std::log(s) : 0) + (B - x) * l1;
  return -(-4 * (1 - nu) * x - x - 2 * s + logs - B * x / 2 + sum);
}

void MultiContactModel::prepare(const std::vector<Material>& materials) {
  constants.clear();
  table.clear();
  for (const Material& m : materials) {
    MultiContactConstants q{};
    if (!m.rigid && acts()) q = {gamma * (1 + m.poisson) / (2 * pi * m.young), m.poisson, Real(table.size())};
    constants.push_back(q);
    if (kind != MultiContactKind::point_on_sphere || m.rigid) continue;
    // Below the first node the logarithm is left as it is there: two contacts nearer than that lie within one patch.
    const Real h = 1 / Real(kernel_table_size), first = m.poisson == 0.5 ? 0 : h / 8;
    const auto at = [&](Real s) { return point_on_sphere_regular(m.poisson, max(s, first)); };
    for (std::size_t n = 0; n <= kernel_table_size; ++n) {
      const Real s = Real(n) * h, d = h / 4;
      const Real low = max(s - d, Real(0)), high = min(s + d, Real(1));
      table.push_back(at(s));
      table.push_back((at(high) - at(low)) / (high - low) * h);  // slope per interval
    }
  }
}

}  // namespace talus
