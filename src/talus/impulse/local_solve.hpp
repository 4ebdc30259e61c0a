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

// What makes the impulses of a case out of the velocities b that the patch would see without its own impulses:
//   n_i = -(push_i . b),   t = slide (n_1 + n_2) - stick (b_t + w_1t n_1 + w_2t n_2)
// It stays the same while the case does. A singular case has numbers that are not finite and is never taken.
struct Elimination {
  PatchVec push[2];
  Real slide = 0, stick = 0;
};

TALUS_HD Elimination eliminate(const Case& c, const Mat<3>& w, Real mu) {
  Elimination e;
  if (c.mode == Mode::open) return e;
  // Friction first: t = -(b_t + w_1t n_1 + w_2t n_2) / w_tt when it sticks, t = slide (n_1 + n_2) when it slides.
  e.stick = c.mode == Mode::stick ? 1 / w(2, 2) : 0;
  e.slide = c.mode == Mode::forward ? mu : c.mode == Mode::backward ? -mu : 0;
  const Real s1 = w(0, 2) * e.stick, s2 = w(1, 2) * e.stick;
  const Real a11 = w(0, 0) - w(0, 2) * s1 + e.slide * w(0, 2), a12 = w(0, 1) - w(1, 2) * s1 + e.slide * w(0, 2),
             a21 = w(0, 1) - w(0, 2) * s2 + e.slide * w(1, 2), a22 = w(1, 1) - w(1, 2) * s2 + e.slide * w(1, 2);
  if (c.first && c.second) {
    const Real d = 1 / (a11 * a22 - a12 * a21);
    e.push[0] = {d * a22, -d * a12, d * (a12 * s2 - a22 * s1)};
    e.push[1] = {-d * a21, d * a11, d * (a21 * s1 - a11 * s2)};
  } else if (c.first) {
    e.push[0] = {1 / a11, 0, -s1 / a11};
  } else {
    e.push[1] = {0, 1 / a22, -s2 / a22};
  }
  return e;
}

template <class T>
TALUS_HD Vec<3, T> impulses_of(const Vec<3, T>& push1, const Vec<3, T>& push2, const T& slide, const T& stick,
                               const T& w1t, const T& w2t, const Vec<3, T>& b) {
  const T n1 = -dot(push1, b), n2 = -dot(push2, b);
  return {n1, n2, slide * (n1 + n2) - stick * (b.z + w1t * n1 + w2t * n2)};
}

// How far impulses are from fulfilling the conditions of their case that elimination has not fulfilled already. m/s; zero:
// they hold. Threes count as the velocities they make.
TALUS_HD Real violation(const Case& c, const Mat<3>& w, const PatchVec& b, Real mu, u32 points, const PatchVec& p) {
  const PatchVec own = w * p;
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
  PatchVec impulse;  // N s
  u32 number;        // of the case
  Real violation;    // m/s; not zero when rounding, or too much friction on a slender body, leaves no case that holds
};

// b: velocities, bias included, without the patch's own impulses. `hint`: the case that is tried first.
TALUS_HD LocalSolution solve_local(const Mat<3>& w, Real mu, u32 points, u32 hint, const PatchVec& b) {
  const Real scale = max(max(std::abs(b.x), points == 2 ? std::abs(b.y) : Real(0)), std::abs(b.z));
  const Real tolerance = Real(1e-14) * scale;
  LocalSolution best{{}, 0, 1e300};
  const auto attempt = [&](u32 number) {
    const Case c = case_of(number);
    if ((c.second && points == 1) || (c.mode == Mode::stick && mu == 0)) return false;
    const Elimination e = eliminate(c, w, mu);
    const PatchVec p = impulses_of(e.push[0], e.push[1], e.slide, e.stick, w(0, 2), w(1, 2), b);
    const Real v = violation(c, w, b, mu, points, p);
    if (v < best.violation) best = {p, number, v};
    return v <= tolerance;
  };
  if (attempt(hint)) return best;
  for (u32 number = 0; number < case_count; ++number)
    if (number != hint && attempt(number)) return best;
  return best;
}

// The case that impulses look like.
TALUS_HD u32 case_like(const PatchVec& p, Real mu) {
  if (!(p.x > 0) && !(p.y > 0)) return 0;
  const Real bound = mu * normal_of(p);
  const u32 friction = p.z >= bound ? 1 : p.z <= -bound ? 2 : 0;
  return (p.x > 0 && p.y > 0 ? 1 : p.x > 0 ? 4 : 7) + friction;
}

}  // namespace talus::impulse
