#include <talus/geometry/sieve_size.hpp>

#include <algorithm>
#include <cmath>

namespace talus {
namespace {

Real width_along(const std::vector<Vec3>& corners, const Vec3& way) {
  Real low = HUGE_VAL, high = -HUGE_VAL;
  for (const Vec3& c : corners) {
    const Real along = dot(c, way);
    low = min(low, along);
    high = max(high, along);
  }
  return high - low;
}

// The square hole whose sides lie along x and y of a turned frame; z is the direction of view.
Real hole(const std::vector<Vec3>& corners, const Quat& frame) {
  return max(width_along(corners, frame.turned({1, 0, 0})), width_along(corners, frame.turned({0, 1, 0})));
}

// A pattern search from one frame: small turns about each axis, and smaller ones when none helps.
Real improved(const std::vector<Vec3>& corners, Quat frame, Real angle) {
  Real best = hole(corners, frame);
  while (angle > 1e-9) {
    bool better = false;
    for (int k = 0; k < 3; ++k)
      for (const Real sign : {1, -1}) {
        Vec3 turn;
        turn[k] = sign;
        const Quat next = (turn_of_step(turn, angle) * frame).normalised();
        if (const Real side = hole(corners, next); side < best) best = side, frame = next, better = true;
      }
    if (!better) angle /= 2;
  }
  return best;
}

}  // namespace

Real sieve_size(const std::vector<Vec3>& corners) {
  // Frames all over: a lattice on the half sphere of directions, and turns of the square within a right angle.
  constexpr int directions = 600, turns = 12, kept = 24;
  std::vector<std::pair<Real, Quat>> found;
  for (int n = 0; n < directions; ++n) {
    const Real z = (n + 0.5) / directions, angle = 2.399963229728653 * n, r = std::sqrt(1 - z * z);
    const Vec3 way{r * std::cos(angle), r * std::sin(angle), z};
    const Quat tip = Quat{1 + way.z, -way.y, way.x, 0}.normalised();  // turns z onto the way
    for (int t = 0; t < turns; ++t) {
      const Quat frame = tip * Quat::from_axis({0, 0, 1}, pi / 2 * t / turns);
      found.emplace_back(hole(corners, frame), frame);
    }
  }
  std::stable_sort(found.begin(), found.end(), [](const auto& p, const auto& q) { return p.first < q.first; });
  Real best = HUGE_VAL;
  for (int k = 0; k < kept; ++k) best = min(best, improved(corners, found[std::size_t(k)].second, 0.05));
  return best;
}

}  // namespace talus
