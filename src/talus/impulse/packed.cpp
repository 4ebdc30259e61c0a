#include <talus/impulse/packed.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>

#include <talus/exec/host.hpp>
#include <talus/impulse/colour.hpp>
#include <talus/impulse/local_solve.hpp>
#include <talus/impulse/solver.hpp>

namespace talus::impulse {
namespace {

using exec::Host;

constexpr std::size_t few_blocks = 64;  // fewer are not worth a second thread
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
  Real share;
  Progress* progress;

  void operator()(std::size_t number) const {
    Block& block = blocks[number];
    Real along[Block::size], change[Block::size];
    for (std::size_t lane = 0; lane < Block::size; lane += N) {
      Real_s changed;
      const Real_s sum = improve({block, lane}, changed);
      std::memcpy(along + lane, &sum.v, sizeof sum.v);
      std::memcpy(change + lane, &changed.v, sizeof changed.v);
    }
    progress[number] = {total(change), total(along)};
  }

  Real_s improve(const Group& g, Real_s& changed) const {
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
    g.put(Block::impulse, p);
    const Real_s n = d.x + d.y, px = view.nx * n - view.ny * d.z, py = view.ny * n + view.nx * d.z;
    const Real_s ma = view.of_a.inverse_mass, mb = view.of_b.inverse_mass;
    store(bodies, view.a, Carriers{view.of_a.vx + ma * px, view.of_a.vy + ma * py, view.of_a.spin + turn_a, ma});
    store(bodies, view.b, Carriers{view.of_b.vx - mb * px, view.of_b.vy - mb * py, view.of_b.spin - turn_b, mb});
    changed = dot(d, d);
    return dot(d, p - last);
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

constexpr std::size_t some_bodies = 32;  // at a time
struct GoOn {
  Carrier *bodies, *before;
  std::size_t count;
  Real share;
  void operator()(std::size_t part) const {
    const std::size_t first = part * some_bodies, last = std::min(count, first + some_bodies);
    Real *now = &bodies->vx, *then = &before->vx;
    for (std::size_t i = 4 * first; i < 4 * last; ++i) {
      const Real x = now[i];
      now[i] = x + share * (x - then[i]);
      then[i] = x;
    }
  }
};

// The natural map |p - projection(p - u / w)| of the patches of a block, and their normal impulses.
struct Judge {
  Block* blocks;
  const Carrier* bodies;
  Judgement* judged;

  void operator()(std::size_t number) const {
    Real normal[Block::size];
    Real worst = 0;
    u32 pushing = 0;
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
        worst = max(worst, max(max(Real(e1.v[k]), Real(e2.v[k])), Real(et.v[k])));
        if (!std::isfinite(all.v[k])) worst = HUGE_VAL;
        normal[lane + std::size_t(k)] = n.v[k];
        pushing += n.v[k] > 0;
      }
    }
    judged[number] = {total(normal), worst, pushing};
  }
};

}  // namespace

Patchwork::Patchwork(const std::vector<Patch>& patches, const std::vector<Motion>& motions) {
  const std::vector<u32> bands = bands_of(patches);
  const Colours colours = colour(patches, motions, bands);
  number_bodies(patches, motions, bands);
  place_.resize(patches.size());
  start_.push_back(0);
  for (std::size_t c = 0; c < colours.count(); ++c) {
    const u32 first = colours.start[c], count = colours.start[c + 1] - first;
    const std::size_t block = blocks_.size();
    blocks_.resize(block + (count + Block::size - 1) / Block::size, Block{});
    start_.push_back(u32(blocks_.size()));
    for (u32 k = 0; k < count; ++k) place_[colours.order[first + k]] = u32(block * Block::size) + k;
  }
  for (const u32 i : colours.order) fill(place_[i], patches[i], motions);
  for (Block& block : blocks_)
    for (std::size_t lane = 0; lane < Block::size; ++lane)
      if (block.points[lane] == 0) {
        block.a[lane] = copy_of({});
        block.b[lane] = copy_of({});
      }
  take_velocities(motions);
  progress_.resize(blocks_.size());
  judged_.resize(blocks_.size());
}

