#include <talus/impulse/packed.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include <talus/exec/host.hpp>
#include <talus/impulse/colour.hpp>
#include <talus/impulse/local_solve.hpp>

namespace talus::impulse {
namespace {

using exec::Host;

constexpr i64 idle_for = 4;  // sweeps, before blocks whose patches are all open are looked at again
constexpr int N = native_lanes < int(Block::size) ? native_lanes : int(Block::size);
using Real_s = Lanes<N>;
using Three_s = Vec<3, Real_s>;

struct Carriers {
  Real_s vx, vy, spin, inverse_mass;
};

Real_s absolute(const Real_s& x) { return max(x, -x); }

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
  Three_s three(int row) const { return {one(row), one(row + 1), one(row + 2)}; }
  void put(int row, const Real_s& x) const { std::memcpy(at(row), &x.v, sizeof x.v); }
  void put(int row, const Three_s& x) const {
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

Three lane_of(const Three_s& x, int k) { return {x.x.v[k], x.y.v[k], x.z.v[k]}; }
void set_lane(Three_s& x, int k, const Three& value) {
  x.x.v[k] = value.x;
  x.y.v[k] = value.y;
  x.z.v[k] = value.z;
}

// What N patches see of their bodies.
struct View {
  Real_s nx, ny;
  Three_s arm_a, arm_b;
  Places<N> a, b;
  Carriers of_a, of_b;

  View(const Group& g, const Carrier* bodies)
      : nx(g.one(Block::normal)),
        ny(g.one(Block::normal + 1)),
        arm_a(g.three(Block::arm_a)),
        arm_b(g.three(Block::arm_b)),
        a(g.places(g.block.a)),
        b(g.places(g.block.b)),
        of_a(load<Carriers>(bodies, a)),
        of_b(load<Carriers>(bodies, b)) {}

  Real_s inverse_mass() const { return of_a.inverse_mass + of_b.inverse_mass; }
  // Velocities of the patch that velocities of its bodies make.
  Three_s seen(const Real_s& vx, const Real_s& vy, const Real_s& spin_a, const Real_s& spin_b) const {
    const Real_s n = nx * vx + ny * vy, t = nx * vy - ny * vx;
    return {n + arm_a.x * spin_a - arm_b.x * spin_b, n + arm_a.y * spin_a - arm_b.y * spin_b,
            t + arm_a.z * spin_a - arm_b.z * spin_b};
  }
  Three_s velocities() const { return seen(of_a.vx - of_b.vx, of_a.vy - of_b.vy, of_a.spin, of_b.spin); }
  // And those that impulses of the patch add.
  Three_s own(const Three_s& p, const Real_s& turn_a, const Real_s& turn_b) const {
    const Real_s m = inverse_mass(), n = m * (p.x + p.y), t = m * p.z;
    return {n + arm_a.x * turn_a + arm_b.x * turn_b, n + arm_a.y * turn_a + arm_b.y * turn_b,
            t + arm_a.z * turn_a + arm_b.z * turn_b};
  }
  Real_s turn_a(const Three_s& p) const { return of_a.inverse_mass * dot(arm_a, p); }
  Real_s turn_b(const Three_s& p) const { return of_b.inverse_mass * dot(arm_b, p); }
  Three_s own(const Three_s& p) const { return own(p, turn_a(p), turn_b(p)); }
  // How a unit of impulse i moves the patch along j.
  Real_s compliance(const Real_s& a_i, const Real_s& b_i, const Real_s& a_j, const Real_s& b_j) const {
    return of_a.inverse_mass * (a_i * a_j) + of_b.inverse_mass * (b_i * b_j);
  }
  Mat<3> compliance(int k) const {
    const Real ma = of_a.inverse_mass.v[k], mb = of_b.inverse_mass.v[k];
    const Three a_k = lane_of(arm_a, k), b_k = lane_of(arm_b, k);
    Mat<3> w;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        w(i, j) = ((i == 2) == (j == 2) ? ma + mb : 0) + ma * (a_k[i] * a_k[j]) + mb * (b_k[i] * b_k[j]);
    return w;
  }
};

// Bits of a case: which points push and what friction does, as far as it matters.
constexpr i32 first_pushes = 1, second_pushes = 2, sticks = 4, slides_forward = 8, slides_backward = 16;
i32 bits_of(const Case& c, Real mu) {
  const i32 friction = c.mode == Mode::stick      ? sticks
                       : mu == 0                  ? 0
                       : c.mode == Mode::forward  ? slides_forward
                       : c.mode == Mode::backward ? slides_backward
                                                  : 0;
  return (c.first ? first_pushes : 0) | (c.second ? second_pushes : 0) | friction;
}

void put_case(Block& block, std::size_t lane, u32 number, const Mat<3>& w) {
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

Real total(const Real (&of)[Block::size]) {
  return ((of[0] + of[1]) + (of[2] + of[3])) + ((of[4] + of[5]) + (of[6] + of[7]));
}

struct Improve {
  Block* blocks;
  Carrier* bodies;
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
    const Three_s last = g.three(Block::impulse), old = last + Real_s(share) * (last - g.three(Block::before));
    g.put(Block::before, last);
    const Three_s u = view.velocities() + g.three(Block::target), b = u - view.own(old);
    const Real_s w1t = view.compliance(view.arm_a.x, view.arm_b.x, view.arm_a.z, view.arm_b.z);
    const Real_s w2t = view.compliance(view.arm_a.y, view.arm_b.y, view.arm_a.z, view.arm_b.z);
    const Real_s slide = g.one(Block::slide), stick = g.one(Block::stick), mu = g.one(Block::friction);
    Three_s p = impulses_of(g.three(Block::push), g.three(Block::push + 3), slide, stick, w1t, w2t, b);
    Three_s d = p - old;
    Real_s turn_a = view.turn_a(d), turn_b = view.turn_b(d);
    // Do the conditions of the case hold?
    const Three_s after = u + view.own(d, turn_a, turn_b);
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
    store(bodies, view.a, Carriers{view.of_a.vx + ma * px, view.of_a.vy + ma * py, view.of_a.spin + turn_a, ma});
    store(bodies, view.b, Carriers{view.of_b.vx - mb * px, view.of_b.vy - mb * py, view.of_b.spin - turn_b, mb});
    const Real_s normal_now = p.x + p.y;
    sums = {dot(d, d),
            dot(d, p - last),
            max(max(absolute(d.x), absolute(d.y)), absolute(d.z)),
            normal_now,
            dot(p, p) + dot(last, last),
            u32(std::popcount(bits(Real_s(0) < normal_now)))};
  }

  // The case of one patch has changed, or seems to.
  static Three choose(const Group& g, const View& view, int k, const Three& b, Real mu) {
    const std::size_t lane = g.lane + std::size_t(k);
    const Mat<3> w = view.compliance(k);
    const LocalSolution s = solve_local(w, mu, g.block.points[lane], g.block.number[lane], b);
    if (s.number != g.block.number[lane]) put_case(g.block, lane, s.number, w);
    return s.impulse;
  }
};

// Bodies go on as the impulses of their patches will. Inverse masses go along and do not change.
void go_on(Carrier* bodies, Carrier* before, std::size_t first, std::size_t last, Real share) {
  Real *now = &bodies->vx, *then = &before->vx;
  for (std::size_t i = 4 * first; i < 4 * last; ++i) {
    const Real x = now[i];
    now[i] = x + share * (x - then[i]);
    then[i] = x;
  }
}

// The natural map |p - projection(p - u / w)| of the patches of a block, and their normal impulses.
struct Judge {
  Block* blocks;
  const Carrier* bodies;

  Judgement operator()(std::size_t first, std::size_t count) const {
    Judgement out;
    for (std::size_t number = first; number < first + count; ++number) out.join(judge(number));
    return out;
  }
  Judgement judge(std::size_t number) const {
    Real normal[Block::size];
    Judgement out;
    for (std::size_t lane = 0; lane < Block::size; lane += N) {
      const Group g{blocks[number], lane};
      const View view(g, bodies);
      const Three_s u = view.velocities() + g.three(Block::target), p = g.three(Block::impulse);
      const Real_s m = view.inverse_mass(), n = p.x + p.y, bound = g.one(Block::friction) * n;
      const auto w = [&](const Real_s& a, const Real_s& b) { return m + view.compliance(a, b, a, b); };
      const Real_s w1 = w(view.arm_a.x, view.arm_b.x), w2 = w(view.arm_a.y, view.arm_b.y),
                   wt = w(view.arm_a.z, view.arm_b.z);
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

}  // namespace

Real relative_residual(Real worst, Real normal, i64 pushing) {
  if (worst == 0) return 0;
  return pushing == 0 || !(normal > 0) || !std::isfinite(worst) ? HUGE_VAL : worst / (normal / Real(pushing));
}

void Patchwork::arrange(const std::vector<Patch>& patches, const std::vector<Motion>& motions) {
  strips_.cut(patches, motions);
  carrier_.assign(motions.size(), Strips::none);
  for (std::size_t k = 0; k < strips_.bodies.size(); ++k) carrier_[strips_.bodies[k]] = u32(k);
  spin_scale_.resize(motions.size());
  Host::for_each(motions.size(), [&](std::size_t i) {
    const Motion& m = motions[i];
    spin_scale_[i] = m.inverse_mass > 0 ? std::sqrt(m.inverse_inertia / m.inverse_mass) : 0;
  });

  groups_.resize(strips_.groups());
  place_.resize(patches.size());
  colour_.resize(patches.size());
  taken_.assign(3 * motions.size(), 0);
  Host::for_each(
      strips_.left_over(), [&](std::size_t g) { colour_group(u32(g), patches, motions); }, 1);
  colour_left_over(patches, motions);
  u32 block = 0, copy = u32(strips_.bodies.size());
  for (Group& group : groups_) {
    group.first_block = block;
    group.first_copy = copy;
    block += group.blocks;
    copy += group.copies;
  }
  blocks_.resize(block);
  bodies_.resize(copy);
  before_.resize(copy);
  for (auto& progress : progress_) progress.assign(groups_.size(), {});  // a group without blocks is never asked
  judged_.assign(groups_.size(), {});
  Host::for_each(
      groups_.size(), [&](std::size_t g) { settle(u32(g), patches, motions); }, 1);
}

// Greedy, in the order given. Insides share no body with one another, nor do even seams, nor odd ones.
void Patchwork::colour_group(u32 number, const std::vector<Patch>& patches, const std::vector<Motion>& motions) {
  const bool inside = number < strips_.count;
  u64* taken = taken_.data() + (inside ? 0 : 1 + (number - strips_.count) % 2) * motions.size();
  std::vector<u32> count;
  for (u32 k = strips_.start[number]; k < strips_.start[number + 1]; ++k) {
    const Patch& p = patches[strips_.order[k]];
    const bool a = moves(motions[p.a]), b = moves(motions[p.b]);
    const auto colour = u32(std::countr_one((a ? taken[p.a] : 0) | (b ? taken[p.b] : 0)));
    if (a) taken[p.a] |= u64(1) << colour;
    if (b) taken[p.b] |= u64(1) << colour;
    if (count.size() <= colour) count.resize(colour + 1, 0);
    colour_[k] = colour;
    ++count[colour];
  }
  count_blocks(groups_[number], count);
}

void Patchwork::colour_left_over(const std::vector<Patch>& patches, const std::vector<Motion>& motions) {
  const u32 number = strips_.left_over(), first = strips_.start[number];
  std::vector<Patch> some;
  for (u32 k = first; k < strips_.start[number + 1]; ++k) some.push_back(patches[strips_.order[k]]);
  std::vector<u32> count;
  if (!some.empty()) {
    const Colours colours = colour(some, motions);
    for (u32 c = 0; c < colours.count(); ++c) {
      count.push_back(colours.start[c + 1] - colours.start[c]);
      for (u32 k = colours.start[c]; k < colours.start[c + 1]; ++k) colour_[first + colours.order[k]] = c;
    }
  }
  count_blocks(groups_[number], count);
}

void Patchwork::count_blocks(Group& group, const std::vector<u32>& patches_of_colour) {
  group.colour_start.clear();
  group.blocks = 0;
  for (const u32 n : patches_of_colour) {
    group.colour_start.push_back(group.blocks);
    group.blocks += (n + Block::size - 1) / u32(Block::size);
  }
  group.copies = 2 * u32(Block::size) * group.blocks;
}

// Puts the patches of a group into their lanes, with their geometry and what they have in common for all problems.
void Patchwork::settle(u32 number, const std::vector<Patch>& patches, const std::vector<Motion>& motions) {
  const Group& group = groups_[number];
  std::vector<u32> next;
  for (const u32 block : group.colour_start) next.push_back((group.first_block + block) * u32(Block::size));
  std::memset(static_cast<void*>(blocks_.data() + group.first_block), 0, group.blocks * sizeof(Block));
  // Those that are likely to push first: blocks of open patches are idle most of the time.
  for (const bool pushing : {true, false})
    for (u32 k = strips_.start[number]; k < strips_.start[number + 1]; ++k) {
      const u32 i = strips_.order[k];
      const Patch& p = patches[i];
      if ((normal_of(p.impulse) > 0 || p.gap[0] <= 0 || (p.points == 2 && p.gap[1] <= 0)) != pushing) continue;
      place_[i] = next[colour_[k]]++;
      fill(place_[i], p, motions);
    }
  // A copy for every patch whose body cannot be moved and for empty lanes.
  u32 copy = group.first_copy;
  for (u32 n = group.first_block; n < group.first_block + group.blocks; ++n)
    for (std::size_t lane = 0; lane < Block::size; ++lane)
      for (u32* body : {&blocks_[n].a[lane], &blocks_[n].b[lane]})
        if (blocks_[n].points[lane] == 0 || *body == Strips::none) {
          bodies_[copy] = {};
          *body = copy++;
        }
}

void Patchwork::fill(u32 place, const Patch& p, const std::vector<Motion>& motions) {
  Block& block = blocks_[place / Block::size];
  const std::size_t lane = place % Block::size;
  const Real scale_a = spin_scale_[p.a], scale_b = spin_scale_[p.b];
  const auto put = [&](int row, Real x) { block.row[row][lane] = x; };
  put(Block::normal, p.normal.x);
  put(Block::normal + 1, p.normal.y);
  for (int j = 0; j < 3; ++j) {
    put(Block::arm_a + j, scale_a * p.lever_a[j]);
    put(Block::arm_b + j, scale_b * p.lever_b[j]);
  }
  block.points[lane] = p.points;
  block.a[lane] = moves(motions[p.a]) ? carrier_[p.a] : Strips::none;
  block.b[lane] = moves(motions[p.b]) ? carrier_[p.b] : Strips::none;
}

void Patchwork::pose(const std::vector<Patch>& patches, const std::vector<Motion>& motions) {
  take_velocities(motions);
  for (Block& block : blocks_) block.idle = false;
  Host::for_each(patches.size(), [&](std::size_t i) {
    const Patch& p = patches[i];
    Block& block = blocks_[place_[i] / Block::size];
    const std::size_t lane = place_[i] % Block::size;
    const auto put = [&](int row, const Three& x) {
      for (int j = 0; j < 3; ++j) block.row[row + j][lane] = x[j];
    };
    put(Block::target, p.target);
    put(Block::impulse, p.impulse);
    put(Block::before, p.impulse);
    if (p.points == 1) block.row[Block::target + 1][lane] = 1e300;  // a second point that never comes near
    block.row[Block::friction][lane] = p.friction;
    const Motion &a = motions[p.a], &b = motions[p.b];
    if (!moves(a)) bodies_[block.a[lane]] = {a.velocity.x, a.velocity.y, 0, 0};
    if (!moves(b)) bodies_[block.b[lane]] = {b.velocity.x, b.velocity.y, 0, 0};
    put_case(block, lane, case_like(p.impulse, p.friction), p.compliance(a, b));
  });
}

void Patchwork::pose_gaps(const std::vector<Patch>& patches, const std::vector<Motion>& motions,
                          const std::vector<Three>& gaps) {
  for (Block& block : blocks_) block.idle = false;
  for (std::size_t k = 0; k < strips_.bodies.size(); ++k)
    before_[k] = bodies_[k] = {0, 0, 0, motions[strips_.bodies[k]].inverse_mass};
  Host::for_each(patches.size(), [&](std::size_t i) {
    Block& block = blocks_[place_[i] / Block::size];
    const std::size_t lane = place_[i] % Block::size;
    const Motion &a = motions[patches[i].a], &b = motions[patches[i].b];
    if (!moves(a)) bodies_[block.a[lane]] = {};
    if (!moves(b)) bodies_[block.b[lane]] = {};
    const bool lone = patches[i].points == 1;
    block.row[Block::target][lane] = gaps[i].x;
    block.row[Block::target + 1][lane] = lone ? 1e300 : gaps[i].y;
    block.row[Block::target + 2][lane] = 0;
    block.row[Block::friction][lane] = 0;
    for (int row = Block::impulse; row < Block::push; ++row) block.row[row][lane] = 0;
    const bool overlaps = gaps[i].x < 0, second = !lone && gaps[i].y < 0;
    const u32 number = overlaps && second ? 2
                       : overlaps         ? 5
                       : second           ? 8
                                          : 0;  // sliding, which without friction costs nothing
    put_case(block, lane, number, patches[i].compliance(a, b));
  });
}

void Patchwork::take_velocities(const std::vector<Motion>& motions) {
  Host::for_each(strips_.bodies.size(), [&](std::size_t k) {
    const u32 i = strips_.bodies[k];
    const Motion& m = motions[i];
    bodies_[k] = {m.velocity.x, m.velocity.y, spin_scale_[i] > 0 ? m.spin / spin_scale_[i] : 0, m.inverse_mass};
    before_[k] = bodies_[k];
  });
}

std::size_t Patchwork::hands() const { return strips_.count == 1 ? 1 : std::size_t(exec::threads()); }

// Calls kernel(number, group) for all groups, those that share bodies one after the other.
template <class Kernel>
void Patchwork::each_group(const exec::Member& me, const Kernel& kernel) const {
  const auto call = [&](u32 number) { kernel(number, groups_[number]); };
  me.for_each(strips_.count, [&](std::size_t s) { call(strips_.inside(u32(s))); });
  me.meet();
  for (u32 odd = 0; odd < 2 && strips_.count > 1; ++odd) {
    me.for_each((strips_.count - odd) / 2, [&](std::size_t k) { call(strips_.seam(2 * u32(k) + odd)); });
    me.meet();
  }
  if (groups_[strips_.left_over()].blocks > 0) {
    if (me.part == 0) call(strips_.left_over());
    me.meet();
  }
}

Progress Patchwork::sweep(const exec::Member& me, const Pace& pace, i64 count) {
  std::vector<Progress>& progress = progress_[count % 2];
  const Improve improve{blocks_.data(), bodies_.data(), pace.share, pace.part, count % idle_for == 0};
  each_group(me, [&](u32 number, const Group& group) {
    if (number < strips_.count)
      go_on(bodies_.data(), before_.data(), strips_.body_start[number], strips_.body_start[number + 1], pace.share);
    progress[number] = improve(group.first_block, group.blocks);
  });
  Progress out;
  for (const Progress& of : progress) out.join(of);
  return out;
}

Real Patchwork::residual(const exec::Member& me) {
  const Judge judge{blocks_.data(), bodies_.data()};
  me.for_each(groups_.size(), [&](std::size_t g) { judged_[g] = judge(groups_[g].first_block, groups_[g].blocks); });
  me.meet();
  Judgement out;
  for (const Judgement& of : judged_) out.join(of);
  return out.relative();
}

Three Patchwork::impulse_of(std::size_t patch) const {
  const Block& block = blocks_[place_[patch] / Block::size];
  const std::size_t lane = place_[patch] % Block::size;
  return {block.row[Block::impulse][lane], block.row[Block::impulse + 1][lane], block.row[Block::impulse + 2][lane]};
}

Motion Patchwork::motion_of(std::size_t body) const {
  if (carrier_[body] == Strips::none) return {};
  const Carrier& c = bodies_[carrier_[body]];
  return {{c.vx, c.vy}, spin_scale_[body] * c.spin, 0, 0};
}

}  // namespace talus::impulse
