#include <talus/impulse/solver.hpp>

#include <algorithm>
#include <cmath>

#include <talus/core/assert.hpp>
#include <talus/exec/host.hpp>
#include <talus/exec/timers.hpp>
#include <talus/impulse/packed_sweeps.hpp>
#include <talus/impulse/space_solve.hpp>

namespace talus::impulse {
namespace {

// |p - projection(p - u / w)| of a patch, N s; an elastic contact has its softness in the place of w: then it is by how much p is off its law.
Real natural_map(const Patch& patch, const PatchVec& u) {
  const auto normal = [](Real p, Real velocity, Real w) { return std::abs(p - max(Real(0), p - velocity / w)); };
  const PatchVec& p = patch.impulse;
  const auto measure = [&patch](int k) { return patch.softness[k] > 0 ? patch.softness[k] : patch.w(k, k); };
  Real worst = normal(p.x, u.x, measure(0));
  if (patch.points == 2) worst = max(worst, normal(p.y, u.y, measure(1)));
  const Real bound = patch.friction * normal_of(p);
  worst = max(worst, std::abs(p.z - clamp(p.z - u.z / measure(2), -bound, bound)));
  return std::isfinite(u.x + u.y + u.z + normal_of(p) + p.z) ? worst : HUGE_VAL;
}

// All impulses to their bodies, those of a body in the order of the patches.
template <class Patch, class Motion>
void apply_all(const std::vector<Patch>& patches, std::vector<Motion>& bodies) {
  exec::Host::each_range(bodies.size(), [&](const exec::Range& mine) {
    for (const Patch& p : patches) {
      if (mine.holds(p.a)) p.apply_to_a(p.impulse, bodies[p.a]);
      if (mine.holds(p.b)) p.apply_to_b(p.impulse, bodies[p.b]);
    }
  });
}

// How far to go on the way that sweeps were going, before the next one. Two series, both begun anew when a sweep turned back
// (O'Donoghue & Candes 2015): `careful` takes the ratio of changes, as conjugate gradients do, and stops when changes
// grow (Silcowitz-Hansen, Niebe & Erleben 2010); `bold` lets them grow, no faster than Nesterov's series. Where one of them
// comes to a halt the other goes on. Friction makes both run in circles on some problems: after four halts extrapolation is `steady`, careful
// with less momentum and with sweeps that go most of their way only.
class Momentum {
 public:
  Momentum(Acceleration how, bool damps) : how_(how), damps_(damps) {}

  // `changed`: how large the changes of the sweep were, relative to the impulses.
  Extrapolation after(const Progress& sweep, Real changed) {
    if (how_ == Acceleration::none && !damps_) return {};
    if (how_ == Acceleration::momentum || damps_) watch(changed);
    if (how_ == Acceleration::none) return {0, std::max(Real(0.3), std::pow(Real(0.7), Real(halts_)))};
    const Real ratio = last_ > 0 ? sweep.change / last_ : 0, next = (1 + std::sqrt(1 + 4 * series_ * series_)) / 2;
    const Real most = (series_ - 1) / next;
    const bool turned = sweep.along < 0, steady = is_steady(), bold = halts_ % 5 % 2 == 1;
    const Real part = steady ? Real(0.7) : 1;
    last_ = sweep.change;
    series_ = turned ? 1 : next;
    if (turned || !(ratio < HUGE_VAL)) return {0, part};
    return {bold ? min(ratio, most) : ratio > 1 ? 0 : steady ? min(ratio, Real(0.9)) : ratio, part};
  }

 private:
  bool is_steady() const { return halts_ % 5 == 4; }
  void watch(Real changed) {
    const i64 patience = how_ == Acceleration::none ? 10000 : is_steady() ? 500 : 60;  // sweeps without a tenth of progress
    ++sweeps_;
    const bool halted = sweeps_ - last_best_ > patience;
    if (!(changed < Real(0.9) * best_) && !halted) return;
    halts_ += halted;
    best_ = changed;
    last_best_ = sweeps_;
  }

