#include <talus/lab/burgers_integrators.hpp>

#include <algorithm>
#include <array>
#include <cmath>

#include <talus/contact/burgers.hpp>

namespace talus::lab {

namespace {

// m u'' = force - f,  f'' = -sum f' - square f + km u'' + rise u': thesis (3.10) with its sign right, and (3.11).
struct Motion {
  Real mass, force, km, sum, square, rise;
  explicit Motion(const PressedMass& p) : mass(p.mass), force(p.force) {
    const MortarConstants& c = p.constants;
    km = c.maxwell_stiffness * p.scale;
    sum = c.maxwell_stiffness / c.maxwell_viscosity + (c.kelvin_stiffness + c.maxwell_stiffness) / c.kelvin_viscosity;
    square = c.kelvin_stiffness / c.kelvin_viscosity * (c.maxwell_stiffness / c.maxwell_viscosity);
    rise = c.kelvin_stiffness / c.kelvin_viscosity * km;
  }
  Real acceleration(const Pressed& s) const { return (force - s.f) / mass; }
  Real curvature(const Pressed& s) const { return -sum * s.df - square * s.f + km * acceleration(s) + rise * s.v; }
};

// A second-order Taylor step, (3.12), (3.13).
void taylor(const Motion& m, Real h, Pressed& s) {
  const Real a = m.acceleration(s), c = m.curvature(s);
  s.u += h * s.v + h * h / 2 * a;
  s.v += h * a;
  s.f += h * s.df + h * h / 2 * c;
  s.df += h * c;
}

// (3.14) to (3.16) with gamma = 1/2, beta = 1/4, from the Taylor step on by iteration.
void newmark(const Motion& m, Real h, Pressed& s) {
  const Real a0 = m.acceleration(s), c0 = m.curvature(s);
  Pressed next = s;
  taylor(m, h, next);
  for (int k = 0; k < 3; ++k) {
    const Real a = (a0 + m.acceleration(next)) / 2, c = (c0 + m.curvature(next)) / 2;
    next.u = s.u + h * s.v + h * h / 2 * a;
    next.v = s.v + h * a;
    next.f = s.f + h * s.df + h * h / 2 * c;
    next.df = s.df + h * c;
  }
  s = next;
}

void runge_kutta(const Motion& m, Real h, Pressed& s) {
  const auto moved = [&](const std::array<Real, 4>& k, Real by) {
    Pressed p = s;
    p.u += by * k[0], p.v += by * k[1], p.f += by * k[2], p.df += by * k[3];
    return p;
  };
  const auto rate = [&](const Pressed& p) { return std::array<Real, 4>{p.v, m.acceleration(p), p.df, m.curvature(p)}; };
  const auto k1 = rate(s), k2 = rate(moved(k1, h / 2)), k3 = rate(moved(k2, h / 2)), k4 = rate(moved(k3, h));
  std::array<Real, 4> k;
  for (std::size_t i = 0; i < 4; ++i) k[i] = (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]) / 6;
  s = moved(k, h);
}

// The force of the coat is found from the last motion and acts from outside during the next step of an engine.
void from_outside(const Motion& m, const SemiAnalytical& c, Real h, Pressed& s) {
  const Real bend = (s.v - s.v_before) / h;
  const Real f = c.gamma_f0 * s.f + c.gamma_f1 * s.df + c.gamma_u1 * s.v + c.gamma_u2 * bend;
  s.df = c.delta_f0 * s.f + c.delta_f1 * s.df + c.delta_u1 * s.v + c.delta_u2 * bend;
  s.f = f;
  s.v_before = s.v;
  s.v += h / m.mass * (m.force - s.f);
  s.u += h * s.v;
}

// The force at the end of the step, found together with the velocity.
void implicit(const RelaxationStep& r, Real scale, const Motion& m, Real h, Pressed& s) {
  const Real a = r.keep[0] * s.element[0] + r.keep[1] * s.element[1], b = scale * r.viscosity();
  s.v = (m.mass * s.v + h * (m.force - a)) / (m.mass + h * b);
  s.u += h * s.v;
  s.f = a + b * s.v;
  for (int i = 0; i < 2; ++i) s.element[i] = r.keep[i] * s.element[i] + scale * r.gain[i] * s.v;
}

}  // namespace

