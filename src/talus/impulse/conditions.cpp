#include <talus/impulse/conditions.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace talus::impulse {

Real contact_residual(const State<2>& state) {
  const Bodies<2>& b = state.bodies;
  const Patches& p = state.patches;
  const std::vector<u32> index = index_by_uid(b);
  Real worst = 0, pushes = 0;
  int pushing = 0;
  for (std::size_t k = 0; k < p.size(); ++k) {
    const std::size_t first = index[p.key[k].a], second = index[p.key[k].b];
    const Vec2 n = p.normal[k], t{-n.y, n.x}, apart = b.velocity[first] - b.velocity[second];
    const Vec3 r = p.impulse[k];
    const bool is_edge = p.feature[k][1] != no_feature;
    const Real normal = r.x + r.y, bound = p.friction[k] * normal;
    for (int c = 0; c < 3; ++c) {
      if (c == 1 && !is_edge) continue;
      const Real arm_a = p.lever_a[k][c], arm_b = p.lever_b[k][c];
      const Real velocity =
          dot(apart, c == 2 ? t : n) + arm_a * b.spin[first].x - arm_b * b.spin[second].x + p.bias[k][c] + p.softness[k][c] * r[c];
      const Real compliance = p.softness[k][c] > 0 ? p.softness[k][c] : b.inverse_mass[first] + b.inverse_mass[second] +
                              arm_a * arm_a * b.inverse_inertia[first] + arm_b * arm_b * b.inverse_inertia[second];
      const Real moved = r[c] - velocity / compliance;
      const Real allowed = c == 2 ? std::clamp(moved, -bound, bound) : std::max(moved, Real(0));
      worst = std::max(worst, finite_or_infinity(std::abs(r[c] - allowed)));
    }
    pushes += normal;
    pushing += normal > 0;
  }
  if (worst == 0) return 0;
  return pushing == 0 ? HUGE_VAL : worst / (pushes / pushing);
}

}  // namespace talus::impulse
