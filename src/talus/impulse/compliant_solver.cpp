#include <talus/impulse/compliant_solver.hpp>

#include <algorithm>
#include <cmath>

#include <talus/exec/host.hpp>
#include <talus/exec/timers.hpp>

namespace talus::impulse {
namespace {

using exec::Host;

constexpr std::size_t few_rows = 4096;  // up to so many one thread multiplies: an iteration is too short to be shared out
constexpr Real stiffer = 20;  // a rigid point than its bodies together with their coats

Twist along_axis(const SpacePatch& p, int axis, bool a) {
  return a ? Twist{p.axis[axis], p.lever_a[axis]} : Twist{-p.axis[axis], -p.lever_b[axis]};
}

}  // namespace

// ---- one body ----------------------------------------------------------------------------------------------------------

Twist CompliantSolver::Body::allowed(const Twist& t) const {
  if (!(mass > 0)) return {};
  return {along ? dot(only, t.way) * only : t.way, turns ? t.turn : Vec3{}};
}

Twist CompliantSolver::Body::inertia_times(const Twist& t) const { return {mass * t.way, inertia * t.turn}; }

Twist CompliantSolver::Body::block_solved(const Twist& r) const {
  Real x[6] = {r.way.x, r.way.y, r.way.z, r.turn.x, r.turn.y, r.turn.z};
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < i; ++j) x[i] -= root[i][j] * x[j];
    x[i] /= root[i][i];
  }
  for (int i = 5; i >= 0; --i) {
    for (int j = i + 1; j < 6; ++j) x[i] -= root[j][i] * x[j];
    x[i] /= root[i][i];
  }
  return allowed({{x[0], x[1], x[2]}, {x[3], x[4], x[5]}});
}

// ---- the problem of a step ---------------------------------------------------------------------------------------------

void CompliantSolver::add_row(const SpacePatch& p, int axis, Real bias, const std::vector<SpaceMotion>& free) {
  const Twist a = along_axis(p, axis, true), b = along_axis(p, axis, false);
  const Row row{p.a, p.b, bodies_[p.a].allowed(a), bodies_[p.b].allowed(b), 0};
  rows_.push_back(row);
  // What bodies do that impulses do not change.
  const Twist of_a{free[p.a].velocity, free[p.a].spin}, of_b{free[p.b].velocity, free[p.b].spin};
  rows_.back().bias = bias + (dot(a, of_a) - dot(row.on_a, of_a)) + (dot(b, of_b) - dot(row.on_b, of_b));
}

void CompliantSolver::lay_out(const Coats& coats, const Points& points, const std::vector<SpaceMotion>& free) {
  bodies_.assign(free.size(), {});
  free_.resize(free.size());
  arm_.assign(free.size(), 1);
  for (std::size_t i = 0; i < free.size(); ++i) {
    const SpaceMotion& m = free[i];
    Body& b = bodies_[i];
    free_[i] = {m.velocity, m.spin};
    if (!(m.inverse_mass > 0)) continue;
    b.mass = 1 / m.inverse_mass;
    b.along = m.share == 0;
    b.only = m.only;
    const Real trace = m.inverse_inertia(0, 0) + m.inverse_inertia(1, 1) + m.inverse_inertia(2, 2);
    if (!(trace > 0)) continue;
    b.turns = true;
    b.inertia = inverse(m.inverse_inertia);
    arm_[i] = std::sqrt(3 * m.inverse_mass / trace);
  }
  rows_.clear();
  first_row_.clear();
  for (const SpaceCoat& c : coats) {
    first_row_.push_back(u32(rows_.size()));
    for (int axis = 0; axis < (c.lateral > 0 ? 3 : 1); ++axis) add_row(c.patch, axis, 0, free);
  }
  for (const SpacePatch& p : points) {
    first_row_.push_back(u32(rows_.size()));
    for (int axis = 0; axis < 3; ++axis) add_row(p, axis, p.bias[axis], free);
  }
  first_row_.push_back(u32(rows_.size()));
  start_.assign(free.size() + 1, 0);
  for (const Row& r : rows_) ++start_[r.a + 1], ++start_[r.b + 1];
  for (std::size_t i = 0; i < free.size(); ++i) start_[i + 1] += start_[i];
  places_.resize(start_.back());
  std::vector<u32> next(start_.begin(), start_.end() - 1);
  for (u32 r = 0; r < rows_.size(); ++r) {
    places_[next[rows_[r].a]++] = {r, true};
    places_[next[rows_[r].b]++] = {r, false};
  }
  impulse_.assign(coats.size() + points.size(), {});
  multiplier_.resize(points.size());
  for (std::size_t k = 0; k < points.size(); ++k) multiplier_[k] = points[k].impulse;
  row_push_.assign(rows_.size(), 0);
  times_.resize(free.size());
}

