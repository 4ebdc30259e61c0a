// The kernel over contact rows: touch and act.
#pragma once
#include <algorithm>

#include <talus/dem/step.hpp>
#include <talus/exec/prefetch.hpp>
#include <talus/exec/shared_memory.hpp>
#include <talus/stages/contact_geometry.hpp>

namespace talus::dem {

struct RowPlace {  // and its bodies
  u32 row, a, b;
};

template <int>
struct Unused {};

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
  Span<const Sides> displacement;
  Span<Load> loads;
  Span<Vec<D>> tangential_force;
  // Of slots, from the first of this law, or of its ring in a chunk.
  Span<RowPush<D>> push;
  Span<Spin<D>> couple;
  Span<Vec<D>> branch;
  Span<RowWork> work;
  // Of all laws' rows, from this law's first.
  Span<Vec<D>> kept;
  Span<u8> marks;
  Span<const Sides> trend;
  Span<const u8> close;  // two for each row; empty: not known
  Span<Real> model_work;
  Span<u8> activated;  // of bodies
  const Tally* tally;
  u32 ring_mask;  // ones: each row has its own slot
  bool shifted;

  TALUS_HD u32 slot(u32 r) const { return r & ring_mask; }
  TALUS_HD bool keeps_branch() const { return K == Keep::any ? branch.size > 0 : K != Keep::forces; }
  TALUS_HD bool keeps_work() const { return K == Keep::any ? work.size > 0 : K == Keep::ledger; }
  // Does a multi-contact model act? They are of space only.
  TALUS_HD bool deforms() const { return D == 3 && displacement.size > 0; }

  // The same with the ring that begins so many slots further on.
  Act in_ring(std::size_t offset) const {
    Act other = *this;
    const auto on = [&](auto& span) {
      if (span.size > 0) span = {span.data + offset, span.size - offset};
    };
    on(other.push), on(other.couple), on(other.branch), on(other.work);
    return other;
  }

  // One row. Returns overlap over the smaller radius.
  TALUS_HD Real operator()(std::size_t r) const {
    const BodyView<D> bodies = view.at(*globals);
    return one(bodies, {u32(r), body_a[r], body_b[r]});
  }

  TALUS_HD Real one(const BodyView<D>& bodies, const RowPlace& at) const {
    Moving<D> a = moving[at.a], b = moving[at.b];
    const u8 mark = marks[at.row];
    const bool plain = !shifted && !deforms();
    Vec<D> between = a.position - b.position;
    if (mark & row_image) between -= bodies.cell.translation(key[at.row].template image<D>());
    if ((mark & (row_inactive | row_wall)) == row_inactive && plain) {  // seen without a root
      const Real reach = a.radius + b.radius;
      if (dot(between, between) > Real(1.0000001) * reach * reach) return 0;
    }
    Contact<D> c = mark & row_wall ? touch_wall(bodies, at.a, at.b, between, a.radius, b.radius)
                                   : touch_pair(between, a.radius, b.radius);
    const Real overlap = plain ? c.overlap : c.overlap + added(at.row);
    if (mark & row_wall) {
      if (at.b >= bodies.grains)
        b.velocity = WallMotion<D>{b.velocity, b.spin, bodies.closing_speed(at.b)}.at(between - c.branch, c.normal);
      else
        a.velocity = WallMotion<D>{a.velocity, a.spin, bodies.closing_speed(at.a)}.at(c.branch - between, -c.normal);
    }
    if (!(overlap > 0)) {
      if (!(mark & row_inactive)) open(at, a.velocity - b.velocity, c.overlap);
      return 0;
    }
    if (mark & row_inactive) activate(at.row, at.a, at.b);
    if (deforms()) deform(c, skew(at.row));
    Ready<Real> m;
    prepare(bodies, a, b, c, overlap, m);
    react(bodies, at.row, m);
    return overlap / smaller_radius(c);
  }

  TALUS_HD void activate(u32 r, u32 a, u32 b) const {
    const bool in_ring = ring_mask != ~0u;
    marks[r] = u8((marks[r] & ~row_inactive) | (in_ring ? row_listed : 0));
    exec::set_flag(&activated[a]);
    exec::set_flag(&activated[b]);
  }

  // What shift and displacement add to the geometric overlap.
  TALUS_HD Real added(u32 r) const {
    return (shifted ? shift[r] : Real(0)) + (deforms() ? displacement[r].a + displacement[r].b : Real(0));
  }

