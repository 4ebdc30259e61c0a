// What others ask of the explicit method on polygons: time step, contacts, who is to blame.
#include <algorithm>
#include <cmath>

#include <talus/dem/not_finite.hpp>
#include <talus/dem/polygon_pair.hpp>

namespace talus::dem::polygons {
namespace {

// Stiffness of what holds a body, over its mass and inertia: 3 x 3, symmetric, 1/s^2; or its dashpots, 1/s.
struct Held {
  Real xx = 0, xy = 0, yy = 0, xw = 0, yw = 0, ww = 0;

  // A spring along `normal` with a moment arm.
  void add(Real stiffness, const Vec2& normal, Real lever, Real inverse_mass, Real inverse_inertia) {
    const Real m = stiffness * inverse_mass, c = stiffness * lever * std::sqrt(inverse_mass * inverse_inertia);
    xx += m * normal.x * normal.x;
    xy += m * normal.x * normal.y;
    yy += m * normal.y * normal.y;
    xw += c * normal.x;
    yw += c * normal.y;
    ww += stiffness * inverse_inertia * lever * lever;
  }
  // No eigenvalue is larger.
  Real size() const { return std::sqrt(xx * xx + yy * yy + ww * ww + 2 * (xy * xy + xw * xw + yw * yw)); }
};

template <class F>
void for_each_touching(const Model<2>& model, const State<2>& state, const Scratch& s, F&& f) {
  for (std::size_t r = 0; r < s.pairs.key.size(); ++r) {
    if (s.touches[r] != touching) continue;
    const Pair pair(model, state, s, r);
    Patch patch;
    pair.springs(s.axis[r], 0, [&](const Spring& p) { patch.add(p); });
    if (patch.touches()) f(r, pair, patch);
  }
}

}  // namespace

// A spring between two bodies stretches by the sum of what each does, so twice the springs of one body alone bound the whole
// (docs/design/007, 017). With dashpots that see the velocity of half a step ago a step h is stable while 4 - 2 h C - h^2 K is
// positive definite.
TimeStepLimit critical_dt(const Model<2>& model, const State<2>& state, const Scratch& s) {
  const Bodies<2>& b = state.bodies;
  std::vector<Held> springs(b.size()), dashpots(b.size());
  Real most = 0;
  TimeStepLimit limit{HUGE_VAL, 0, 0, HUGE_VAL};
  for_each_touching(model, state, s, [&](std::size_t r, const Pair& pair, const Patch& patch) {
    const Law::Params& law = constants(model)[s.params[r]];
    const Real damping = dashpot(law, pair.mass());
    const auto add = [&](std::vector<Held>& to, Real stiffness, const Vec2& along, const Vec2& at) {
      to[pair.i].add(stiffness, along, moment(at, along).x, b.inverse_mass[pair.i], b.inverse_inertia[pair.i]);
      if (!pair.wall)
        to[pair.j].add(stiffness, along, moment(at + pair.between, along).x, b.inverse_mass[pair.j],
                       b.inverse_inertia[pair.j]);
    };
    pair.springs(s.axis[r], 0, [&](const Spring& p) {
      if (!(p.overlap > 0)) return;
      add(springs, p.weight * law.normal_stiffness, p.normal, p.at);
      add(dashpots, p.weight * damping, p.normal, p.at);
    });
    const Vec2 n = patch.normal();
    add(springs, law.shear_stiffness, {-n.y, n.x}, patch.centre());
  });
  for (std::size_t i = 0; i < state.grains(); ++i) {
    const Real k = 2 * springs[i].size(), c = 2 * dashpots[i].size();
    if (!(k > 0)) continue;
    limit.dt = min(limit.dt, 2 / std::sqrt(k));
    limit.damped = min(limit.damped, 4 / (c + std::sqrt(c * c + 4 * k)));
  }
  // The pair to name: the deepest of the body that is first to become unstable.
  for_each_touching(model, state, s, [&](std::size_t r, const Pair& pair, const Patch& patch) {
    const auto first = [&](std::size_t i) { return 2 / std::sqrt(2 * springs[i].size()) <= limit.dt; };
    if ((!first(pair.i) && (pair.wall || !first(pair.j))) || !(patch.deepest > most)) return;
    most = patch.deepest;
    limit.uid_a = s.pairs.key[r].a;
    limit.uid_b = s.pairs.key[r].b;
  });
  return limit;
}

ContactList<2> contacts(const Model<2>& model, const State<2>& state, const Scratch& s) {
  ContactList<2> list;
  for_each_touching(model, state, s, [&](std::size_t r, const Pair& pair, const Patch& patch) {
    const Law::Params& law = constants(model)[s.params[r]];
    const Real k = law.normal_stiffness, kt = law.shear_stiffness, shear = s.memory.shear[r];
    list.push_back({s.pairs.key[r],
                    pair.i,
                    pair.j,
                    u32(law_index<Law>),
                    patch.normal(),
                    s.action[r].branch,
                    s.action[r].force,
                    patch.deepest,
                    k,
                    {0.5 * k * patch.square, kt > 0 ? 0.5 * shear * shear / kt : 0},
                    patch.centre()});
  });
  return list;
}

u32 culprit(const Model<2>& model, const State<2>& state, const Scratch& s, u32 status) {
  if (status & not_finite) return first_not_finite(state.bodies);
  if (status & too_fast) return farthest_mover(state);
  Real deepest = 0;
  u32 uid = 0;
  for_each_touching(model, state, s, [&](std::size_t r, const Pair& pair, const Patch& patch) {
    const Real share = patch.deepest / pair.smaller_radius();
    if (share > deepest) deepest = share, uid = s.pairs.key[r].a;  // in order of keys: the first of equals
  });
  return uid;
}

}  // namespace talus::dem::polygons
