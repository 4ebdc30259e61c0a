// Kernels over contact rows: touch and act, then the gather of forces per body in key order.
#pragma once
#include <talus/dem/step.hpp>
#include <talus/state/contact_geometry.hpp>

namespace talus::dem {

// How much is kept of each row: forces only; also the branch for the stress; also the energy entries.
enum class Keep { forces, stress, ledger };

// One row and its bodies, or one in every lane.
struct RowPlace {
  u32 row, a, b;
};
template <int N>
struct RowPlaces {
  Places<N> row, a, b;
};

template <int D, class Law, bool Rotation, Keep K>
struct Act {
  template <class T>
  using Params = typename Law::template ParamsOf<T>;
  template <class T>
  using History = typename Law::template HistoryOf<T>;

  BodyView<D> view;
  Span<const Moving<D>> moving;
  const Globals<D>* globals;
  Span<const RowKey> key;
  Span<const u32> body_a, body_b, params;
  Span<Real> shift;
  Span<const Params<Real>> constants;
  Span<History<Real>> history;
  Span<Vec<D>> viscous;
  // Of all laws' rows, from this law's first.
  Span<RowPush<D>> push;
  Span<Spin<D>> couple;
  Span<Vec<D>> branch;
  Span<RowWork> work;
  Span<u8> quiet;
  Span<const Real> bulge;
  bool shifted;

  // One row. Returns overlap over the smaller radius.
  TALUS_HD Real operator()(std::size_t r) const {
    const BodyView<D> bodies = view.at(*globals);
    return one(bodies, {u32(r), body_a[r], body_b[r]});
  }

  TALUS_HD static Moving<D> body(const BodyView<D>& v, const Span<const Moving<D>>& records, u32 i) {
    if (records.size > 0) return records[i];
    return {v.position[i], v.radius_scale * v.radius[i], v.velocity[i], v.inverse_mass[i], v.spin[i], 0};
  }

  TALUS_HD Real one(const BodyView<D>& bodies, const RowPlace& at) const {
    const Moving<D> a = body(bodies, moving, at.a), b = body(bodies, moving, at.b);
    const bool balls = at.a < bodies.grains && at.b < bodies.grains, plain = !shifted && bulge.size == 0;
    const Vec<D> between = branch_of(bodies.cell, a.position, b.position, key[at.row]);
    if (balls && plain && quiet[at.row]) {  // seen without a root
      const Real reach = a.radius + b.radius;
      if (dot(between, between) > Real(1.0000001) * reach * reach) return 0;
    }
    const Contact<D> c = balls ? touch_pair(between, a.radius, b.radius) : touch(bodies, at.a, at.b, key[at.row]);
    const Real overlap = plain ? c.overlap : c.overlap + added(at.row);
    if (overlap > 0) return press(bodies, at, a, b, c, overlap);
    open(at, a.velocity - b.velocity, c.overlap);
    return 0;
  }

  // What shift and bulge add to the geometric overlap.
  TALUS_HD Real added(u32 r) const { return (shifted ? shift[r] : Real(0)) + (bulge.size > 0 ? bulge[r] : Real(0)); }

  // Bodies that touch, in every lane. Returns the largest overlap over the smaller radius.
  template <class T, class At>
  TALUS_HD T press(const BodyView<D>& bodies, const At& at, const Moving<D, T>& a, const Moving<D, T>& b,
                   const Contact<D, T>& c, const T& overlap) const {
    const Real dt = globals->dt;
    Slip<D, T> slip{a.velocity - b.velocity + bodies.cell.rate * c.branch, {}, dt, globals->friction_scale};
    if constexpr (Rotation) {
      slip.velocity -= cross(c.arm_a * a.spin + c.arm_b * b.spin, c.normal);
      slip.rolling = a.spin - b.spin;
    }
    const Touch<D, T> t{c.normal, overlap, c.radius, T(1) / (a.inverse_mass + b.inverse_mass)};
    const Params<T> p = constants_of<T>(at.row);
    auto memory = load<History<T>>(history.data, at.row);
    Audit<D, T> audit;
    const Push<D, T> out = Law::act(p, t, slip, memory, audit);
    store(history.data, at.row, memory);
    RowPush<D, T> result{out.force, {}, c.depth, {}};
    if constexpr (Rotation) result.twist = moment(c.normal, out.force);
    store(push.data, at.row, result);
    if constexpr (Rotation && Law::has_couple) store(couple.data, at.row, out.couple);
    if constexpr (K != Keep::forces) store(branch.data, at.row, c.branch);
    if constexpr (K == Keep::ledger) {
      const T taken = T(Real(-0.5) * dt) * dot(load<Vec<D, T>>(viscous.data, at.row) + audit.viscous, slip.velocity);
      T grown = 0;
      if (bodies.radius_step != 0) grown = grow(bodies, p, c, t, slip, out.force - audit.viscous);
      store(work.data, at.row, RowWorkOf<T>{audit.friction, taken, audit.stiffness, grown});
      store(viscous.data, at.row, audit.viscous);
    }
    mark(at.row);
    return overlap / smaller_radius(c);
  }