  Acceleration how_;
  bool damps_;
  Real last_ = 0, series_ = 1, best_ = HUGE_VAL;
  i64 sweeps_ = 0, last_best_ = 0, halts_ = 0;
};

// Until the residual is at the tolerance, or so many sweeps. How many it took. Every member of the team comes to the same.
template <class Work>
i64 sweep_until(const exec::Member& me, Work& work, Real tolerance, i64 max_sweeps, Acceleration how, bool damps) {
  Momentum momentum(how, damps);
  Extrapolation extrapolation;
  i64 look = 1, failed = 0;
  for (i64 sweeps = 1;; ++sweeps) {
    const Progress done = work.sweep(me, extrapolation, sweeps);
    if (sweeps == max_sweeps) return sweeps;
    // The residual costs more than half a sweep. With momentum, what a sweep still changes is close to it: it is looked at once
    // that is small enough, and now and then in case it is not. Plain sweeps change less and less: it is looked at less and less
    // often.
    const Real changed = done.seen.relative();
    const bool due = how == Acceleration::none || !(changed > Real(1.5) * tolerance) || sweeps >= 2 * look;
    if (sweeps >= look && due) {
      if (work.residual(me) <= tolerance) return sweeps;
      look = sweeps + 1 + (how == Acceleration::none ? min(sweeps / 8, i64(32)) : min(failed++, i64(8)));
    }
    extrapolation = momentum.after(done, changed);
  }
}

}  // namespace

template <class Patch, class Motion>
Real residual(const std::vector<Patch>& patches, const std::vector<Motion>& bodies) {
  Real worst = 0, sum = 0;
  exec::Host::raise(
      patches.size(),
      [&](std::size_t i) {
        return natural_map(patches[i], patches[i].yielding(bodies[patches[i].a], bodies[patches[i].b]));
      },
      &worst);
  i64 pushing = 0;
  for (const Patch& p : patches) {
    sum += p.normal_impulse();
    pushing += p.normal_impulse() > 0;
  }
  return relative_residual(worst, sum, pushing);
}

// Compliances, and the motion that the impulses give which patches start with.
template <class Patch, class Motion, class Work>
void BasicSolver<Patch, Motion, Work>::prepare(std::vector<Patch>& patches, std::vector<Motion>& bodies) {
  const exec::Stage timed("prepare");
  free_ = bodies;
  arranged_ = false;
  Real stuck = 0;
  exec::Host::raise(
      patches.size(),
      [&](std::size_t i) {
        Patch& p = patches[i];
        if constexpr (requires { p.points; })
          if (p.points == 1) p.impulse.y = 0;
        p.w = p.compliance(bodies[p.a], bodies[p.b]);
        return Real(!moves(bodies[p.a]) && !moves(bodies[p.b]));
      },
      &stuck);
  TALUS_ASSERT(stuck == 0 && "one body of each patch can move");
  apply_all(patches, bodies);
}

template <class Patch, class Motion, class Work>
SolverReport BasicSolver<Patch, Motion, Work>::solve(std::vector<Patch>& patches, std::vector<Motion>& bodies,
                                                     const SolverOptions& options) {
  prepare(patches, bodies);
  const exec::Stage timed("solve");
  SolverReport report;
  report.residual = residual(patches, bodies);
  if (report.residual <= options.tolerance) return report;
  work_.arrange(patches, bodies);
  arranged_ = true;
  work_.pose(patches, bodies);
  Real aim = options.tolerance;
  while (!(report.residual <= options.tolerance) && report.sweeps < options.max_sweeps) {
    const i64 left = options.max_sweeps - report.sweeps;
    exec::Host::team(work_.workers(), [&](const exec::Member& me) {
      const i64 sweeps = sweep_until(me, work_, aim, left, options.acceleration, options.damps);
      if (me.part == 0) report.sweeps += sweeps;
    });
    // Velocities anew from the impulses: after many sweeps the sum of the changes has rounding of its own.
    bodies = free_;
    exec::Host::for_each(patches.size(), [&](std::size_t i) { patches[i].impulse = work_.impulse_of(i); });
    apply_all(patches, bodies);
    report.residual = residual(patches, bodies);
    work_.take_velocities(bodies);
    aim *= Real(0.9);
  }
  report.not_converged = !(report.residual <= options.tolerance);
  return report;
}

template <class Patch, class Motion, class Work>
void BasicSolver<Patch, Motion, Work>::separate(const std::vector<Patch>& patches, const std::vector<Motion>& bodies,
                                                const std::vector<PatchVec>& gaps, const SolverOptions& options,
                                                std::vector<Motion>& displaced) {
  if (!arranged_) work_.arrange(patches, bodies);
  arranged_ = true;
  work_.pose_gaps(patches, bodies, gaps);
  exec::Host::team(work_.workers(), [&](const exec::Member& me) {
    sweep_until(me, work_, options.tolerance, options.max_sweeps, options.acceleration, false);
  });
  displaced.resize(bodies.size());
  exec::Host::for_each(bodies.size(), [&](std::size_t i) { displaced[i] = work_.motion_of(i); });
}

template class BasicSolver<Patch, Motion, PackedSweeps>;
template class BasicSolver<SpacePatch, SpaceMotion, SpaceSweeps>;
template Real residual(const std::vector<Patch>&, const std::vector<Motion>&);
template Real residual(const std::vector<SpacePatch>&, const std::vector<SpaceMotion>&);

SolverReport solve(std::vector<Patch>& patches, std::vector<Motion>& bodies, const SolverOptions& options) {
  return Solver().solve(patches, bodies, options);
}

}  // namespace talus::impulse