  // Where two deformed grains meet: halfway between their surfaces. On a wall it is the wall.
  TALUS_HD Real skew(u32 r) const {
    return marks[r] & row_wall ? Real(0) : Real(0.5) * (displacement[r].a - displacement[r].b);
  }
  template <class T>
  TALUS_HD static void deform(Contact<D, T>& c, const T& by) {
    c.arm_a = c.arm_a + by;
    c.arm_b = c.arm_b - by;
  }

  // A contact before its law acts.
  template <class T>
  struct Ready {
    Touch<D, T> touch;
    Vec<D, T> velocity;  // of the slip
    T depth;
    [[no_unique_address]] std::conditional_t<Rotation && Law::has_couple, Spin<D, T>, Unused<0>> rolling;
    [[no_unique_address]] std::conditional_t<K != Keep::forces, Vec<D, T>, Unused<1>> branch;
    [[no_unique_address]] std::conditional_t<K >= Keep::ledger, T, Unused<2>> radii;
  };

  template <class T>
  TALUS_HD void prepare(const BodyView<D>& bodies, const Moving<D, T>& a, const Moving<D, T>& b, const Contact<D, T>& c,
                        const T& overlap, Ready<T>& m) const {
    m.touch = {c.normal, overlap, c.radius, T(1) / (a.inverse_mass + b.inverse_mass)};
    m.velocity = a.velocity - b.velocity + bodies.cell.rate * c.branch;
    if constexpr (Rotation) m.velocity -= cross(c.arm_a * a.spin + c.arm_b * b.spin, c.normal);
    m.depth = c.depth;
    if constexpr (Rotation && Law::has_couple) m.rolling = a.spin - b.spin;
    if constexpr (K != Keep::forces) m.branch = c.branch;
    if constexpr (K >= Keep::ledger) m.radii = c.radius_a + c.radius_b;
  }

  // The law acts: history moves on, and what the row does is written down. `at` is one row or one in every lane.
  template <class T, class At>
  TALUS_HD void react(const BodyView<D>& bodies, const At& at, const Ready<T>& m) const {
    const Real dt = globals->dt;
    Slip<D, T> slip{m.velocity, {}, dt, globals->friction_scale};
    if constexpr (Rotation && Law::has_couple) slip.rolling = m.rolling;
    const Touch<D, T>& t = m.touch;
    const Params<T> p = constants_of<T>(at);
    auto memory = load<History<T>>(history.data, at);
    Audit<D, T> audit;
    const Push<D, T> out = Law::act(p, t, slip, memory, audit);
    store(history.data, at, memory);
    RowPush<D, T> result{out.force, {}, m.depth, T(0)};
    if constexpr (Rotation) result.twist = moment(t.normal, out.force);
    if (deforms()) result.skew = skew(at);  // the sums take one depth for both bodies; arms of deformed grains differ
    const At to = slot(at);
    store(push.data, to, result);
    if (kept.size > 0) store(kept.data, at, out.force);
    if constexpr (Rotation && Law::has_couple) store(couple.data, to, out.couple);
    if constexpr (D == 3)
      if (deforms()) remember(at, m, p, out, audit, result.skew);
    if constexpr (K != Keep::forces)
      if (keeps_branch()) store(branch.data, to, m.branch);
    if constexpr (K >= Keep::ledger)
      if (keeps_work()) {
        const T taken = T(Real(-0.5) * dt) * dot(load<Vec<D, T>>(viscous.data, at) + audit.viscous, slip.velocity);
        T grown = 0;
        if (bodies.radius_step != 0) grown = grow(bodies, p, m.radii, t, slip, out.force - audit.viscous);
        store(work.data, to, RowWorkOf<T>{audit.friction, taken, audit.stiffness, grown});
        store(viscous.data, at, audit.viscous);
      }
  }