  template <class T>
  TALUS_HD Params<T> constants_of(u32 r) const {
    return constants[params.size == 0 ? 0 : params[r]];
  }
  TALUS_HD void mark(u32 r) const { quiet[r] = 0; }

  // Work of growing radii: the elastic force in the middle of the step times the growth, and what the stored energy
  // gains because a rounder contact is stiffer at the same overlap. Dashpots do not see growth.
  template <class T>
  TALUS_HD T grow(const BodyView<D>& bodies, const Params<T>& p, const Contact<D, T>& c, const Touch<D, T>& t,
                  const Slip<D, T>& s, const Vec<D, T>& elastic) const {
    const Real share = bodies.radius_step / bodies.radius_scale;
    const T grown = (c.radius_a + c.radius_b) * T(share);
    const T half = (grown - T(s.dt) * dot(s.velocity, c.normal)) / T(2);  // change of the overlap in half a step
    Touch<D, T> now = t, before = t;
    now.overlap = before.overlap = max(t.overlap - half, T(0));
    before.radius = t.radius * T(1 - share);
    const History<T> none{};
    return grown * (dot(elastic, c.normal) - half * Law::stiffness(p, t)) + Law::stored(p, now, none).normal -
           Law::stored(p, before, none).normal;
  }

  // A contact that opens forgets; what its spring still held is booked as lost with the stiffness. Its dashpot acted
  // through the first half of this step. The shift goes when the bodies no longer overlap without it either.
  // One step later the entries of that step are cleared too, and the row falls quiet.
  TALUS_HD void open(const RowPlace& at, const Vec<D>& velocity, Real overlap) const {
    const u32 r = at.row;
    if (quiet[r]) return;
    if (shifted && !(overlap > 0)) shift[r] = 0;
    push[r] = {};
    if constexpr (Rotation && Law::has_couple) couple[r] = {};
    if constexpr (K != Keep::forces) branch[r] = {};
    bool silent = all_zero(history[r]) && (!shifted || shift[r] == 0);
    if constexpr (K == Keep::ledger) {
      work[r] = {};
      work[r].viscous = Real(-0.5) * globals->dt * dot(viscous[r], velocity);
      viscous[r] = {};
      if (!all_zero(history[r])) work[r].stiffness = Law::stored(constants_of<Real>(r), Touch<D>{}, history[r]).shear;
      silent = silent && work[r].viscous == 0;
    }
    quiet[r] = silent;
    history[r] = {};
  }

#if !defined(__CUDACC__)
  static constexpr int N = native_lanes;
  using Wide = Lanes<N>;

  // A range of rows. N rows that all touch are pressed together; rebuild puts rows that touch side by side. Of the other
  // groups those that touch are listed and pressed when the list has N.
  Real over(std::size_t first, std::size_t last) const {
    const BodyView<D> bodies = view.at(*globals);
    constexpr std::size_t block = 256;
    u32 waiting[block + 2 * N];
    Real deepest = 0;
    Wide most = 0;
    for (std::size_t begin = first; begin < last; begin += block) {
      const std::size_t end = min(begin + block, last);
      std::size_t count = 0, r = begin;
      for (; r + N <= end; r += N) together(bodies, u32(r), waiting, count, most, deepest);
      const auto alone = [&](u32 row) { deepest = max(deepest, one(bodies, {row, body_a[row], body_b[row]})); };
      for (; r < end; ++r) alone(u32(r));
      for (r = 0; r + N <= count; r += N) again(bodies, waiting + r, most);
      for (; r < count; ++r) alone(waiting[r]);
    }
    return max(deepest, largest(most));
  }

