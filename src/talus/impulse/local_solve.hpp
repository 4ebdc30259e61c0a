#pragma once
// The exact solution of one patch: Signorini's condition at its points and Coulomb's for its friction.
//
//   0 <= n_i  and  0 <= u_i  and  n_i u_i = 0;   |t| <= mu (n_1 + n_2);   u_t = 0 unless |t| is at its bound, then u_t opposes t
//
// with u = b + W (n_1, n_2, t), b the velocities without the patch's own impulses. All cases are linear; the one whose
// conditions hold is taken. The case that held last time is tried first.
#include <talus/impulse/patch.hpp>

namespace talus::impulse {

// A case: which points push, and what friction does.
struct Case {
  bool first, second;
  Mode mode;
};
inline constexpr u32 case_count = 10;
TALUS_HD constexpr Case case_of(u32 number) {
  constexpr Case cases[case_count] = {
      {false, false, Mode::open},    {true, true, Mode::stick},  {true, true, Mode::forward},
      {true, true, Mode::backward},  {true, false, Mode::stick}, {true, false, Mode::forward},
      {true, false, Mode::backward}, {false, true, Mode::stick}, {false, true, Mode::forward},
      {false, true, Mode::backward},
  };
  return cases[number];
}

// The impulses of one case, by elimination. A singular case gives impulses that are not finite and is never taken.
TALUS_HD Impulse impulses_of(const Case& c, const Compliance& w, const Impulse& b, Real mu) {
  if (c.mode == Mode::open) return {};
  if (c.mode == Mode::stick) {
    // Friction first: t = -(b_t + w_1t n_1 + w_2t n_2) / w_tt.
    const Real s = 1 / w.wtt;
    const Real a11 = w.w11 - w.w1t * w.w1t * s, a12 = w.w12 - w.w1t * w.w2t * s, a22 = w.w22 - w.w2t * w.w2t * s;
    const Real c1 = -b.first + w.w1t * s * b.along, c2 = -b.second + w.w2t * s * b.along;
    Impulse p;
    if (c.first && c.second) {
      const Real d = 1 / (a11 * a22 - a12 * a12);
      p.first = d * (a22 * c1 - a12 * c2);
      p.second = d * (a11 * c2 - a12 * c1);
    } else if (c.first) {
      p.first = c1 / a11;
    } else {
      p.second = c2 / a22;
    }
    p.along = -s * (b.along + w.w1t * p.first + w.w2t * p.second);
    return p;
  }
  const Real m = c.mode == Mode::forward ? mu : -mu;  // t = m (n_1 + n_2)
  const Real a11 = w.w11 + m * w.w1t, a12 = w.w12 + m * w.w1t, a21 = w.w12 + m * w.w2t, a22 = w.w22 + m * w.w2t;
  Impulse p;
  if (c.first && c.second) {
    const Real d = 1 / (a11 * a22 - a12 * a21);
    p.first = d * (a12 * b.second - a22 * b.first);
    p.second = d * (a21 * b.first - a11 * b.second);
  } else if (c.first) {
    p.first = -b.first / a11;
  } else {
    p.second = -b.second / a22;
  }
  p.along = m * p.normal();
  return p;
}

// How far impulses are from fulfilling the conditions of their case that elimination has not fulfilled already. m/s; zero:
// they hold. Impulses count as the velocities they make.
TALUS_HD Real violation(const Case& c, const Compliance& w, const Impulse& b, Real mu, u32 points, const Impulse& p) {
  const Impulse own = w.times(p);
  const Real u1 = b.first + own.first, u2 = b.second + own.second, ut = b.along + own.along;
  Real worst = 0;
  if (c.first) worst = max(worst, -w.w11 * p.first);
  if (c.second) worst = max(worst, -w.w22 * p.second);
  if (!c.first) worst = max(worst, -u1);
  if (!c.second && points == 2) worst = max(worst, -u2);
  if (c.mode == Mode::stick) worst = max(worst, w.wtt * (std::abs(p.along) - mu * p.normal()));
  if (c.mode == Mode::forward) worst = max(worst, ut);
  if (c.mode == Mode::backward) worst = max(worst, -ut);
  return std::isfinite(p.first + p.second + p.along + u1 + u2 + ut) ? worst : Real(1e300);
}

struct LocalSolution {
  Impulse impulse;
  u32 number;      // of the case
  Real violation;  // m/s; not zero when rounding, or too much friction on a slender body, leaves no case that holds
};

// b: velocities, targets included, without the patch's own impulses.
TALUS_HD LocalSolution solve_patch(const Patch& patch, const Impulse& b) {
  const Compliance& w = patch.w;
  const Real scale = max(max(std::abs(b.first), patch.points == 2 ? std::abs(b.second) : Real(0)), std::abs(b.along));
  const Real tolerance = Real(1e-14) * scale;
  LocalSolution best{{}, 0, 1e300};
  const auto attempt = [&](u32 number) {
    const Case c = case_of(number);
    if (c.second && patch.points == 1) return false;
    const Impulse p = impulses_of(c, w, b, patch.friction);
    const Real v = violation(c, w, b, patch.friction, patch.points, p);
    if (v < best.violation) best = {p, number, v};
    return v <= tolerance;
  };
  if (attempt(patch.hint)) return best;
  for (u32 number = 0; number < case_count; ++number)
    if (number != patch.hint && attempt(number)) return best;
  return best;
}

}  // namespace talus::impulse
