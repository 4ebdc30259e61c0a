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
TALUS_HD Three impulses_of(const Case& c, const Mat<3>& w, const Three& b, Real mu) {
  if (c.mode == Mode::open) return {};
  if (c.mode == Mode::stick) {
    // Friction first: t = -(b_t + w_1t n_1 + w_2t n_2) / w_tt.
    const Real s = 1 / w(2, 2);
    const Real a11 = w(0, 0) - w(0, 2) * w(0, 2) * s, a12 = w(0, 1) - w(0, 2) * w(1, 2) * s,
               a22 = w(1, 1) - w(1, 2) * w(1, 2) * s;
    const Real c1 = -b.x + w(0, 2) * s * b.z, c2 = -b.y + w(1, 2) * s * b.z;
    Three p;
    if (c.first && c.second) {
      const Real d = 1 / (a11 * a22 - a12 * a12);
      p.x = d * (a22 * c1 - a12 * c2);
      p.y = d * (a11 * c2 - a12 * c1);
    } else if (c.first) {
      p.x = c1 / a11;
    } else {
      p.y = c2 / a22;
    }
    p.z = -s * (b.z + w(0, 2) * p.x + w(1, 2) * p.y);
    return p;
  }
  const Real m = c.mode == Mode::forward ? mu : -mu;  // t = m (n_1 + n_2)
  const Real a11 = w(0, 0) + m * w(0, 2), a12 = w(0, 1) + m * w(0, 2), a21 = w(0, 1) + m * w(1, 2),
             a22 = w(1, 1) + m * w(1, 2);
  Three p;
  if (c.first && c.second) {
    const Real d = 1 / (a11 * a22 - a12 * a21);
    p.x = d * (a12 * b.y - a22 * b.x);
    p.y = d * (a21 * b.x - a11 * b.y);
  } else if (c.first) {
    p.x = -b.x / a11;
  } else {
    p.y = -b.y / a22;
  }
  p.z = m * normal_of(p);
  return p;
}

// How far impulses are from fulfilling the conditions of their case that elimination has not fulfilled already. m/s; zero:
// they hold. Threes count as the velocities they make.
TALUS_HD Real violation(const Case& c, const Mat<3>& w, const Three& b, Real mu, u32 points, const Three& p) {
  const Three own = w * p;
  const Real u1 = b.x + own.x, u2 = b.y + own.y, ut = b.z + own.z;
  Real worst = 0;
  if (c.first) worst = max(worst, -w(0, 0) * p.x);
  if (c.second) worst = max(worst, -w(1, 1) * p.y);
  if (!c.first) worst = max(worst, -u1);
  if (!c.second && points == 2) worst = max(worst, -u2);
  if (c.mode == Mode::stick) worst = max(worst, w(2, 2) * (std::abs(p.z) - mu * normal_of(p)));
  if (c.mode == Mode::forward) worst = max(worst, ut);
  if (c.mode == Mode::backward) worst = max(worst, -ut);
  return std::isfinite(p.x + p.y + p.z + u1 + u2 + ut) ? worst : Real(1e300);
}

struct LocalSolution {
  Three impulse;   // N s
  u32 number;      // of the case
  Real violation;  // m/s; not zero when rounding, or too much friction on a slender body, leaves no case that holds
};

// b: velocities, targets included, without the patch's own impulses.
TALUS_HD LocalSolution solve_patch(const Patch& patch, const Three& b) {
  const Mat<3>& w = patch.w;
  const Real scale = max(max(std::abs(b.x), patch.points == 2 ? std::abs(b.y) : Real(0)), std::abs(b.z));
  const Real tolerance = Real(1e-14) * scale;
  LocalSolution best{{}, 0, 1e300};
  const auto attempt = [&](u32 number) {
    const Case c = case_of(number);
    if (c.second && patch.points == 1) return false;
    const Three p = impulses_of(c, w, b, patch.friction);
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