SemiAnalytical semi_analytical(const PressedMass& p, Real h, bool printed) {
  const Motion m(p);
  const Real fast = (m.sum + std::sqrt(m.sum * m.sum - 4 * m.square)) / 2, slow = m.square / fast, apart = fast - slow;
  const Real quick = std::exp(-fast * h), lasting = std::exp(-slow * h);
  SemiAnalytical c;
  c.gamma_f0 = (fast * lasting - slow * quick) / apart;
  c.gamma_f1 = (lasting - quick) / apart;
  c.delta_f0 = m.square * (quick - lasting) / apart;
  c.delta_f1 = (fast * quick - slow * lasting) / apart;
  // 1 - gamma_f0 without cancellation
  const Real gone = (slow * std::expm1(-fast * h) - fast * std::expm1(-slow * h)) / apart;
  const Real cm = p.constants.maxwell_viscosity * p.scale;
  c.gamma_u1 = cm * gone;
  c.delta_u1 = -cm * c.delta_f0;
  const Real steady = p.constants.kelvin_viscosity / p.constants.kelvin_stiffness * cm;
  c.gamma_u2 = printed ? steady * gone : m.km * h * c.gamma_f1;
  c.delta_u2 = printed ? -steady * c.delta_f0 : m.km * h * c.delta_f1;
  return c;
}

std::vector<BurgersIntegrator> burgers_integrators(const PressedMass& p, Real h) {
  const Motion m(p);
  const SemiAnalytical printed = semi_analytical(p, h, true), corrected = semi_analytical(p, h, false);
  const RelaxationStep r(BurgersMortar::relaxation(p.constants, 0), h);
  return {{"taylor", "second-order Taylor step", [=](Pressed& s) { taylor(m, h, s); }},
          {"newmark", "Newmark, 1/4, 1/2, three iterations", [=](Pressed& s) { newmark(m, h, s); }},
          {"rk4", "Runge-Kutta of fourth order", [=](Pressed& s) { runge_kutta(m, h, s); }},
          {"printed", "semi-analytical force from outside, as printed", [=](Pressed& s) { from_outside(m, printed, h, s); }},
          {"corrected", "semi-analytical force from outside, corrected", [=](Pressed& s) { from_outside(m, corrected, h, s); }},
          {"implicit", "force at the end of the step", [=](Pressed& s) { implicit(r, p.scale, m, h, s); }}};
}

std::function<void(Pressed&)> burgers_reference(const PressedMass& p, Real h) {
  const Motion m(p);
  const Real fastest = std::max(std::sqrt(m.km / m.mass), m.sum);
  const int parts = int(std::ceil(h * fastest / 0.02));
  return [=](Pressed& s) {
    for (int k = 0; k < parts; ++k) runge_kutta(m, h / parts, s);
  };
}

Real growth(const PressedMass& problem, Real h, const std::string& name) {
  PressedMass alone = problem;
  alone.force = 0;
  std::function<void(Pressed&)> step;
  for (auto& i : burgers_integrators(alone, h))
    if (i.name == name) step = i.step;
  // What the step remembers: v, f, f', v before and the elements. In units of a mass on the spring k_M.
  const Real km = problem.constants.maxwell_stiffness * problem.scale, force = std::sqrt(km * problem.mass);
  constexpr std::size_t n = 6;
  std::array<std::array<Real, n>, n> a{};
  const auto places = [&](Pressed& s) {
    return std::array<std::pair<Real*, Real>, n>{{{&s.v, 1}, {&s.f, force}, {&s.df, force / h}, {&s.v_before, 1}, {&s.element[0], force}, {&s.element[1], force}}};
  };
  for (std::size_t j = 0; j < n; ++j) {
    Pressed s;
    *places(s)[j].first = places(s)[j].second;
    step(s);
    for (std::size_t i = 0; i < n; ++i) a[i][j] = *places(s)[i].first / places(s)[i].second;
  }
  for (std::size_t j = 0; j < n; ++j) {  // what an integrator does not use stays as it is, and is no error
    bool alone_there = a[j][j] == 1;
    for (std::size_t i = 0; i < n; ++i) alone_there = alone_there && (i == j || (a[i][j] == 0 && a[j][i] == 0));
    if (alone_there) a[j][j] = 0;
  }
  Real log_norm = 0, power = 1;
  for (int k = 0; k < 40; ++k) {  // |A^p|^(1/p)
    std::array<std::array<Real, n>, n> square{};
    Real norm = 0;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        for (std::size_t l = 0; l < n; ++l) square[i][j] += a[i][l] * a[l][j];
        norm = std::max(norm, std::abs(square[i][j]));
      }
    for (auto& row : square)
      for (Real& x : row) x /= norm;
    a = square;
    power *= 2;
    log_norm = 2 * log_norm + std::log(norm);
  }
  return std::exp(log_norm / power);
}

}  // namespace talus::lab
