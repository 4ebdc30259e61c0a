#include <talus/impulse/compliant_solver.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

#include <talus/exec/host.hpp>
#include <talus/exec/timers.hpp>

namespace talus::impulse {
namespace {

using exec::Host;

constexpr Real stiffer = 20;  // a contact of aggregates than its bodies; rigid ones: than bodies with their coats
constexpr Real along_slide = 0.1;  // of a contact's weight, kept in the matrix along the way that it slides
constexpr Real gives_too_much = 4;  // times what is asked for: then the solution is improved, at most so often:
constexpr int most_improvements = 8;
constexpr Real stiffened = 3;  // by each of them

Twist along_axis(const SpacePatch& p, int axis, bool a) {
  return a ? Twist{p.axis[axis], p.lever_a[axis]} : Twist{-p.axis[axis], -p.lever_b[axis]};
}

}  // namespace

Twist CompliantSolver::Body::allowed(const Twist& t) const {
  if (!(mass > 0)) return {};
  return {along ? dot(only, t.way) * only : t.way, turns ? t.turn : Vec3{}};
}

Vec3 CompliantSolver::Contact::impulse_at(const Vec3& u, Real limit) const {
  if (is_coat) return {max(carried.x - weight * u.x, least), -lateral * u.y, -lateral * u.z};
  const Vec3 trial = carried - weight * u;
  const Real across = std::sqrt(trial.y * trial.y + trial.z * trial.z), share = !(limit > 0) ? 0 : across > limit ? limit / across : 1;
  return {max(trial.x, Real(0)), share * trial.y, share * trial.z};
}

// ---- the problem of a step ---------------------------------------------------------------------------------------------

void CompliantSolver::lay_out_bodies(const std::vector<SpaceMotion>& free, const std::vector<u32>& order) {
  bodies_.assign(free.size(), {});
  free_.resize(free.size());
  arm_.assign(free.size(), 1);
  own_.assign(free.size(), {});
  moving_.clear();
  for (std::size_t n = 0; n < free.size(); ++n) {
    const std::size_t i = order.empty() ? n : order[n];
    const SpaceMotion& m = free[i];
    Body& b = bodies_[i];
    free_[i] = {m.velocity, m.spin};
    if (!(m.inverse_mass > 0)) continue;
    moving_.push_back(u32(i));
    b.mass = 1 / m.inverse_mass;
    b.along = m.share == 0;
    b.only = m.only;
    const Real trace = m.inverse_inertia(0, 0) + m.inverse_inertia(1, 1) + m.inverse_inertia(2, 2);
    if (trace > 0) b.turns = true, b.inertia = inverse(m.inverse_inertia), arm_[i] = std::sqrt(3 * m.inverse_mass / trace);
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k) {
        const Real held = b.along ? b.only[j] * b.only[k] : Real(j == k);  // where it cannot go the block is 1
        own_[i].at[j][k] = b.mass * held + (Real(j == k) - held);
        own_[i].at[3 + j][3 + k] = b.turns ? b.inertia(j, k) : Real(j == k);
      }
  }
}

void CompliantSolver::add_contact(const SpacePatch& p, bool is_coat, int rows, const std::vector<SpaceMotion>& free) {
  Contact c;
  c.row = u32(rows_.size());
  c.rows = u32(rows);
  c.is_coat = is_coat;
  contacts_.push_back(c);
  const Twist of_a{free[p.a].velocity, free[p.a].spin}, of_b{free[p.b].velocity, free[p.b].spin};
  for (int axis = 0; axis < rows; ++axis) {
    const Twist a = along_axis(p, axis, true), b = along_axis(p, axis, false);
    Row row{p.a, p.b, bodies_[p.a].allowed(a), bodies_[p.b].allowed(b), is_coat ? 0 : p.bias[axis]};
    row.bias += (dot(a, of_a) - dot(row.on_a, of_a)) + (dot(b, of_b) - dot(row.on_b, of_b));  // what bodies do that impulses do not change
    rows_.push_back(row);
  }
}

// Contacts of the same two bodies are one pair, in order of first contacts.
void CompliantSolver::number_pairs() {
  pairs_.clear();
  std::vector<std::vector<u32>> of_body(bodies_.size());
  std::vector<u32> count;
  for (Contact& c : contacts_) {
    const Row& r = rows_[c.row];
    const u32 few = of_body[r.a].size() < of_body[r.b].size() ? r.a : r.b;
    c.pair = u32(pairs_.size());
    for (const u32 n : of_body[few])
      if (pairs_[n].a == r.a && pairs_[n].b == r.b) c.pair = n;
    if (c.pair == pairs_.size()) {
      pairs_.push_back({r.a, r.b, {}, {}, {}});
      of_body[r.a].push_back(c.pair);
      of_body[r.b].push_back(c.pair);
      count.push_back(0);
    }
    ++count[c.pair];
  }
  start_.assign(1, 0);
  for (const u32 n : count) start_.push_back(start_.back() + n);
  of_pair_.resize(contacts_.size());
  std::vector<u32> next(start_.begin(), start_.end() - 1);
  for (u32 k = 0; k < contacts_.size(); ++k) of_pair_[next[contacts_[k].pair]++] = k;
}