  // Of a contact in a multi-contact model the next step needs to know how it is loaded.
  template <class T, class At>
  TALUS_HD void remember(const At& at, const Ready<T>& m, const Params<T>& p, const Push<D, T>& out,
                         const Audit<D, T>& audit, const T& by) const {
    const auto sides = load_sides<T>(displacement.data, at), trends = load_sides<T>(trend.data, at);
    const bool begins = tally->seed_scale != 0;  // rare: what it was before is not read
    LoadOf<T> before{}, now;
    if (keeps_work() || begins) before = load<LoadOf<T>>(loads.data, at);
    now.normal = m.touch.normal;
    now.depth = m.depth;
    now.skew = by;
    const Vec<D, T> elastic = out.force - audit.viscous;
    now.force = dot(elastic, m.touch.normal);
    now.displacement = sides.a + sides.b;
    now.mode = T(tally->trend_scale) * Law::stiffness(p, m.touch) * (trends.a + trends.b);
    if (begins) now.mode = now.mode + T(tally->seed_scale) * before.force;
    store(loads.data, at, now);
    if (tangential_force.size > 0) store(tangential_force.data, at, elastic - now.force * m.touch.normal);
    // Held is what the springs hold less force times displacement over two; the rest comes from displacements that do not follow
    // forces as those of an elastic body would.
    if (keeps_work()) {
      const T last = select(before.force > T(0), before.displacement, now.displacement);
      store(model_work.data, at, T(0.5) * (before.force * now.displacement - now.force * last));
    }
  }
  template <class T>
  TALUS_HD static Sides load_sides(const Sides* column, u32 r) {
    return column[r];
  }

  template <class T>
  TALUS_HD Params<T> constants_of(u32 r) const {
    return constants[params.size == 0 ? 0 : params[r]];
  }

  // Work of growing radii: the elastic force in the middle of the step times the growth, and what the stored energy
  // gains because a rounder contact is stiffer at the same overlap. Dashpots do not see growth.
  template <class T>
  TALUS_HD T grow(const BodyView<D>& bodies, const Params<T>& p, const T& radii, const Touch<D, T>& t,
                  const Slip<D, T>& s, const Vec<D, T>& elastic) const {
    const Real share = bodies.radius_step / bodies.radius_scale;
    const T grown = radii * T(share);
    const T half = (grown - T(s.dt) * dot(s.velocity, t.normal)) / T(2);  // change of the overlap in half a step
    Touch<D, T> now = t, before = t;
    now.overlap = before.overlap = max(t.overlap - half, T(0));
    before.radius = t.radius * T(1 - share);
    const History<T> none{};
    return grown * (dot(elastic, t.normal) - half * Law::stiffness(p, t)) + Law::stored(p, now, none).normal -
           Law::stored(p, before, none).normal;
  }

  // A contact that opens forgets; what its spring still held is entered as lost with the stiffness. Its dashpot acted
  // through the first half of this step. The shift goes when the bodies no longer overlap without it either.
  // One step later the entries of that step are cleared too, and the row becomes inactive.
  TALUS_HD void open(const RowPlace& at, const Vec<D>& velocity, Real overlap) const {
    const u32 r = at.row;
    if (shifted && !(overlap > 0)) shift[r] = 0;
    const u32 to = slot(r);
    push[to] = {};
    if constexpr (Rotation && Law::has_couple) couple[to] = {};
    if (keeps_branch()) branch[to] = {};
    bool silent = all_zero(history[r]) && (!shifted || shift[r] == 0);
    if (deforms()) {
      silent = silent && all_zero(loads[r]);
      if (keeps_work()) model_work[r] = Real(0.5) * loads[r].force * (displacement[r].a + displacement[r].b);
      loads[r] = {};
      if (tangential_force.size > 0) tangential_force[r] = {};
    }
    if (keeps_work()) {
      RowWork& spent = work[to];
      spent = {};
      spent.viscous = Real(-0.5) * globals->dt * dot(viscous[r], velocity);
      viscous[r] = {};
      if (!all_zero(history[r])) spent.stiffness = Law::stored(constants_of<Real>(r), Touch<D>{}, history[r]).shear;
      silent = silent && spent.viscous == 0;
    }
    if (silent && !(marks[r] & row_listed)) marks[r] |= row_inactive;
    history[r] = {};
  }

#if !defined(__CUDACC__)
  static constexpr int N = native_lanes;
  using Wide = Lanes<N>;

  static constexpr unsigned every = (1u << N) - 1;
  static constexpr std::size_t block = 128;  // rows at a time: what is known of them between the passes stays small

  template <class T>
  static constexpr int lines_of = int((N * sizeof(T) + 63) / 64);  // of the cache, for N rows

  struct Ends {
    Places<N> a, b;
  };

  Places<N> slot(Places<N> rows) const {
    for (std::size_t k = 0; k < N; ++k) rows.at[k] = slot(rows.at[k]);
    return rows;
  }

