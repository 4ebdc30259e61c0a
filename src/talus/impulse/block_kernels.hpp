#pragma once
// What a sweep does to a block of patches, several lanes at a time: improving them, and judging them.
#include <bit>
#include <cmath>
#include <cstring>

#include <talus/core/lanes.hpp>
#include <talus/impulse/local_solve.hpp>
#include <talus/impulse/packed_sweeps.hpp>

namespace talus::impulse::kernels {

inline constexpr i64 idle_for = 4;  // sweeps, before blocks whose patches are all open are looked at again
inline constexpr int N = native_lanes < int(Block::size) ? native_lanes : int(Block::size);
using Real_s = Lanes<N>;
using PatchVecs = Vec<3, Real_s>;

struct BodyVelocities {
  Real_s vx, vy, spin, inverse_mass;
};

inline PatchVecs each(const PatchVecs& x, const PatchVecs& y) { return {x.x * y.x, x.y * y.y, x.z * y.z}; }
inline Real_s absolute(const Real_s& x) { return max(x, -x); }

// N patches of a block, from `lane` on.
struct Group {
  Block& block;
  std::size_t lane;

  Real* at(int row) const { return block.row[row] + lane; }
  Real_s one(int row) const {
    Real_s x;
    std::memcpy(&x.v, at(row), sizeof x.v);
    return x;
  }
  PatchVecs three(int row) const { return {one(row), one(row + 1), one(row + 2)}; }
  void put(int row, const Real_s& x) const { std::memcpy(at(row), &x.v, sizeof x.v); }
  void put(int row, const PatchVecs& x) const {
    put(row, x.x);
    put(row + 1, x.y);
    put(row + 2, x.z);
  }
  // Where the case that held last has a bit.
  Mask<N> where(i32 bit) const {
    typename VectorOf<N>::Ints bits;
    std::memcpy(&bits, block.bits + lane, sizeof bits);
    return {(__builtin_convertvector(bits, typename VectorOf<N>::Flags) & i64(bit)) != 0};
  }
  Places<N> places(const u32* of) const {
    Places<N> p;
    for (int k = 0; k < N; ++k) p.at[k] = of[lane + std::size_t(k)];
    return p;
  }
};

inline PatchVec lane_of(const PatchVecs& x, int k) { return {x.x.v[k], x.y.v[k], x.z.v[k]}; }
inline void set_lane(PatchVecs& x, int k, const PatchVec& value) {
  x.x.v[k] = value.x;
  x.y.v[k] = value.y;
  x.z.v[k] = value.z;
}

// What N patches see of their bodies.
struct View {
  Real_s nx, ny;
  PatchVecs arm_a, arm_b;
  PatchVecs softness;
  Places<N> a, b;
  BodyVelocities of_a, of_b;

  View(const Group& g, const BodyVelocity* bodies)
      : nx(g.one(Block::normal)),
        ny(g.one(Block::normal + 1)),
        arm_a(g.three(Block::arm_a)),
        arm_b(g.three(Block::arm_b)),
        softness(g.three(Block::softness)),
        a(g.places(g.block.a)),
        b(g.places(g.block.b)),
        of_a(load<BodyVelocities>(bodies, a)),
        of_b(load<BodyVelocities>(bodies, b)) {}

  Real_s inverse_mass() const { return of_a.inverse_mass + of_b.inverse_mass; }
  // Velocities of the patch that velocities of its bodies make.
  PatchVecs seen(const Real_s& vx, const Real_s& vy, const Real_s& spin_a, const Real_s& spin_b) const {
    const Real_s n = nx * vx + ny * vy, t = nx * vy - ny * vx;
    return {n + arm_a.x * spin_a - arm_b.x * spin_b, n + arm_a.y * spin_a - arm_b.y * spin_b,
            t + arm_a.z * spin_a - arm_b.z * spin_b};
  }
  PatchVecs velocities() const { return seen(of_a.vx - of_b.vx, of_a.vy - of_b.vy, of_a.spin, of_b.spin); }
  // And those that impulses of the patch add, in bodies and in the contact itself.
  PatchVecs own(const PatchVecs& p, const Real_s& turn_a, const Real_s& turn_b) const {
    const Real_s m = inverse_mass(), n = m * (p.x + p.y), t = m * p.z;
    return {n + arm_a.x * turn_a + arm_b.x * turn_b + softness.x * p.x, n + arm_a.y * turn_a + arm_b.y * turn_b + softness.y * p.y,
            t + arm_a.z * turn_a + arm_b.z * turn_b + softness.z * p.z};
  }
  Real_s turn_a(const PatchVecs& p) const { return of_a.inverse_mass * dot(arm_a, p); }
  Real_s turn_b(const PatchVecs& p) const { return of_b.inverse_mass * dot(arm_b, p); }
  PatchVecs own(const PatchVecs& p) const { return own(p, turn_a(p), turn_b(p)); }
  // How a unit of impulse i moves the patch along j.
  Real_s compliance(const Real_s& a_i, const Real_s& b_i, const Real_s& a_j, const Real_s& b_j) const {
    return of_a.inverse_mass * (a_i * a_j) + of_b.inverse_mass * (b_i * b_j);
  }
  Mat<3> compliance(int k) const {
    const Real ma = of_a.inverse_mass.v[k], mb = of_b.inverse_mass.v[k];
    const PatchVec a_k = lane_of(arm_a, k), b_k = lane_of(arm_b, k), soft = lane_of(softness, k);
    Mat<3> w;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        w(i, j) = ((i == 2) == (j == 2) ? ma + mb : 0) + ma * (a_k[i] * a_k[j]) + mb * (b_k[i] * b_k[j]) + (i == j ? soft[i] : 0);
    return w;
  }
};

// Bits of a case: which points push and what friction does, as far as it matters.
inline constexpr i32 first_pushes = 1, second_pushes = 2, sticks = 4, slides_forward = 8, slides_backward = 16;
inline i32 bits_of(const Case& c, Real mu) {
  const i32 friction = c.mode == Mode::stick      ? sticks
                       : mu == 0                  ? 0
                       : c.mode == Mode::forward  ? slides_forward
                       : c.mode == Mode::backward ? slides_backward
                                                  : 0;
  return (c.first ? first_pushes : 0) | (c.second ? second_pushes : 0) | friction;
}

inline void put_case(Block& block, std::size_t lane, u32 number, const Mat<3>& w) {
  const Real mu = block.row[Block::friction][lane];
  const Case c = case_of(number);
  const Elimination e = eliminate(c, w, mu);
  block.number[lane] = number;
  block.bits[lane] = bits_of(c, mu);
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j) block.row[Block::push + 3 * i + j][lane] = e.push[i][j];
  block.row[Block::slide][lane] = e.slide;
  block.row[Block::stick][lane] = e.stick;
}