void CompliantSolver::lay_out(const Coats& coats, const Points& points, const std::vector<SpaceMotion>& free, const std::vector<u32>& order) {
  lay_out_bodies(free, order);
  rows_.clear();
  contacts_.clear();
  for (const SpaceCoat& c : coats) {
    add_contact(c.patch, true, c.lateral > 0 ? 3 : 1, free);
    Contact& contact = contacts_.back();
    contact.weight = c.weight, contact.lateral = c.lateral, contact.least = c.least, contact.carried = {c.aim, 0, 0};
  }
  coats_ = coats.size();
  for (const SpacePatch& p : points) {
    add_contact(p, false, 3, free);
    Contact& contact = contacts_.back();
    contact.carried = p.impulse, contact.friction = p.friction, contact.bound = p.friction * p.impulse.x;
  }
  number_pairs();
  system_.lay_out(free.size(), moving_, pairs_);
  body_start_.assign(free.size() + 1, 0);
  for (const Row& r : rows_) ++body_start_[r.a + 1], ++body_start_[r.b + 1];
  for (std::size_t i = 0; i < free.size(); ++i) body_start_[i + 1] += body_start_[i];
  places_.resize(body_start_.back());
  std::vector<u32> next(body_start_.begin(), body_start_.end() - 1);
  for (u32 r = 0; r < rows_.size(); ++r) {
    places_[next[rows_[r].a]++] = {r, true};
    places_[next[rows_[r].b]++] = {r, false};
  }
  opening_.assign(contacts_.size(), {});
  towards_.assign(contacts_.size(), {});
  impulse_.assign(contacts_.size(), {});
  row_push_.assign(rows_.size(), 0);
}

void CompliantSolver::begin_at(const std::vector<Twist>& guess) {
  velocity_.resize(free_.size());
  Host::for_each(free_.size(), [&](std::size_t i) {
    const Body& b = bodies_[i];
    const bool touched = body_start_[i + 1] > body_start_[i];
    velocity_[i] = free_[i];  // what impulses do not change
    if (touched) velocity_[i] += b.allowed(guess[i]) + Real(-1) * b.allowed(free_[i]);
  });
}

// Of a contact of aggregates: much stiffer than its bodies are heavy, and so stiff that it gives way by `give` under the mean of what contacts carried. A rigid
// one: much stiffer than its bodies with their coats.
void CompliantSolver::choose_weights(Real give) {
  rigid_ = !(give > 0);
  make_matrix(!rigid_);
  Real sum = 0;
  i64 count = 0;
  for (const Contact& c : contacts_) sum += std::abs(c.carried.x), count += c.carried.x != 0;
  const Real least = !rigid_ && count > 0 ? sum / Real(count) / give : 0;
  Host::for_each(contacts_.size() - coats_, [&](std::size_t n) {
    Contact& c = contacts_[coats_ + n];
    const Row& r = rows_[c.row];
    const auto yields = [&](u32 body, const Twist& on) { return dot(on, bodies_[body].allowed(system_.block_solved(body, on))); };
    const Real softness = yields(r.a, r.on_a) + yields(r.b, r.on_b);
    c.weight = max(least, softness > 0 ? stiffer / softness : 0);
  });
}

// ---- impulses and their potential --------------------------------------------------------------------------------------

Vec3 CompliantSolver::opening(const Contact& c, const std::vector<Twist>& v, bool with_bias) const {
  Vec3 u{};
  for (u32 axis = 0; axis < c.rows; ++axis) {
    const Row& r = rows_[c.row + axis];
    u[int(axis)] = dot(r.on_a, v[r.a]) + dot(r.on_b, v[r.b]) + (with_bias ? r.bias : 0);
  }
  return u;
}

void CompliantSolver::find_impulses() {
  Host::for_each(contacts_.size(), [&](std::size_t k) {
    const Contact& c = contacts_[k];
    opening_[k] = opening(c, velocity_, true);
    impulse_[k] = c.impulse_at(opening_[k]);
    for (u32 axis = 0; axis < c.rows; ++axis) row_push_[c.row + axis] = impulse_[k][int(axis)];
  });
}

Real CompliantSolver::mean_impulse() const {
  Real sum = 0;
  i64 count = 0;
  for (const Vec3& p : impulse_) sum += std::abs(p.x), count += p.x != 0;
  return count > 0 ? sum / Real(count) : 0;
}