// In the order in which bands of patches name them.
void Patchwork::number_bodies(const std::vector<Patch>& patches, const std::vector<Motion>& motions,
                              const std::vector<u32>& bands) {
  constexpr u32 none = ~0u;
  const u32 count = bands.empty() ? 0 : *std::max_element(bands.begin(), bands.end()) + 1;
  std::vector<u32> next(count + 1, 0), order(patches.size());
  for (const u32 band : bands) ++next[band + 1];
  for (u32 k = 1; k <= count; ++k) next[k] += next[k - 1];
  for (std::size_t i = 0; i < patches.size(); ++i) order[next[bands[i]]++] = u32(i);
  u32 named = 0;
  carrier_.assign(motions.size(), none);
  const auto name = [&](u32 body) {
    if (carrier_[body] == none) carrier_[body] = named++;
  };
  for (const u32 i : order) {
    name(patches[i].a);
    name(patches[i].b);
  }
  for (u32 body = 0; body < motions.size(); ++body) name(body);
  bodies_.resize(motions.size());
  spin_scale_.resize(motions.size());
  for (std::size_t i = 0; i < motions.size(); ++i) {
    const Motion& m = motions[i];
    spin_scale_[i] = m.inverse_mass > 0 ? std::sqrt(m.inverse_inertia / m.inverse_mass) : 0;
    bodies_[carrier_[i]].inverse_mass = m.inverse_mass;
  }
}

// A body of its own for a patch whose body cannot be moved.
u32 Patchwork::copy_of(const Carrier& body) {
  bodies_.push_back(body);
  return u32(bodies_.size() - 1);
}

void Patchwork::fill(u32 place, const Patch& p, const std::vector<Motion>& motions) {
  Block& block = blocks_[place / Block::size];
  const std::size_t lane = place % Block::size;
  const Motion &a = motions[p.a], &b = motions[p.b];
  const Real scale_a = spin_scale_[p.a], scale_b = spin_scale_[p.b];
  const auto put = [&](int row, Real x) { block.row[row][lane] = x; };
  put(Block::normal, p.normal.x);
  put(Block::normal + 1, p.normal.y);
  for (int j = 0; j < 3; ++j) {
    put(Block::arm_a + j, scale_a * p.lever_a[j]);
    put(Block::arm_b + j, scale_b * p.lever_b[j]);
    put(Block::target + j, p.target[j]);
    put(Block::impulse + j, p.impulse[j]);
  }
  if (p.points == 1) {
    put(Block::target + 1, 1e300);  // a second point that never comes near
    put(Block::impulse + 1, 0);
  }
  put(Block::friction, p.friction);
  block.points[lane] = p.points;
  block.a[lane] = moves(a) ? carrier_[p.a] : copy_of({a.velocity.x, a.velocity.y, 0, 0});
  block.b[lane] = moves(b) ? carrier_[p.b] : copy_of({b.velocity.x, b.velocity.y, 0, 0});
  put_case(block, lane, case_like(p.impulse, p.friction), p.compliance(a, b));
}

void Patchwork::take_velocities(const std::vector<Motion>& motions) {
  for (std::size_t i = 0; i < motions.size(); ++i) {
    const Motion& m = motions[i];
    Carrier& c = bodies_[carrier_[i]];
    c.vx = m.velocity.x;
    c.vy = m.velocity.y;
    c.spin = spin_scale_[i] > 0 ? m.spin / spin_scale_[i] : 0;
  }
  before_ = bodies_;
}

std::size_t Patchwork::hands() const { return blocks_.size() < few_blocks ? 1 : std::size_t(exec::threads()); }

Progress Patchwork::sweep(const exec::Member& me, Real share) {
  // Bodies go on as the impulses of their patches will. Inverse masses go along and do not change; copies never do.
  const std::size_t count = carrier_.size();
  me.for_each(count / some_bodies + 1, GoOn{bodies_.data(), before_.data(), count, share});
  me.meet();
  for (std::size_t c = 0; c + 1 < start_.size(); ++c) {
    const u32 first = start_[c];
    me.for_each(start_[c + 1] - first,
                Improve{blocks_.data() + first, bodies_.data(), share, progress_.data() + first});
    me.meet();
  }
  Progress out;
  for (const Progress& s : progress_) {
    out.along += s.along;
    out.change += s.change;
  }
  return out;
}

Real Patchwork::residual(const exec::Member& me) {
  me.for_each(blocks_.size(), Judge{blocks_.data(), bodies_.data(), judged_.data()});
  me.meet();
  Real worst = 0, normal = 0;
  u32 pushing = 0;
  for (const Judgement& s : judged_) {
    worst = max(worst, s.worst);
    normal += s.normal;
    pushing += s.pushing;
  }
  return relative_residual(worst, normal, pushing);
}

Three Patchwork::impulse_of(std::size_t patch) const {
  const Block& block = blocks_[place_[patch] / Block::size];
  const std::size_t lane = place_[patch] % Block::size;
  return {block.row[Block::impulse][lane], block.row[Block::impulse + 1][lane], block.row[Block::impulse + 2][lane]};
}

}  // namespace talus::impulse