inline Real total(const Real (&of)[Block::size]) {
  return ((of[0] + of[1]) + (of[2] + of[3])) + ((of[4] + of[5]) + (of[6] + of[7]));
}

struct Improve {
  Block* blocks;
  BodyVelocity* bodies;
  Real share, part;
  bool wake;  // patches that have not pushed for a while are looked at too

  struct Sums {
    Real_s change, along, worst, normal, moved;
    u32 pushing = 0;
  };

  // Blocks one after the other; sums lane by lane, so that their order is that of the blocks on every machine.
  Progress operator()(std::size_t first, std::size_t count) const {
    Real change[Block::size]{}, along[Block::size]{}, worst[Block::size]{}, normal[Block::size]{};
    Progress out;
    for (std::size_t number = first; number < first + count; ++number) {
      if (blocks[number].idle && !wake) continue;
      bool idle = true;
      for (std::size_t lane = 0; lane < Block::size; lane += N) {
        Sums s;
        improve({blocks[number], lane}, s);
        idle &= !any(Real_s(0) < s.change + s.moved);
        raise(change + lane, s.change);
        raise(along + lane, s.along);
        raise(normal + lane, s.normal);
        const Real_s most = max(loaded(worst + lane), s.worst);
        std::memcpy(worst + lane, &most.v, sizeof most.v);
        out.seen.pushing += s.pushing;
      }
      blocks[number].idle = idle;
    }
    out.change = total(change);
    out.along = total(along);
    out.seen.normal = total(normal);
    for (const Real w : worst) out.seen.worst = max(out.seen.worst, w);
    return out;
  }
  static Real_s loaded(const Real* from) {
    Real_s x;
    std::memcpy(&x.v, from, sizeof x.v);
    return x;
  }
  static void raise(Real* sum, const Real_s& by) {
    const Real_s x = loaded(sum) + by;
    std::memcpy(sum, &x.v, sizeof x.v);
  }