  // A range of rows, N at a time, in two passes: the geometry of those that touch, then their laws. Rebuild puts rows that
  // touch side by side: while all N of a group still do, they are taken as they lie; those of other groups are listed and
  // made into new groups. Between groups, memory that is needed soon is prefetched.
  // `far`: rows of the next tile with a body far from it, whose record nobody else asks for early.
  Real over(std::size_t first, std::size_t last, exec::Prefetch& soon, exec::Prefetch& results,
            Span<const u32> far) const {
    if (first == last) return 0;
    const BodyView<D> bodies = view.at(*globals);
    alignas(64) std::byte room[block / N * sizeof(Ready<Wide>)];  // not cleared
    auto* ready = reinterpret_cast<Ready<Wide>*>(room);
    Places<N> rows[block / N];
    u32 waiting[block + N];
    Real deepest = 0;
    Wide most = 0;
    std::size_t fetched = 0;
    for (std::size_t begin = first; begin < last; begin += block) {
      const std::size_t end = min(begin + block, last);
      std::size_t groups = 0, count = 0;
      for (std::size_t r = begin; r < end; r += N) {
        for (std::size_t k = 0; k < N; ++k) rows[groups].at[k] = u32(r + k);
        soon.fetch(2);
        results.fetch(1);
        exec::Prefetch(history.data + r + rows_ahead, N).fetch(lines_of<History<Real>>);
        exec::Prefetch(marks.data + r + rows_ahead, N).fetch(lines_of<u8>);
        exec::Prefetch(body_a.data + r + rows_ahead, N).fetch(lines_of<u32>);
        exec::Prefetch(body_b.data + r + rows_ahead, N).fetch(lines_of<u32>);
        for (const std::size_t some = min(fetched + 2, far.size); fetched < some; ++fetched)
          exec::Prefetch(moving.data + max(body_a[far[fetched]], body_b[far[fetched]]), 1).fetch(2);
        if (rests(r, min(r + N, end))) continue;
        if (r + N <= end && can_run(r) && prepare_all(bodies, rows[groups], most, ready[groups]))
          ++groups;
        else
          sort_out(bodies, r, min(r + N, end), waiting, count, deepest);
      }
      for (; count % N != 0; ++count) waiting[count] = waiting[count - 1];  // twice the same: the same result is stored
      for (std::size_t w = 0; w < count; w += N, ++groups) {
        std::copy(waiting + w, waiting + w + N, rows[groups].at);
        prepare_all(bodies, rows[groups], most, ready[groups]);  // sort_out has seen that they touch
      }
      for (std::size_t g = 0; g < groups; ++g) react(bodies, rows[g], ready[g]);
    }
    return max(deepest, largest(most));
  }

  // Are rows inactive, and is it known that none of them can touch?
  bool rests(std::size_t first, std::size_t last) const {
    if (close.size == 0) return false;
    for (std::size_t r = first; r < last; ++r)
      if (close[2 * r] || (marks[r] & (row_inactive | row_wall)) != row_inactive) return false;
    return true;
  }

  // Are the rows from r on neither inactive nor at a wall?
  TALUS_HD bool can_run(std::size_t r) const {
    unsigned all = 0;
    for (std::size_t k = 0; k < N; ++k) all |= marks[r + k];
    return !(all & (row_inactive | row_wall));
  }

  TALUS_HD Ends ends(const Places<N>& rows) const {
    Ends at;
    for (std::size_t k = 0; k < N; ++k) {
      at.a.at[k] = body_a[rows.at[k]];
      at.b.at[k] = body_b[rows.at[k]];
    }
    return at;
  }

  TALUS_HD Vec<D, Wide> between(const BodyView<D>& bodies, const Places<N>& rows, const Moving<D, Wide>& a,
                                const Moving<D, Wide>& b) const {
    unsigned all = 0;
    for (std::size_t k = 0; k < N; ++k) all |= marks[rows.at[k]];
    const Vec<D, Wide> d = a.position - b.position;
    return all & row_image ? d - translations(bodies.cell, rows) : d;
  }

  // The geometry of N rows of balls; says no when one of them does not touch.
  TALUS_HD bool prepare_all(const BodyView<D>& bodies, const Places<N>& rows, Wide& most, Ready<Wide>& m) const {
    const Ends at = ends(rows);
    const auto a = load<Moving<D, Wide>>(moving.data, at.a), b = load<Moving<D, Wide>>(moving.data, at.b);
    Contact<D, Wide> c = touch_pair(between(bodies, rows, a, b), a.radius, b.radius);
    const Wide overlap = !shifted && !deforms() ? c.overlap : c.overlap + added(rows);
    if (bits(overlap > Wide(0)) != every) return false;
    if (deforms()) deform(c, skew(rows));
    prepare(bodies, a, b, c, overlap, m);
    most = max(most, overlap / smaller_radius(c));
    return true;
  }