// Sum over a body's rows of a number of each row, in order of rows.
template <class Impulse>
Twist CompliantSolver::gathered(std::size_t body, const Impulse& of) const {
  Twist sum;
  for (u32 k = start_[body]; k < start_[body + 1]; ++k) {
    const Row& r = rows_[places_[k].row];
    sum += of(places_[k].row) * (places_[k].is_a ? r.on_a : r.on_b);
  }
  return sum;
}

// The blocks of the matrix, each of one body, and their roots.
void CompliantSolver::make_blocks() {
  Host::for_each(bodies_.size(), [&](std::size_t i) {
    Body& b = bodies_[i];
    if (!(b.mass > 0)) return;
    Real m[6][6]{};
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k) {
        const Real held = b.along ? b.only[j] * b.only[k] : Real(j == k);  // where it cannot go the block is 1
        m[j][k] = b.mass * held + (Real(j == k) - held);
        m[3 + j][3 + k] = b.turns ? b.inertia(j, k) : Real(j == k);
      }
    for (u32 n = start_[i]; n < start_[i + 1]; ++n) {
      const Row& r = rows_[places_[n].row];
      if (!(r.weight > 0)) continue;
      const Twist& on = places_[n].is_a ? r.on_a : r.on_b;
      const Real x[6] = {on.way.x, on.way.y, on.way.z, on.turn.x, on.turn.y, on.turn.z};
      for (int j = 0; j < 6; ++j)
        for (int k = 0; k <= j; ++k) m[j][k] += r.weight * x[j] * x[k];
    }
    for (int j = 0; j < 6; ++j)
      for (int k = 0; k <= j; ++k) {
        Real sum = m[j][k];
        for (int l = 0; l < k; ++l) sum -= b.root[j][l] * b.root[k][l];
        b.root[j][k] = j == k ? std::sqrt(sum) : sum / b.root[k][k];
      }
  });
}

// ---- impulses ----------------------------------------------------------------------------------------------------------

void CompliantSolver::linearise_coat(const SpaceCoat& c, std::size_t k) {
  Row* row = rows_.data() + first_row_[k];
  const Real pull = c.aim - c.weight * (opening(*row, velocity_) + row->bias);
  row->weight = pull > c.least ? c.weight : 0;
  impulse_[k] = {max(pull, c.least), 0, 0};
  if (!(c.lateral > 0)) return;
  for (int axis = 1; axis < 3; ++axis) {
    row[axis].weight = c.lateral;
    impulse_[k][axis] = -c.lateral * (opening(row[axis], velocity_) + row[axis].bias);
  }
}