  void improve(const Group& g, Sums& sums) const {
    const View view(g, bodies);
    // Impulses go on the way they came; the bodies have done so already.
    const PatchVecs last = g.three(Block::impulse), old = last + Real_s(share) * (last - g.three(Block::before));
    g.put(Block::before, last);
    const PatchVecs u = view.velocities() + g.three(Block::bias) + each(view.softness, old), b = u - view.own(old);
    const Real_s w1t = view.compliance(view.arm_a.x, view.arm_b.x, view.arm_a.z, view.arm_b.z);
    const Real_s w2t = view.compliance(view.arm_a.y, view.arm_b.y, view.arm_a.z, view.arm_b.z);
    const Real_s slide = g.one(Block::slide), stick = g.one(Block::stick), mu = g.one(Block::friction);
    PatchVecs p = impulses_of(g.three(Block::push), g.three(Block::push + 3), slide, stick, w1t, w2t, b);
    PatchVecs d = p - old;
    Real_s turn_a = view.turn_a(d), turn_b = view.turn_b(d);
    // Do the conditions of the case hold?
    const PatchVecs after = u + view.own(d, turn_a, turn_b);
    const Real_s tolerance = Real_s(1e-14) * max(absolute(b.x), absolute(b.z)), m = view.inverse_mass();
    const Real_s first = select(g.where(first_pushes), m * p.x, after.x);
    const Real_s second = select(g.where(second_pushes), m * p.y, after.y);
    const Real_s along =
        select(g.where(sticks), mu * (p.x + p.y) - absolute(p.z),
               select(g.where(slides_forward), -after.z, select(g.where(slides_backward), after.z, 0)));
    const Mask<N> good = (-tolerance <= first) & (-tolerance <= second) & (-tolerance <= along);
    if (unsigned bad = bits(!good)) {
      for (int k = 0; k < N; ++k)
        if (bad >> k & 1) set_lane(p, k, choose(g, view, k, lane_of(b, k), mu.v[k]));
      d = p - old;
      turn_a = view.turn_a(d);
      turn_b = view.turn_b(d);
    }
    if (part < 1) {
      // Part of the way; but impulses that end go at once. They would never get there, only become smaller and smaller.
      const auto some = [&](const Real_s& was, const Real_s& is) {
        return select(is == Real_s(0), Real_s(0), was + Real_s(part) * (is - was));
      };
      p = {some(old.x, p.x), some(old.y, p.y), some(old.z, p.z)};
      d = p - old;
      turn_a = view.turn_a(d);
      turn_b = view.turn_b(d);
    }
    g.put(Block::impulse, p);
    const Real_s n = d.x + d.y, px = view.nx * n - view.ny * d.z, py = view.ny * n + view.nx * d.z;
    const Real_s ma = view.of_a.inverse_mass, mb = view.of_b.inverse_mass;
    store(bodies, view.a, BodyVelocities{view.of_a.vx + ma * px, view.of_a.vy + ma * py, view.of_a.spin + turn_a, ma});
    store(bodies, view.b, BodyVelocities{view.of_b.vx - mb * px, view.of_b.vy - mb * py, view.of_b.spin - turn_b, mb});
    const Real_s normal_now = p.x + p.y;
    sums = {dot(d, d),
            dot(d, p - last),
            max(max(absolute(d.x), absolute(d.y)), absolute(d.z)),
            normal_now,
            dot(p, p) + dot(last, last),
            u32(std::popcount(bits(Real_s(0) < normal_now)))};
  }

  // The case of one patch has changed, or seems to.
  static PatchVec choose(const Group& g, const View& view, int k, const PatchVec& b, Real mu) {
    const std::size_t lane = g.lane + std::size_t(k);
    const Mat<3> w = view.compliance(k);
    const LocalSolution s = solve_local(w, mu, g.block.points[lane], g.block.number[lane], b);
    if (s.number != g.block.number[lane]) put_case(g.block, lane, s.number, w);
    return s.impulse;
  }
};

// Bodies go on as the impulses of their patches will. Inverse masses go along and do not change.
inline void go_on(BodyVelocity* bodies, BodyVelocity* before, std::size_t first, std::size_t last, Real share) {
  Real *now = &bodies->vx, *then = &before->vx;
  for (std::size_t i = 4 * first; i < 4 * last; ++i) {
    const Real x = now[i];
    now[i] = x + share * (x - then[i]);
    then[i] = x;
  }
}

// The natural map |p - projection(p - u / w)| of the patches of a block, and their normal impulses.
struct MeasureResidual {
  Block* blocks;
  const BodyVelocity* bodies;

  Residual operator()(std::size_t first, std::size_t count) const {
    Residual out;
    for (std::size_t number = first; number < first + count; ++number) out.join(measure(number));
    return out;
  }
  Residual measure(std::size_t number) const {
    Real normal[Block::size];
    Residual out;
    for (std::size_t lane = 0; lane < Block::size; lane += N) {
      const Group g{blocks[number], lane};
      const View view(g, bodies);
      const PatchVecs p = g.three(Block::impulse), u = view.velocities() + g.three(Block::bias) + each(view.softness, p);
      const Real_s m = view.inverse_mass(), n = p.x + p.y, bound = g.one(Block::friction) * n;
      const auto w = [&](const Real_s& a, const Real_s& b, const Real_s& softness) { return select(Real_s(0) < softness, softness, m + view.compliance(a, b, a, b)); };
      const Real_s w1 = w(view.arm_a.x, view.arm_b.x, view.softness.x), w2 = w(view.arm_a.y, view.arm_b.y, view.softness.y),
                   wt = w(view.arm_a.z, view.arm_b.z, view.softness.z);
      const Real_s e1 = absolute(p.x - max(p.x - u.x / w1, 0)), e2 = absolute(p.y - max(p.y - u.y / w2, 0));
      const Real_s et = absolute(p.z - max(min(p.z - u.z / wt, bound), -bound));
      const Real_s all = e1 + e2 + et + n;
      for (int k = 0; k < N; ++k) {
        if (g.block.points[lane + std::size_t(k)] == 0) {
          normal[lane + std::size_t(k)] = 0;
          continue;
        }
        out.worst = max(out.worst, max(max(Real(e1.v[k]), Real(e2.v[k])), Real(et.v[k])));
        if (!std::isfinite(all.v[k])) out.worst = HUGE_VAL;
        normal[lane + std::size_t(k)] = n.v[k];
        out.pushing += n.v[k] > 0;
      }
    }
    out.normal = total(normal);
    return out;
  }
};

}  // namespace talus::impulse::kernels