  // Rows r to r + N - 1: pressed if all touch, else those that do are put on the waiting list; the others open.
  TALUS_HD void together(const BodyView<D>& bodies, u32 r, u32* waiting, std::size_t& count, Wide& most,
                         Real& deepest) const {
    RowPlaces<N> at;
    u64 detail[N];
    unsigned silent = 0;
    for (int k = 0; k < N; ++k) {
      at.row.at[k] = r + u32(k);
      at.a.at[k] = body_a[r + u32(k)];
      at.b.at[k] = body_b[r + u32(k)];
      detail[k] = key[r + u32(k)].detail;
      silent |= unsigned(quiet[r + u32(k)]) << k;
    }
    const Vec<D, Wide> between = positions(bodies, at.a) - positions(bodies, at.b) - translations(bodies.cell, detail);
    const Wide ra = radii(bodies, at.a), rb = radii(bodies, at.b);
    const Wide reach = ra + rb, limit = reach * reach, square = dot(between, between);
    const unsigned balls = bits((ra > Wide(0)) & (rb > Wide(0)));
    const bool plain = !shifted && bulge.size == 0;
    const unsigned near = balls & bits(plain ? square < Wide(0.9999999) * limit
                                             : touch_pair(between, ra, rb).overlap + added(at.row) > Wide(0));
    constexpr unsigned all = (1u << N) - 1;
    if (near == all) return press(bodies, at, between, most);
    const unsigned apart = plain ? bits(square > Wide(1.0000001) * limit) & balls : 0;
    for (int k = 0; k < N; ++k) {
      waiting[count] = r + u32(k);
      count += (near >> k) & 1u;
    }
    unsigned others = all & ~near & ~(apart & silent);
    for (; others != 0; others &= others - 1) {
      const int k = std::countr_zero(others);
      deepest = max(deepest, one(bodies, {r + u32(k), at.a.at[k], at.b.at[k]}));
    }
  }

  // N rows of the waiting list: all touch.
  TALUS_HD void again(const BodyView<D>& bodies, const u32* rows, Wide& most) const {
    RowPlaces<N> at;
    u64 detail[N];
    for (int k = 0; k < N; ++k) {
      at.row.at[k] = rows[k];
      at.a.at[k] = body_a[rows[k]];
      at.b.at[k] = body_b[rows[k]];
      detail[k] = key[rows[k]].detail;
    }
    press(bodies, at, positions(bodies, at.a) - positions(bodies, at.b) - translations(bodies.cell, detail), most);
  }

  TALUS_HD void press(const BodyView<D>& bodies, const RowPlaces<N>& at, const Vec<D, Wide>& between,
                      Wide& most) const {
    const Moving<D, Wide> a = body(bodies, at.a), b = body(bodies, at.b);
    const Contact<D, Wide> c = touch_pair(between, a.radius, b.radius);
    const Wide overlap = !shifted && bulge.size == 0 ? c.overlap : c.overlap + added(at.row);
    most = max(most, press(bodies, at, a, b, c, overlap));
  }
  TALUS_HD Wide added(const Places<N>& rows) const {
    const Wide sum = shifted ? load<Wide>(shift.data, rows) : Wide(0);
    return bulge.size == 0 ? sum : sum + load<Wide>(bulge.data, rows);
  }

  TALUS_HD static Vec<D, Wide> positions(const BodyView<D>& v, const Places<N>& at) {
    return vectors<Vec<D, Wide>>(v.position.data, at);
  }
  TALUS_HD static Wide radii(const BodyView<D>& v, const Places<N>& at) {
    return Wide(v.radius_scale) * load<Wide>(v.radius.data, at);
  }
  // What `press` needs; it has the positions already.
  TALUS_HD static Moving<D, Wide> body(const BodyView<D>& v, const Places<N>& at) {
    return {{},
            radii(v, at),
            vectors<Vec<D, Wide>>(v.velocity.data, at),
            load<Wide>(v.inverse_mass.data, at),
            vectors<Spin<D, Wide>>(v.spin.data, at),
            0};
  }
  template <class To, class From>
  TALUS_HD static To vectors(const From* column, const Places<N>& at) {
    if constexpr (sizeof(From) == 3 * sizeof(Real))
      return load_three<To>(column, at);
    else
      return load<To>(column, at);
  }