Real CompliantSolver::unsettled() const {
  Real most = 0;
  for (std::size_t k = coats_; k < contacts_.size(); ++k) {
    const Contact& c = contacts_[k];
    const Vec3 due = rigid_ ? c.carried : c.impulse_at(opening_[k], c.friction * impulse_[k].x);
    most = max(most, length(impulse_[k] - due));
  }
  return most;
}

// Do contacts of aggregates give way by more than they may? Then these become stiffer, and what all carry is raised to what was found.
bool CompliantSolver::carry_on(Real limit) {
  bool some = false;
  for (std::size_t k = coats_; k < contacts_.size(); ++k) {
    Contact& c = contacts_[k];
    if (!(std::abs(c.carried.x - impulse_[k].x) > limit * c.weight)) continue;
    c.weight *= stiffened;
    some = true;
  }
  for (std::size_t k = coats_; some && k < contacts_.size(); ++k) contacts_[k].carried = impulse_[k];
  return some;
}

Real CompliantSolver::shortage() {
  rest_.resize(bodies_.size());
  Real most = 0;
  Host::raise(
      bodies_.size(),
      [&](std::size_t i) {
        const Body& b = bodies_[i];
        if (!(b.mass > 0)) return rest_[i] = {}, Real(0);
        Twist sum = b.inertia_times({free_[i].way - velocity_[i].way, free_[i].turn - velocity_[i].turn});
        for (u32 k = body_start_[i]; k < body_start_[i + 1]; ++k) {
          const Row& r = rows_[places_[k].row];
          sum += row_push_[places_[k].row] * (places_[k].is_a ? r.on_a : r.on_b);
        }
        rest_[i] = b.allowed(sum);
        const Real size = max(length(rest_[i].way), length(rest_[i].turn) / arm_[i]);
        return size < HUGE_VAL ? size : HUGE_VAL;
      },
      &most);
  return most;
}

Real CompliantSolver::loose() const {
  Real most = 0;
  Host::raise(
      moving_.size(),
      [&](std::size_t n) {
        const u32 i = moving_[n];
        const Twist moved = system_.block_solved(i, rest_[i]);
        const Real size = max(length(moved.way), length(moved.turn) * arm_[i]);
        return size < HUGE_VAL ? size : HUGE_VAL;  // not a number: not solved
      },
      &most);
  return most;
}

// ---- Newton's method ---------------------------------------------------------------------------------------------------

// The second derivative of the potential: of a contact that slides, next to nothing along its way.
void CompliantSolver::add_to_matrix(const Contact& c, const Vec3& u, BodyPair& pair) const {
  const Row* row = rows_.data() + c.row;
  if (c.is_coat) {
    if (c.carried.x - c.weight * u.x > c.least) pair.add(c.weight, row->on_a, row->on_b);
    for (u32 axis = 1; axis < c.rows; ++axis) pair.add(c.lateral, row[axis].on_a, row[axis].on_b);
    return;
  }
  const Vec3 trial = c.carried - c.weight * u;
  if (trial.x > 0) pair.add(c.weight, row->on_a, row->on_b);
  const Real across = std::sqrt(trial.y * trial.y + trial.z * trial.z);
  if (!(c.bound > 0)) return;
  if (!(across > c.bound)) {
    for (int axis = 1; axis < 3; ++axis) pair.add(c.weight, row[axis].on_a, row[axis].on_b);
    return;
  }
  const Real y = trial.y / across, z = trial.z / across, share = c.bound / across;
  pair.add(share * c.weight, Real(-z) * row[1].on_a + y * row[2].on_a, Real(-z) * row[1].on_b + y * row[2].on_b);
  pair.add(along_slide * share * c.weight, y * row[1].on_a + z * row[2].on_a, y * row[1].on_b + z * row[2].on_b);
}

void CompliantSolver::make_matrix(bool bodies_alone) {
  Host::for_each(pairs_.size(), [&](std::size_t n) {
    BodyPair& pair = pairs_[n];
    pair.aa = pair.ab = pair.bb = {};
    if (bodies_alone) return;
    for (u32 k = start_[n]; k < start_[n + 1]; ++k) add_to_matrix(contacts_[of_pair_[k]], opening_[of_pair_[k]], pair);
  });
  system_.take(pairs_, own_);
}

Real CompliantSolver::slope_at(Real way) const {
  const Real inertia = Host::sum<Real>(moving_.size(), [&](std::size_t n) {
    const u32 i = moving_[n];
    const Twist gained{velocity_[i].way + way * change_[i].way - free_[i].way, velocity_[i].turn + way * change_[i].turn - free_[i].turn};
    return dot(change_[i], bodies_[i].inertia_times(gained));
  });
  const Real work = Host::sum<Real>(near_.size(), [&](std::size_t n) {
    const u32 k = near_[n];
    return dot(contacts_[k].impulse_at(opening_[k] + way * towards_[k]), towards_[k]);
  });
  return inertia - work;
}