void CompliantSolver::linearise_point(const SpacePatch& p, std::size_t k) {
  const std::size_t coats = impulse_.size() - push_.size();
  Row* row = rows_.data() + first_row_[coats + k];
  const Real w = push_[k];
  Vec3 trial = multiplier_[k];
  for (int axis = 0; axis < 3; ++axis) trial[axis] -= w * (opening(row[axis], velocity_) + row[axis].bias);
  // The bound of friction is that of the multiplier: each round has a convex problem. With the bound of the impulse itself rounds went in circles.
  const Real normal = max(trial.x, Real(0)), bound = p.friction * multiplier_[k].x, across = std::sqrt(trial.y * trial.y + trial.z * trial.z);
  row[0].weight = trial.x > 0 ? w : 0;
  const Real share = !(bound > 0) ? 0 : across > bound ? bound / across : 1;  // sliding: towards its bound
  // Newton's matrix, with nothing along the way of a point that slides, goes in circles.
  row[1].weight = row[2].weight = share * w;
  impulse_[coats + k] = {normal, share * trial.y, share * trial.z};
}

void CompliantSolver::linearise(const Coats& coats, const Points& points) {
  Host::for_each(coats.size(), [&](std::size_t k) { linearise_coat(coats[k], k); }, few_rows);
  Host::for_each(points.size(), [&](std::size_t k) { linearise_point(points[k], k); }, few_rows);
  Host::for_each(impulse_.size(), [&](std::size_t k) {
    for (u32 r = first_row_[k]; r < first_row_[k + 1]; ++r) row_push_[r] = impulse_[k][int(r - first_row_[k])];
  }, few_rows);
}

Real CompliantSolver::mean_impulse() const {
  Real sum = 0;
  i64 count = 0;
  for (const Vec3& p : impulse_) sum += std::abs(p.x), count += p.x != 0;
  return count > 0 ? sum / Real(count) : 0;
}

Real CompliantSolver::unsettled() const {
  const std::size_t coats = impulse_.size() - multiplier_.size();
  Real most = 0;
  for (std::size_t k = 0; k < multiplier_.size(); ++k) most = max(most, length(impulse_[coats + k] - multiplier_[k]));
  return most;
}

Real CompliantSolver::shortage() {
  rest_.resize(bodies_.size());
  Real most = 0;
  Host::raise(
      bodies_.size(),
      [&](std::size_t i) {
        const Body& b = bodies_[i];
        if (!(b.mass > 0)) return rest_[i] = {}, Real(0);
        const Twist lost = b.inertia_times({free_[i].way - velocity_[i].way, free_[i].turn - velocity_[i].turn});
        rest_[i] = b.allowed(lost + gathered(i, [&](u32 r) { return row_push_[r]; }));
        const Real size = max(length(rest_[i].way), length(rest_[i].turn) / arm_[i]);
        return size < HUGE_VAL ? size : HUGE_VAL;
      },
      &most);
  return most;
}

// ---- conjugate gradients -----------------------------------------------------------------------------------------------

void CompliantSolver::multiply() {
  Host::for_each(rows_.size(), [&](std::size_t r) {
    row_push_[r] = rows_[r].weight > 0 ? rows_[r].weight * opening(rows_[r], ahead_) : 0;
  }, few_rows);
  Host::for_each(bodies_.size(), [&](std::size_t i) {
    const Body& b = bodies_[i];
    times_[i] = b.mass > 0 ? b.allowed(b.inertia_times(ahead_[i]) + gathered(i, [&](u32 r) { return row_push_[r]; })) : Twist{};
  });
}