  // Rows first to last - 1, at most N: those that touch go to the waiting list, the others open.
  [[gnu::noinline]] void sort_out(const BodyView<D>& bodies, std::size_t first, std::size_t last, u32* waiting,
                                  std::size_t& count, Real& deepest) const {
    Places<N> rows;  // lanes beyond the last row repeat it and are not looked at
    for (std::size_t k = 0; k < N; ++k) rows.at[k] = u32(min(first + k, last - 1));
    unsigned inactive = 0, walls = 0;
    for (std::size_t k = 0; k < N; ++k) {
      const unsigned mark = marks[rows.at[k]];
      inactive |= unsigned((mark & row_inactive) != 0) << k;
      walls |= unsigned((mark & row_wall) != 0) << k;
    }
    const Ends at = ends(rows);
    const auto a = load<Moving<D, Wide>>(moving.data, at.a), b = load<Moving<D, Wide>>(moving.data, at.b);
    const Vec<D, Wide> d = between(bodies, rows, a, b);
    const Wide reach = a.radius + b.radius, limit = reach * reach, square = dot(d, d);
    const bool plain = !shifted && !deforms();
    const unsigned valid = every >> (N - (last - first));
    const unsigned near = valid & ~walls &
                          bits(plain ? square < Wide(0.9999999) * limit
                                     : touch_pair(d, a.radius, b.radius).overlap + added(rows) > Wide(0));
    for (std::size_t k = 0; k < N; ++k) {
      waiting[count] = rows.at[k];
      count += (near >> k) & 1u;
    }
    for (unsigned now_active = near & inactive; now_active != 0; now_active &= now_active - 1) {
      const auto k = std::size_t(std::countr_zero(now_active));
      activate(rows.at[k], at.a.at[k], at.b.at[k]);
    }
    unsigned others = valid & ~near;
    others &= ~(plain ? inactive & bits(square > Wide(1.0000001) * limit) : inactive) | walls;
    for (; others != 0; others &= others - 1) {
      const auto k = std::size_t(std::countr_zero(others));
      deepest = max(deepest, one(bodies, {rows.at[k], at.a.at[k], at.b.at[k]}));
    }
  }

  TALUS_HD Wide added(const Places<N>& rows) const {
    const Wide sum = shifted ? load<Wide>(shift.data, rows) : Wide(0);
    if (!deforms()) return sum;
    const auto sides = load_sides<Wide>(displacement.data, rows);
    return sum + (sides.a + sides.b);
  }
  TALUS_HD Wide skew(const Places<N>& rows) const {  // walls go one by one
    const auto sides = load_sides<Wide>(displacement.data, rows);
    return Wide(0.5) * (sides.a - sides.b);
  }
  template <class T>
  TALUS_HD static SidesOf<T> load_sides(const Sides* column, const Places<N>& rows) {
    return load<SidesOf<T>>(column, rows);
  }

  // Of the images in the rows' keys; zero, and taking nothing off, where there is none.
  TALUS_HD Vec<D, Wide> translations(const Cell<D>& cell, const Places<N>& rows) const {
    using Ints = typename VectorOf<N>::Ints;
    Ints low, high;
    for (int k = 0; k < N; ++k) {
      const u64 detail = key[rows.at[k]].image_and_kind();
      low[k] = i32(u32(detail));
      high[k] = i32(u32(detail >> 32));
    }
    Vec<D, Wide> image;
    image[0] = Wide::of((low << 16) >> 16);
    image[1] = Wide::of(low >> 16);
    if constexpr (D == 3) image[2] = Wide::of((high << 16) >> 16);
    return cell.h * image;
  }

  template <class T>
  TALUS_HD Params<T> constants_of(const Places<N>& rows) const {
    if (params.size == 0) return spread<Params<T>>(constants[0]);
    Places<N> which;
    for (std::size_t k = 0; k < N; ++k) which.at[k] = params[rows.at[k]];
    return load<Params<T>>(constants.data, which);
  }
#endif
};

}  // namespace talus::dem
