#include <talus/verify/expected_impact.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace talus::verify {

namespace {

constexpr int steps_per_impact = 40000;  // errors of first order in 1/steps stay below 1e-4

Real inverse(Real x) { return x > 0 ? 1 / x : 0; }

// Normal motion by the classical Runge-Kutta method: overlap and its rate.
struct Normal {
  Real stiffness, damping, mass;  // F = stiffness d^1.5 + damping d^0.25 d'
  Real overlap = 0, rate = 0;
  Real force(Real d, Real v) const {
    const Real root = std::sqrt(std::max(d, Real(0)));
    return stiffness * root * d + damping * std::sqrt(root) * v;
  }
  Real force() const { return force(overlap, rate); }
  void step(Real dt) {
    const auto a = [&](Real d, Real v) { return -force(d, v) / mass; };
    const Real k1 = a(overlap, rate), v1 = rate;
    const Real v2 = rate + dt / 2 * k1, k2 = a(overlap + dt / 2 * v1, v2);
    const Real v3 = rate + dt / 2 * k2, k3 = a(overlap + dt / 2 * v2, v3);
    const Real v4 = rate + dt * k3, k4 = a(overlap + dt * v3, v4);
    overlap += dt / 6 * (v1 + 2 * v2 + 2 * v3 + v4);
    rate += dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
};

// Tangential motion of two solid spheres, or of one on a plane.
class Tangential {
 public:
  explicit Tangential(const Impact& x)
      : share_(x.other_radius > 0 ? 0.5 : 1), x_(x), sideways_(x.sideways), spin_(x.spin), other_spin_(x.other_spin) {}
  Real slip(Real overlap) const {
    return sideways_ + (x_.radius - share_ * overlap) * spin_ + (x_.other_radius - share_ * overlap) * other_spin_;
  }
  void push(Real by, Real overlap) {  // N s, on the first
    const Real arm = x_.radius - share_ * overlap, other_arm = x_.other_radius - share_ * overlap;
    sideways_ += by / x_.normal_mass();
    spin_ += by * arm / (0.4 * x_.mass * x_.radius * x_.radius);
    if (x_.other_radius > 0) other_spin_ += by * other_arm / (0.4 * x_.other_mass * x_.other_radius * x_.other_radius);
    impulse -= by;
    twist -= by * arm;
  }
  Real impulse = 0, twist = 0;

 private:
  Real share_;  // of the overlap that lies on the first one's side
  Impact x_;
  Real sideways_, spin_, other_spin_;
};

Real limited(Real value, Real limit) { return std::clamp(value, -limit, limit); }

}  // namespace

Real Impact::normal_mass() const { return 1 / (1 / mass + inverse(other_mass)); }
Real Impact::reduced_radius() const { return 1 / (1 / radius + inverse(other_radius)); }
Real Impact::surface_mass() const { return normal_mass() / 3.5; }  // 1/m + r^2/I = 7/2 / m for each sphere

HertzImpact hertz_impact(const Impact& x) {
  const Real h = 4.0 / 3.0 * x.e_star * std::sqrt(x.reduced_radius());
  const Real overlap = std::pow(5 * x.normal_mass() * x.speed * x.speed / (4 * h), 0.4);
  // t = (4/5) sqrt(pi) Gamma(2/5)/Gamma(9/10) overlap/v: the integral of 1/sqrt(1 - z^(5/2)), twice.
  const Real shape = 0.8 * std::sqrt(pi) * std::tgamma(0.4) / std::tgamma(0.9);
  return {overlap, h * std::pow(overlap, 1.5), shape * overlap / x.speed};
}

Rebound sliding_rebound(const Impact& x) {
  const Real impulse = x.friction * (1 + x.restitution) * x.normal_mass() * x.speed;
  return {x.restitution, impulse, impulse * x.radius};
}

Rebound rebound_by_law(const Impact& x) {
  const Real r = x.reduced_radius(), m = x.normal_mass(), log_e = std::log(x.restitution);
  const Real zeta = -log_e / std::sqrt(log_e * log_e + pi * pi);
  const Real kn = 2 * x.e_star * std::sqrt(r), kt = 8 * x.g_star * std::sqrt(r);  // times sqrt(overlap)
  Normal n{2.0 / 3.0 * kn, 2 * std::sqrt(5.0 / 6.0) * zeta * std::sqrt(kn * m), m, 0, x.speed};
  const Real dt = hertz_impact(x).time / steps_per_impact;
  Tangential t(x);
  Real spring = 0, stiffness = 0;
  for (int i = 0; i < 10 * steps_per_impact && (i == 0 || n.overlap > 0); ++i) {
    n.step(dt);
    const Real root = std::sqrt(std::max(n.overlap, Real(0))), now = kt * root, slip = t.slip(n.overlap);
    const Real limit = x.friction * std::max(n.force(), Real(0));
    if (now < stiffness) spring *= now / stiffness;
    stiffness = now;
    spring = limited(spring - now * slip * dt, limit);
    const Real dashpot = n.damping * std::sqrt(root) * std::sqrt(kt / kn);
    t.push(limited(spring - dashpot * slip, limit) * dt, n.overlap);
  }
  return {-n.rate / x.speed, t.impulse, t.twist};
}

Real maw_gross_slip(Real kappa) { return 7 * kappa - 1; }

Real maw_psi_after(Real psi, Real kappa) {
  // Units in which E* = R = m = v = 1 and mu = kappa: then psi is the slip, a spring at x carries d - x^2 along the normal and
  // at most as much, times kappa, across it.
  constexpr int springs = 400, steps = 10000;
  Normal n{4.0 / 3.0, 0, 1, 0, 1};
  Impact unit;
  unit.mass = unit.radius = unit.e_star = unit.speed = 1;
  const HertzImpact whole = hertz_impact(unit);
  const Real dt = whole.time / steps, dx = std::sqrt(whole.overlap) / springs;
  std::vector<Real> stretch(springs, 0.0);
  Real slip = psi;
  for (int i = 0; i < 2 * steps && (i == 0 || n.overlap > 0); ++i) {
    n.step(dt);
    Real force = 0;
    for (int k = 0; k < springs; ++k) {
      const Real x = (k + 0.5) * dx, carried = std::max(n.overlap - x * x, Real(0));
      stretch[std::size_t(k)] = limited(stretch[std::size_t(k)] + slip * dt, carried);
      force += stretch[std::size_t(k)];
    }
    slip -= 3.5 * 2 * kappa * dx * force * dt;
  }
  return slip;
}

}  // namespace talus::verify