// change_, which makes up for rest_ as far as impulses are linear. How many iterations it took.
i64 CompliantSolver::find_change(Real tolerance, i64 most, const std::vector<u32>& order) {
  const std::size_t n = bodies_.size();
  const auto product = [&](const std::vector<Twist>& x, const std::vector<Twist>& y) {
    return Host::sum<Real>(n, [&](std::size_t k) {
      const std::size_t i = order.empty() ? k : order[k];
      return dot(x[i], y[i]);
    });
  };
  const auto solve_blocks = [&] {
    Host::for_each(n, [&](std::size_t i) { solved_[i] = bodies_[i].mass > 0 ? bodies_[i].block_solved(rest_[i]) : Twist{}; });
  };
  solved_.resize(n);
  change_.assign(n, {});
  solve_blocks();
  ahead_ = solved_;
  Real size = product(rest_, solved_);
  for (i64 k = 0; k < most; ++k) {
    multiply();
    const Real bend = product(ahead_, times_);
    if (!(bend > 0)) return k;
    const Real way = size / bend;
    Real left = 0;
    Host::for_each(n, [&](std::size_t i) { change_[i] += way * ahead_[i], rest_[i] += -way * times_[i]; });
    Host::raise(n, [&](std::size_t i) { return max(length(rest_[i].way), length(rest_[i].turn) / arm_[i]); }, &left);
    if (!(left > tolerance)) return k + 1;
    solve_blocks();
    const Real next = product(rest_, solved_), share = next / size;
    Host::for_each(n, [&](std::size_t i) { ahead_[i] = solved_[i] + share * ahead_[i]; });
    size = next;
  }
  return most;
}

CompliantReport CompliantSolver::solve(Coats& coats, Points& points, std::vector<SpaceMotion>& free, const std::vector<Twist>& guess,
                                       const CompliantOptions& options, const std::vector<u32>& order) {
  const exec::Stage timed("solve");
  CompliantReport report;
  push_.assign(points.size(), 0);
  lay_out(coats, points, free);
  velocity_.resize(free.size());
  Host::for_each(free.size(), [&](std::size_t i) {
    velocity_[i] = bodies_[i].allowed(guess[i]);
    const Twist driven = bodies_[i].allowed(free_[i]);
    velocity_[i] += free_[i] + Real(-1) * driven;  // what impulses do not change
  });
  // How stiff bodies are with their coats: points are so much stiffer.
  for (std::size_t k = 0; k < coats.size(); ++k) {
    rows_[first_row_[k]].weight = coats[k].weight;
    const SpacePatch& p = coats[k].patch;
    report.stiffest = max(report.stiffest, coats[k].weight * p.compliance(free[p.a], free[p.b])(0, 0));
  }
  make_blocks();
  Host::for_each(points.size(), [&](std::size_t k) {
    const Row& r = rows_[first_row_[coats.size() + k]];
    const auto yields = [&](u32 body, const Twist& on) { return bodies_[body].mass > 0 ? dot(on, bodies_[body].block_solved(on)) : Real(0); };
    push_[k] = stiffer / (yields(r.a, r.on_a) + yields(r.b, r.on_b));
  });
  const i64 most = options.max_iterations > 0 ? options.max_iterations : i64(6 * free.size());
  for (;;) {
    linearise(coats, points);
    const Real mean = mean_impulse(), missing = shortage(), open = unsettled();
    const Real aim = options.tolerance * mean;
    report.momentum = missing == 0 ? 0 : missing / mean;
    report.contact = open == 0 ? 0 : open / mean;
    report.not_converged = !(missing <= aim && open <= aim);
    if (!report.not_converged || report.rounds == options.max_rounds || !std::isfinite(missing)) break;
    ++report.rounds;
    if (!(missing > max(aim, Real(0.1) * open))) {
      std::copy(impulse_.begin() + std::ptrdiff_t(coats.size()), impulse_.end(), multiplier_.begin());
      continue;
    }
    make_blocks();
    report.iterations += find_change(Real(0.3) * max(aim, Real(0.03) * open), most, order);
    Host::for_each(free.size(), [&](std::size_t i) { velocity_[i] += change_[i]; });
  }
  for (std::size_t k = 0; k < coats.size(); ++k) coats[k].patch.impulse = impulse_[k];
  for (std::size_t k = 0; k < points.size(); ++k) points[k].impulse = impulse_[coats.size() + k];
  for (std::size_t i = 0; i < free.size(); ++i) free[i].velocity = velocity_[i].way, free[i].spin = velocity_[i].turn;
  return report;
}

}  // namespace talus::impulse