  // Of the images in the keys' details; zero, and adding nothing, where there is none.
  TALUS_HD static Vec<D, Wide> translations(const Cell<D>& cell, const u64 (&detail)[N]) {
    using Ints = typename VectorOf<N>::Ints;
    Ints low, high;
    for (int k = 0; k < N; ++k) {
      low[k] = i32(u32(detail[k]));
      high[k] = i32(u32(detail[k] >> 32));
    }
    Vec<D, Wide> image;
    image[0] = Wide::of((low << 16) >> 16);
    image[1] = Wide::of(low >> 16);
    if constexpr (D == 3) image[2] = Wide::of((high << 16) >> 16);
    return cell.h * image;
  }

  template <class T>
  TALUS_HD Params<T> constants_of(const Places<N>& rows) const {
    Places<N> which{};
    if (params.size > 0)
      for (int k = 0; k < N; ++k) which.at[k] = params[rows.at[k]];
    return load<Params<T>>(constants.data, which);
  }
  TALUS_HD void mark(const Places<N>& rows) const {
    for (int k = 0; k < N; ++k) quiet[rows.at[k]] = 0;
  }
#endif
};

template <int D>
struct GatherSums {
  Vec<D> force{};
  Spin<D> moment{};
  Mat<D> virial{};
  RowWork spent{};
  TALUS_HD GatherSums& operator+=(const GatherSums& other) {
    force += other.force;
    moment += other.moment;
    virial += other.virial;
    spent += other.spent;
    return *this;
  }
};

// Sums the rows of each body in order of the partner's uid, adds gravity and local damping, and makes the second half
// kick. Rows that do not touch add exact zeros. Returns a number that is infinite when a velocity is not finite.
template <int D, bool Rotation, Keep K>
struct Gather {
  Span<const u32> start, incidence, uid;
  Span<const RowPush<D>> push;
  Span<const Spin<D>> couple;
  Span<const Vec<D>> branch;
  Span<const RowWork> row_work;
  Span<const u8> quiet;
  Span<const Real> radius;
  Span<Vec<D>> velocity, force;
  Span<Spin<D>> spin, torque;
  Span<const Real> mass, inverse_mass, inverse_inertia;
  Span<BodyWork> work;
  Span<Mat<D>> virial_of_uid;
  const Globals<D>* globals;
  Real damping, density_scale;

  TALUS_HD Real operator()(std::size_t i) const {
    GatherSums<D> sums;
    for (u32 e = first(i); e < last(i); ++e) add(i, e, sums);
    return put(i, sums);
  }