// How far along change_ the potential falls: all of it where that is nearly its lowest place. The slope only rises.
Real CompliantSolver::step_along() {
  constexpr Real nearly = 0.2;
  constexpr int tries = 12;
  constexpr Real farthest = 64;
  Host::for_each(contacts_.size(), [&](std::size_t k) { towards_[k] = opening(contacts_[k], change_, false); });
  near_.clear();  // contacts that may push on the way
  for (u32 k = 0; k < contacts_.size(); ++k) {
    const Contact& c = contacts_[k];
    if (c.is_coat || c.bound > 0 || max(Real(0), farthest * -towards_[k].x) * c.weight > c.weight * opening_[k].x - c.carried.x) near_.push_back(k);
  }
  const Real first = slope_at(0);
  if (!(first < 0)) return 1;
  Real low = 0, low_slope = first, high = 1, high_slope = slope_at(1);
  while (high_slope < nearly * first && high < farthest) low = high, low_slope = high_slope, high *= 2, high_slope = slope_at(high);
  if (!(high_slope > -nearly * first)) return high;
  int side = 0;
  Real way = high;
  for (int n = 0; n < tries; ++n) {  // regula falsi; an end that stays has its slope halved
    way = (low * high_slope - high * low_slope) / (high_slope - low_slope);
    const Real slope = slope_at(way);
    if (std::abs(slope) <= -nearly * first) break;
    if (slope < 0) {
      low = way, low_slope = slope;
      if (side < 0) high_slope /= 2;
      side = -1;
    } else {
      high = way, high_slope = slope;
      if (side > 0) low_slope /= 2;
      side = 1;
    }
  }
  return way;
}

CompliantReport CompliantSolver::solve(Coats& coats, Points& points, std::vector<SpaceMotion>& free, const std::vector<Twist>& guess,
                                       const CompliantOptions& options, const std::vector<u32>& order) {
  const exec::Stage timed("solve");
  CompliantReport report;
  lay_out(coats, points, free, order);
  begin_at(guess);
  forget_bounds();
  for (const SpaceCoat& c : coats) report.stiffest = max(report.stiffest, c.weight * c.patch.compliance(free[c.patch.a], free[c.patch.b])(0, 0));
  choose_weights(options.give);
  const i64 most = i64(6 * free.size());  // in a round
  const auto exhausted = [&] { return report.rounds == options.max_rounds || (options.max_iterations > 0 && report.iterations >= options.max_iterations); };
  bool settled = false;  // in the round before: velocities follow first
  int improved = 0;
  for (;;) {
    find_impulses();
    const Real mean = mean_impulse(), missing = shortage(), open = unsettled();
    const Real aim = options.tolerance * mean;
    report.momentum = missing == 0 ? 0 : missing / mean;
    report.contact = open == 0 ? 0 : open / mean;
    report.not_converged = !(missing <= aim && open <= aim);
    const bool matrix_made = !report.not_converged && !rigid_;
    if (matrix_made) make_matrix(), report.not_converged = loose() > options.give;
    if (!report.not_converged && (rigid_ || !carry_on(gives_too_much * options.give))) break;
    const bool gives_on = !report.not_converged;  // momentum is solved, but contacts give way too far
    if (exhausted() || !std::isfinite(missing) || (gives_on && improved++ == most_improvements)) {
      report.not_converged = true;
      break;
    }
    ++report.rounds;
    if (!report.not_converged) continue;
    const Real near = settled ? aim : max(aim, rigid_ ? Real(0.1) * open : 3 * open);
    settled = !matrix_made && !(missing > near);
    if (settled) {
      settle();
      continue;
    }
    if (!matrix_made) make_matrix();
    const Real enough = max(Real(0.3) * max(aim, Real(0.03) * open), Real(0.1) * missing);
    report.iterations += system_.solve(rest_, change_, {arm_, enough, rigid_ ? HUGE_VAL : Real(0.3) * options.give * max(enough / aim, Real(1))}, most);
    const Real way = step_along();
    Host::for_each(free.size(), [&](std::size_t i) { velocity_[i] += way * change_[i]; });
  }
  for (std::size_t k = 0; k < coats.size(); ++k) coats[k].patch.impulse = impulse_[k];
  for (std::size_t k = 0; k < points.size(); ++k) points[k].impulse = impulse_[coats.size() + k];
  for (std::size_t i = 0; i < free.size(); ++i) free[i].velocity = velocity_[i].way, free[i].spin = velocity_[i].turn;
  return report;
}

}  // namespace talus::impulse
