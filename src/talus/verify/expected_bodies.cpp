#include <talus/verify/expected_bodies.hpp>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace talus::verify {

// ---- gas ----------------------------------------------------------------------------------------------------------------

Real collision_rate(const Gas& g) {
  const Real solid = g.number * pi / 6 * g.diameter * g.diameter * g.diameter;
  const Real pairs = (1 - solid / 2) / std::pow(1 - solid, 3);
  return 4 * g.diameter * g.diameter * g.number * pairs * std::sqrt(pi * g.temperature);
}

Real haff_rate(const Gas& g) {
  // A collision takes (1 - e^2) m T on average, 3/2 m T is there, each collision has two spheres: T' = -(1 - e^2) w T / 3, and
  // w goes with the root of T.
  const Real e = g.restitution, square = e * e;
  const Real sonine = 16 * (1 - e) * (1 - 2 * square) / (81 - 17 * e + 30 * square * (1 - e));
  return (1 - square) * collision_rate(g) / 6 * (1 + 3.0 / 16.0 * sonine);
}

// ---- chain --------------------------------------------------------------------------------------------------------------

Real nesterenko_speed(Real stiffness, Real mass, Real diameter, Real largest_velocity) {
  const Real c2 = stiffness / mass * std::pow(diameter, 2.5);  // m^2/s^2
  return std::pow(16.0 / 25.0, 0.2) * std::pow(c2, 0.4) * std::pow(largest_velocity, 0.2);
}

namespace {

class Chain {
 public:
  explicit Chain(int beads) : u_(std::size_t(beads)), v_(u_), a_(u_) { v_.front() = 1; }
  // Velocity form of Verlet's method.
  void step(Real dt) {
    for (std::size_t i = 0; i < u_.size(); ++i) {
      v_[i] += dt / 2 * a_[i];
      u_[i] += dt * v_[i];
    }
    std::fill(a_.begin(), a_.end(), 0.0);
    for (std::size_t i = 0; i + 1 < u_.size(); ++i) {
      const Real overlap = std::max(u_[i] - u_[i + 1], Real(0)), force = overlap * std::sqrt(overlap);
      a_[i] -= force;
      a_[i + 1] += force;
    }
    for (std::size_t i = 0; i < u_.size(); ++i) v_[i] += dt / 2 * a_[i];
  }
  Real velocity(int bead) const { return v_[std::size_t(bead)]; }

 private:
  std::vector<Real> u_, v_, a_;
};

}  // namespace

Pulse chain_pulse(int beads, int first, int last) {
  constexpr Real dt = 2e-3;
  Chain chain(beads);
  std::pair<Real, Real> best[2];  // largest velocity and when, of the two beads
  for (int n = 1; n < 200000 && chain.velocity(beads - 1) < 0.1; ++n) {
    chain.step(dt);
    for (int k = 0; k < 2; ++k)
      if (const Real v = chain.velocity(k == 0 ? first : last); v > best[k].first) best[k] = {v, n * dt};
  }
  return {Real(last - first) / (best[1].second - best[0].second), best[1].first};
}

// ---- arch ---------------------------------------------------------------------------------------------------------------

namespace {

struct HalfPlane {
  Real h, q, free;  // h H + q Q + free >= 0
};

// Unknowns: thrust H in the crown and Q = H y, y its height. Forces over the weight of one voussoir.
std::vector<HalfPlane> joints(const Arch& arch) {
  const Real in = 1 - arch.thickness / 2, out = 1 + arch.thickness / 2, wedge = pi / arch.voussoirs;
  std::vector<HalfPlane> all{{-in, 1, 0}, {out, -1, 0}, {1, 0, 0}};
  Real moment = 0;  // of the weights of the voussoirs so far about the middle
  for (int k = 1; k <= arch.voussoirs / 2; ++k) {
    moment += arch.block_centre() * std::sin((k - 0.5) * wedge);
    const Real s = std::sin(k * wedge), c = std::cos(k * wedge);
    // Moment of thrust and weights about a point of the joint: not negative about its outer end, not positive about its inner.
    all.push_back({out * c, -1, k * out * s - moment});
    all.push_back({-in * c, 1, moment - k * in * s});
  }
  return all;
}

}  // namespace

Real Arch::block_weight() const { return thickness * std::sin(pi / voussoirs); }

Real Arch::block_centre() const {
  // Trapezoid between two chords, at heights r cos(w/2) and with widths 2 r sin(w/2).
  const Real in = 1 - thickness / 2, out = 1 + thickness / 2, half = pi / voussoirs / 2;
  return std::cos(half) * (in + (out - in) / 3 * (in + 2 * out) / (in + out));
}

Thrust thrust(const Arch& arch) {
  const auto all = joints(arch);
  Thrust found;
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = i + 1; j < all.size(); ++j) {
      const Real d = all[i].h * all[j].q - all[i].q * all[j].h;
      if (std::abs(d) < 1e-12) continue;
      const Real h = (all[i].q * all[j].free - all[j].q * all[i].free) / d;
      const Real q = (all[j].h * all[i].free - all[i].h * all[j].free) / d;
      const bool inside = std::all_of(all.begin(), all.end(),
                                      [&](const HalfPlane& p) { return p.h * h + p.q * q + p.free > -1e-10; });
      if (!inside) continue;
      found.least = found.stands ? std::min(found.least, h) : h;
      found.most = found.stands ? std::max(found.most, h) : h;
      found.stands = true;
    }
  found.least /= arch.voussoirs;
  found.most /= arch.voussoirs;
  return found;
}

Real least_thickness(int voussoirs) {
  Real falls = 0.01, stands = 0.5;
  for (int i = 0; i < 40; ++i) {
    const Real middle = (falls + stands) / 2;
    (thrust({voussoirs, middle}).stands ? stands : falls) = middle;
  }
  return stands;
}

// ---- rocking block ------------------------------------------------------------------------------------------------------

// Block on one corner, tilted by x: x'' = -p^2 sin(a - x), so x'^2/2 = p^2 (cos(a - tilt) - cos(a - x)) from rest.
Real Rocking::time_to_impact(Real tilt) const {
  constexpr int steps = 20000;
  // The speed vanishes at the tilt: with x = tilt (1 - z^2) the integrand of dt = dx/x' stays finite.
  const auto integrand = [&](Real z) {
    const Real x = tilt * (1 - z * z), b = slenderness - tilt;
    // cos(a - tilt) - cos(a - x), written so that nothing cancels.
    const Real fall = tilt - x, square = 2 * std::sin(b + fall / 2) * std::sin(fall / 2);
    return 2 * tilt * z / std::sqrt(2 * square);
  };
  Real sum = 0;
  for (int i = 0; i < steps; ++i) sum += integrand((i + 0.5) / steps);
  return sum / steps / frequency;
}

Real Rocking::rate_ratio() const { return 1 - 1.5 * std::sin(slenderness) * std::sin(slenderness); }

Real Rocking::next_tilt(Real tilt) const {
  const Real r = rate_ratio(), full = std::cos(slenderness), energy = r * r * (std::cos(slenderness - tilt) - full);
  return slenderness - std::acos(full + energy);
}

}  // namespace talus::verify