  TALUS_HD u32 first(std::size_t i) const { return start[i]; }
  TALUS_HD u32 last(std::size_t i) const { return start[i + 1]; }
  TALUS_HD void add(std::size_t i, u32 e, GatherSums<D>& sums) const {
    const u32 row = incidence[e] >> 1;
#if defined(__CUDA_ARCH__)
    if (quiet[row]) return;  // zeros: on a device the bytes cost more than the branch
#endif
    const bool second = incidence[e] & 1u;
    const RowPush<D>& p = push[row];
    const Real sign = second ? Real(-1) : Real(1);
    sums.force += sign * p.force;
    if constexpr (Rotation) {
      const Real scaled = globals->radius_scale * radius[i];
      sums.moment -= (scaled > 0 ? scaled - p.depth : Real(0)) * p.twist;
      if (couple.size > 0) sums.moment += sign * couple[row];
    }
    if (second) return;
    if constexpr (K != Keep::forces) sums.virial += outer(p.force, branch[row]);
    if constexpr (K == Keep::ledger) sums.spent += row_work[row];
  }
  TALUS_HD Real put(std::size_t i, const GatherSums<D>& sums) const {
    if constexpr (K != Keep::forces) virial_of_uid[uid[i]] = sums.virial;
    BodyWork done{};
    if constexpr (K == Keep::ledger) {
      done = work[i];
      done.friction += sums.spent.friction;
      done.viscous += sums.spent.viscous;
      done.stiffness += sums.spent.stiffness;
      done.growth += sums.spent.growth;
    }
    const Real speed = kick(i, sums.force, sums.moment, done);
    if constexpr (K == Keep::ledger) work[i] = done;
    return speed;
  }

#if !defined(__CUDACC__)
  // A range of bodies in space: the three numbers of a force go through one register (the fourth is its neighbour in
  // memory and is not used). The same sums in the same order as above.
  Real over(std::size_t begin, std::size_t end) const requires(D == 3) {
    using Four = Lanes<4>;
    const auto at = [](const auto& record) { return Four(four_at(reinterpret_cast<const Real*>(&record))); };
    const auto three = [](const Four& v) { return Vec<D>{v.v[0], v.v[1], v.v[2]}; };
    static constexpr Real sign_of[2] = {1, -1}, mine_of[2] = {1, 0};  // read, not branched on: sides come at random
    Real fastest = 0;
    for (std::size_t i = begin; i < end; ++i) {
      Four f, m, spent, virial[3];
      const Real scaled = globals->radius_scale * radius[i];
      for (u32 e = start[i]; e < start[i + 1]; ++e) {
        const u32 row = incidence[e] >> 1, second = incidence[e] & 1u;
        if constexpr (K != Keep::forces)  // three lines of zeros cost more than a branch that is guessed wrongly
          if (quiet[row]) continue;
        const RowPush<D>& p = push[row];
        const Four sign = sign_of[second];
        f += sign * at(p.force);
        if constexpr (Rotation) {
          m -= Four(scaled > 0 ? scaled - p.depth : Real(0)) * at(p.twist);
          if (couple.size > 0) m += sign * at(couple[row]);
        }
        if constexpr (K != Keep::forces) {
          const Real mine = mine_of[second];
          const Four arm = at(branch[row]);
          for (int k = 0; k < 3; ++k) virial[k] += Four(mine * p.force[k]) * arm;
          if constexpr (K == Keep::ledger) spent += Four(mine) * at(row_work[row]);
        }
      }
      GatherSums<D> sums{three(f), three(m), {}, {}};
      if constexpr (K != Keep::forces)
        for (int k = 0; k < 3; ++k)
          for (int l = 0; l < 3; ++l) sums.virial(k, l) = virial[k].v[l];
      if constexpr (K == Keep::ledger) sums.spent = {spent.v[0], spent.v[1], spent.v[2], spent.v[3]};
      fastest = max(fastest, put(i, sums));
    }
    return fastest;
  }
#endif

  template <class V>
  TALUS_HD static V against(const V& f, const V& v, Real share) {
    V out = f;
    for (int k = 0; k < V::size; ++k) {
      const Real sign = v[k] > 0 ? Real(1) : v[k] < 0 ? Real(-1) : Real(0);
      out[k] -= share * std::abs(f[k]) * sign;
    }
    return out;
  }

  TALUS_HD Real kick(std::size_t i, const Vec<D>& pushed, const Spin<D>& twist, BodyWork& done) const {
    if (!(inverse_mass[i] > 0)) {  // driven bodies keep the force of the grains for their servo
      force[i] = pushed;
      if constexpr (Rotation) torque[i] = twist;
      return 0;
    }
    const Real dt = globals->dt;
    const Vec<D> weight = mass[i] * ((1 / density_scale) * globals->gravity);
    const Vec<D> whole = pushed + weight, middle = velocity[i];
    const Vec<D> damped = damping > 0 ? against(whole, middle, damping) : whole;
    force[i] = damped;
    const Vec<D> v = middle + (Real(0.5) * dt * inverse_mass[i]) * damped;
    velocity[i] = v;
    Spin<D> w{}, damped_twist{};
    if constexpr (Rotation) {
      damped_twist = damping > 0 ? against(twist, spin[i], damping) : twist;
      torque[i] = damped_twist;
      w = spin[i] + (Real(0.5) * dt * inverse_inertia[i]) * damped_twist;
      spin[i] = w;
    }
    if constexpr (K == Keep::ledger) {
      // This force acts over the half kick just made and the first half of the next step: its work is force times the
      // velocity in the middle, v.
      done.local += dt * (dot(whole - damped, v) + dot(twist - damped_twist, w));
      done.gravity += dt * dot(weight, middle);  // weight times displacement: exact
    }
    return finite_or_infinity(dot(v, v) + dot(w, w));
  }
};

}  // namespace talus::dem
