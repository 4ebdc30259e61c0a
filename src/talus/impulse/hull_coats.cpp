#include <talus/impulse/hull_coats.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

#include <talus/exec/host.hpp>
#include <talus/exec/timers.hpp>

namespace talus::impulse {
namespace {

using exec::Host;

SpaceCoat row_of(const CoatStep& law, const State<3>& state, const HullScratch& s, u32 n) {
  const CoatContact& c = s.coat_contacts[n];
  const std::size_t row = s.rows[n], a = s.pairs.body_a[row], b = s.pairs.body_b[row];
  const Real dt = state.globals.dt;
  const Soft<3> soft = law.soften(c.touch, c.memory);
  SpaceCoat out;
  out.patch.a = u32(a);
  out.patch.b = u32(b);
  out.patch.set_frame(c.touch.normal, c.at - state.bodies.position[a], c.at - state.bodies.position[b]);
  out.patch.place = c.at;
  out.aim = dt * soft.a;
  out.weight = dt * soft.b;
  out.least = dt * soft.least;
  out.lateral = dt * soft.lateral;
  return out;
}

constexpr i64 most_rounds = 2000;  // of Newton's method

// m/s, by which contacts of aggregates may give way under the mean impulse of the step before.
Real give_of(const StepOptions& options, const State<3>& state, const HullScratch& s) { return options.contact_give * s.pairs.least_radius / state.globals.dt; }

// N s, by how much a contact of aggregates is off what holds whatever its stiffness: it does not push while it parts, and friction stays within its bound, at it and against the
// slip where it slides by more than it may give way.
Real off_coulomb(const SpacePatch& p, const PatchVec& u, Real give) {
  const Real bound = p.friction * p.impulse.x;
  const Vec2 t{p.impulse.y, p.impulse.z}, slip{u.y, u.z};
  const Real size = length(slip), pulls = max(-p.impulse.x, Real(0)), parts = u.x > 4 * give ? std::abs(p.impulse.x) : 0;
  const Real beyond = max(length(t) - bound, Real(0)), aside = size > 4 * give ? length(t + (bound / size) * slip) : 0;
  return max(max(pulls, parts), max(beyond, aside));
}

}  // namespace

CoatedReport solve_with_coats(const CoatStep& law, const StepOptions& options, const State<3>& state, HullScratch& s) {
  s.coat_row.clear();
  for (u32 n = 0; n < s.coat_contacts.size(); ++n)
    if (s.coat_contacts[n].touch.area > 0) s.coat_row.push_back(n);
  s.coats.resize(s.coat_row.size());
  Host::for_each(s.coats.size(), [&](std::size_t k) { s.coats[k] = row_of(law, state, s, s.coat_row[k]); });
  // Sums over bodies in order of their uids: searches put bodies into another order.
  std::vector<u32> order(s.motion.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](u32 i, u32 j) { return state.bodies.uid[i] < state.bodies.uid[j]; });
  s.solver.forget();
  const CompliantReport r = s.coat_solver.solve(s.coats, s.patches, s.motion, s.guess, {options.tolerance, most_rounds, options.max_sweeps, give_of(options, state, s)}, order);
  for (std::size_t i = 0; i < s.guess.size(); ++i) s.guess[i] = {s.motion[i].velocity, s.motion[i].spin};
  return {{r.iterations, max(r.momentum, r.contact), r.not_converged}, r.stiffest};
}

Real advance_coats(const CoatStep& law, const StepOptions& options, const State<3>& state, HullScratch& s) {
  const exec::Stage timed("coats");
  for (CoatContact& c : s.coat_contacts)
    if (!(c.touch.area > 0)) c.memory = {};
  Real off = 0, sum = 0;
  Host::raise(
      s.coats.size(),
      [&](std::size_t k) {
        const SpacePatch& p = s.coats[k].patch;
        CoatContact& c = s.coat_contacts[s.coat_row[k]];
        const PatchVec u = p.velocities(s.motion[p.a], s.motion[p.b]);
        const Vec3 force = law.advance(c.touch, u.x * p.axis[0] + u.y * p.axis[1] + u.z * p.axis[2], c.memory);
        return std::abs(state.globals.dt * dot(force, p.axis[0]) - p.impulse.x);
      },
      &off);
  const Real give = give_of(options, state, s);
  for (const SpacePatch& p : s.patches) off = max(off, off_coulomb(p, p.velocities(s.motion[p.a], s.motion[p.b]), give));
  i64 pushing = 0;
  for (const SpaceCoat& c : s.coats) sum += std::abs(c.patch.impulse.x), ++pushing;
  for (const SpacePatch& p : s.patches) sum += p.impulse.x, pushing += p.impulse.x > 0;
  return off > 0 ? off * Real(pushing) / sum : 0;
}

}  // namespace talus::impulse
