// What others ask of contact dynamics: contacts, overlaps, who is to blame.
#include <talus/impulse/ledger.hpp>
#include <talus/stages/contact_geometry.hpp>

namespace talus::impulse {

// From the centre of a to where the force of a patch acts: the moment arms tell.
Vec2 arm_of(const Vec2& normal, const PatchVec& lever, const PatchVec& impulse) {
  const Real along = lever.z, across = -(lever.x * impulse.x + lever.y * impulse.y) / normal_of(impulse);
  return along * normal + across * Vec2{-normal.y, normal.x};
}

Real deepest(const Patch& p) {
  Real depth = 0;
  for (int k = 0; k < int(p.points); ++k) depth = max(depth, -p.gap[k]);
  return depth;
}

Real relative_overlap(const State<2>& state, const Patch& p) {
  const Real ra = state.bodies.radius[p.a], rb = state.bodies.radius[p.b];
  return deepest(p) / (rb > 0 ? min(ra, rb) : ra);
}

u32 culprit(const State<2>& state, u32 status) {
  const Bodies<2>& b = state.bodies;
  Real worst = -1;
  u32 uid = 0;
  const auto offer = [&](u32 who, Real badness) {
    if (badness > worst || (badness == worst && who < uid)) worst = badness, uid = who;
  };
  if (status & deep_overlap)
    for (std::size_t k = 0; k < state.patches.size(); ++k) offer(state.patches.key[k].a, state.patches.overlap[k]);
  else
    for (std::size_t i = 0; i < state.grains(); ++i)
      offer(b.uid[i],
            finite_or_infinity(dot(b.position[i], b.position[i]) * Real(0) + dot(b.velocity[i], b.velocity[i])));
  return uid;
}

ContactList<2> contacts(const State<2>& state) {
  const Bodies<2>& b = state.bodies;
  const Patches& p = state.patches;
  const std::vector<u32> index = index_by_uid(b);
  ContactList<2> list;
  for (std::size_t k = 0; k < p.size(); ++k) {
    const Vec3 impulse = p.impulse[k];
    if (!(normal_of(impulse) > 0)) continue;
    const Vec2 n = p.normal[k], t{-n.y, n.x};
    const u32 first = index[p.key[k].a], second = index[p.key[k].b];
    const Vec2 branch = second >= state.grains()
                            ? -1.0 * arm_of(n, p.lever_a[k], impulse)
                            : branch_of(state.globals.cell, b.position[first], b.position[second], p.key[k]);
    list.push_back({p.key[k],
                    first,
                    second,
                    0,
                    n,
                    branch,
                    (1 / state.globals.dt) * (normal_of(impulse) * n + impulse.z * t),
                    p.overlap[k],
                    0,
                    {},
                    arm_of(n, p.lever_a[k], impulse)});
  }
  return list;
}

}  // namespace talus::impulse
