// Rebuild: sort bodies into the grid, find candidate pairs, carry the history of contacts over, list rows per body.
// None of this reaches a result: rows are evaluated by uid order, and candidates that do not touch add exact zeros.
#pragma once
#include <talus/core/rng.hpp>
#include <talus/dem/step.hpp>
#include <talus/exec/timers.hpp>

namespace talus::dem {

template <int D>
struct Wrap {  // position inside the cell, and the periods taken off
  Span<const Vec<D>> position;
  Span<Vec<D>> wrapped;
  Span<Vec<D, i32>> offset;
  Cell<D> cell;
  Mat<D> inverse_h;
  TALUS_HD void operator()(std::size_t i) const {
    const Vec<D> s = inverse_h * position[i];
    Vec<D, i32> periods{};
    for (int k = 0; k < D; ++k)
      if (cell.periodic[k]) periods[k] = i32(std::floor(s[k]));
    offset[i] = periods;
    wrapped[i] = position[i] - cell.translation(periods);
  }
};

template <class T>
struct Permute {
  Span<const T> from;
  Span<T> to;
  Span<const u32> order;
  TALUS_HD void operator()(std::size_t i) const { to[i] = from[order[i]]; }
};

template <class Exec, class T>
void permute(Column<T>& column, const Column<u32>& order) {
  if (column.empty()) return;
  Column<T> sorted(column.size());
  Exec::for_each(order.size(), Permute<T>{column.span(), sorted.span(), order.span()});
  for (std::size_t i = order.size(); i < column.size(); ++i) sorted[i] = column[i];  // walls stay where they are
  column.swap(sorted);
}

// Candidate rows of one law whose first-found body is i. With `fill` null only counted.
template <int D>
struct FindPairs {
  GridView<D> grid;
  PairView pairs;
  Span<const u32> uid, material, shape;
  Span<const Vec<D>> position;  // unwrapped
  Span<const Shape<D>> shapes;
  Span<const Vec<D, i32>> offset;
  u32 law, bodies;
  Span<u32> start;  // counts on the first pass, first row of each body on the second
  bool fill;
  Span<RowKey> key;
  Span<u32> body_a, body_b, params;

  TALUS_HD void add(u32 i, u32 j, const Vec<D, i32>& periods, u32 slot, u32& next) const {
    if (fill) {
      // periods: of j's image seen from i. Seen from j they are the opposite.
      const bool straight = uid[i] <= uid[j];
      Vec<D, i32> m = periods;
      if (!straight)
        for (int k = 0; k < D; ++k) m[k] = -m[k];
      key[next] = {straight ? uid[i] : uid[j], straight ? uid[j] : uid[i], RowKey::pack(m)};
      body_a[next] = straight ? i : j;
      body_b[next] = straight ? j : i;
      params[next] = pairs.params[slot];
    }
    ++next;
  }

  TALUS_HD void operator()(std::size_t n) const {
    const u32 i = u32(n);
    u32 next = fill ? start[i] : 0;
    visit_near(grid, i, [&](u32 j, const Vec<D, i32>& image, const Vec<D>&) {
      const u32 slot = pairs.slot(material[i], material[j]);
      if (pairs.law[slot] != law) return;
      Vec<D, i32> periods = image;
      for (int k = 0; k < D; ++k) periods[k] += offset[i][k] - offset[j][k];
      add(i, j, periods, slot, next);
    });
    const Real reach = grid.radius_scale * grid.radius[i] + grid.skin;
    for (u32 w = grid.balls; w < bodies; ++w) {
      const u32 slot = pairs.slot(material[i], material[w]);
      if (pairs.law[slot] != law) continue;
      if (dot(position[i] - position[w], shapes[shape[w]].normal) < reach) add(i, w, {}, slot, next);
    }
    if (!fill) start[i] = next;
  }
};

// Looks each new row up among the old rows that remember something, listed by their first uid.
template <class Law>
struct CarryHistory {
  static constexpr int D = Law::dimension;
  Span<const RowKey> key, old_key;
  Span<const u32> start, listed;
  Span<const Real> old_shift;
  Span<const typename Law::History> old_history;
  Span<const Vec<D>> old_viscous;
  Span<Real> shift;
  Span<typename Law::History> history;
  Span<Vec<D>> viscous;
  TALUS_HD void operator()(std::size_t r) const {
    shift[r] = 0;
    history[r] = {};
    if (viscous.size > 0) viscous[r] = {};
    const RowKey k = key[r];
    if (k.a + 1 >= start.size) return;
    for (u32 e = start[k.a]; e < start[k.a + 1]; ++e) {
      const u32 old = listed[e];
      if (!(old_key[old] == k)) continue;
      shift[r] = old_shift[old];
      history[r] = old_history[old];
      if (viscous.size > 0) viscous[r] = old_viscous[old];
      return;
    }
  }
};

// Sorts each body's rows by partner uid, image and side.
template <int D>
struct SortIncidence {
  Span<const u32> start, uid;
  Span<u32> incidence;
  Span<const u32> partner_a, partner_b;  // uid of a and b of each row
  Span<const u64> detail;
  TALUS_HD bool before(u32 p, u32 q) const {
    const u32 rp = p >> 1, rq = q >> 1;
    const u32 up = p & 1u ? partner_a[rp] : partner_b[rp], uq = q & 1u ? partner_a[rq] : partner_b[rq];
    if (up != uq) return up < uq;
    if (detail[rp] != detail[rq]) return detail[rp] < detail[rq];
    return (p & 1u) < (q & 1u);
  }
  TALUS_HD void operator()(std::size_t i) const {
    const u32 first = start[i], last = start[i + 1];
    if (last - first > 64) return heap(first, last - first);  // walls and very large grains
    for (u32 e = first + 1; e < last; ++e) {
      const u32 moving = incidence[e];
      u32 hole = e;
      for (; hole > first && before(moving, incidence[hole - 1]); --hole) incidence[hole] = incidence[hole - 1];
      incidence[hole] = moving;
    }
  }
  TALUS_HD void sink(u32 first, u32 root, u32 n) const {
    while (true) {
      u32 child = 2 * root + 1;
      if (child >= n) return;
      if (child + 1 < n && before(incidence[first + child], incidence[first + child + 1])) ++child;
      if (!before(incidence[first + root], incidence[first + child])) return;
      const u32 swap = incidence[first + root];
      incidence[first + root] = incidence[first + child];
      incidence[first + child] = swap;
      root = child;
    }
  }
  TALUS_HD void heap(u32 first, u32 n) const {
    for (u32 r = n / 2; r-- > 0;) sink(first, r, n);
    for (u32 end = n; end-- > 1;) {
      const u32 swap = incidence[first];
      incidence[first] = incidence[first + end];
      incidence[first + end] = swap;
      sink(first, 0, end);
    }
  }
};

template <class Exec, int D>
void sort_bodies(const Model<D>& model, State<D>& state, Scratch<D>& s, GridView<D>& grid) {
  const exec::Stage timed("sort");
  Bodies<D>& b = state.bodies;
  const Globals<D>& g = state.globals;
  const std::size_t grains = state.grains();
  s.wrapped.resize(grains);
  s.offset.resize(grains);
  Exec::for_each(grains, Wrap<D>{b.position.span(), s.wrapped.span(), s.offset.span(), g.cell, inverse(g.cell.h)});
  grid = plan_grid<D>(g.cell, s.wrapped.span(), b.radius.span(), grains, g.radius_scale, s.skin, s.cell_key);
  if (model.options.shake > 0) {  // tests: any order of bodies must give the same bits
    Rng rng{model.options.shake_seed, u64(g.step), 0};
    Column<u64> random(grains);
    for (auto& r : random) r = rng.bits();
    Exec::sort_order(random.span(), s.order);
    Bodies<D>::visit(b, [&](const About&, auto& column) { permute<Exec>(column, s.order); });
    permute<Exec>(s.wrapped, s.order);
    permute<Exec>(s.offset, s.order);
    permute<Exec>(s.cell_key, s.order);
  }
  Exec::sort_order(s.cell_key.span(), s.order);
  Bodies<D>::visit(b, [&](const About&, auto& column) { permute<Exec>(column, s.order); });
  permute<Exec>(s.wrapped, s.order);
  permute<Exec>(s.offset, s.order);
  permute<Exec>(s.cell_key, s.order);
  fill_starts<D>(grid, s.cell_key.span(), s.cell_start);
  grid.position = s.wrapped.span();
  grid.radius = b.radius.span();

  u32 uids = 0;
  for (const u32 uid : b.uid) uids = max(uids, uid + 1);
  s.index_of_uid.assign(uids, ~0u);
  for (std::size_t i = 0; i < b.size(); ++i) s.index_of_uid[b.uid[i]] = u32(i);
  s.virial_of_uid.assign(uids, {});
}

// Candidate rows of law L, and the memory of the old rows moved into them. Returns a status.
template <class Exec, int D, std::size_t L>
u32 find_rows(const Model<D>& model, State<D>& state, Scratch<D>& s, const GridView<D>& grid) {
  using Law = std::tuple_element_t<L, Laws<D>>;
  Rows<Law>& old = state.template rows_of<L>();
  RowIndex& index = s.index[L];
  const bool in_use = !std::get<L>(model.pairs.constants.of).empty();
  const std::size_t grains = in_use ? state.grains() : 0;
  Column<u32> start(grains + 1);
  start[grains] = 0;
  Rows<Law> rows;
  {
    const exec::Stage timed("find_pairs");
    FindPairs<D> find{grid,
                      model.pair_view(),
                      state.bodies.uid.span(),
                      state.bodies.material.span(),
                      state.bodies.shape.span(),
                      state.bodies.position.span(),
                      {model.shapes.data(), model.shapes.size()},
                      s.offset.span(),
                      u32(L),
                      u32(state.bodies.size()),
                      start.span(),
                      false,
                      {},
                      {},
                      {},
                      {}};
    Exec::for_each(grains, find);
    const u32 total = Exec::scan(start.span());
    rows.resize(total, model.options.ledger);
    index.body_a.resize(total);
    index.body_b.resize(total);
    index.params.resize(total);
    find.fill = true;
    find.key = rows.key.span();
    find.body_a = index.body_a.span();
    find.body_b = index.body_b.span();
    find.params = index.params.span();
    Exec::for_each(grains, find);
  }
  const exec::Stage timed("carry_history");
  u32 status = fine;
  Column<u32> first(s.index_of_uid.size() + 1), listed;
  first.assign(first.size(), 0);
  u32 remembering = 0;
  for (std::size_t r = 0; r < old.size(); ++r)
    if (old.remembers(r)) {
      if (old.key[r].a + 1 >= first.size()) return lost_history;
      ++first[old.key[r].a];
      ++remembering;
    }
  Exec::scan(first.span());
  listed.resize(remembering);
  Column<u32> next = first;
  for (std::size_t r = 0; r < old.size(); ++r)
    if (old.remembers(r)) listed[next[old.key[r].a]++] = u32(r);
  Exec::for_each(rows.size(), CarryHistory<Law>{rows.key.span(), old.key.span(), first.span(), listed.span(),
                                                old.shift.span(), old.history.span(), old.viscous.span(),
                                                rows.shift.span(), rows.history.span(), rows.viscous.span()});
  u32 found = 0;
  for (std::size_t r = 0; r < rows.size(); ++r) found += rows.remembers(r);
  if (found != remembering) status |= lost_history;
  std::swap(old, rows);
  return status;
}

template <class Exec, int D>
void list_incidence(State<D>& state, Scratch<D>& s) {
  const exec::Stage timed("list_rows");
  const std::size_t bodies = state.bodies.size();
  u32 total = 0;
  for_each_law([&]<std::size_t L>() {
    s.index[L].first = total;
    total += u32(state.template rows_of<L>().size());
  });
  Column<u32> uid_a(total), uid_b(total);
  Column<u64> detail(total);
  s.incidence_start.assign(bodies + 1, 0);
  s.incidence.resize(2 * std::size_t(total));
  const auto for_each_row = [&](auto&& f) {
    for_each_law([&]<std::size_t L>() {
      const RowIndex& index = s.index[L];
      for (std::size_t r = 0; r < index.body_a.size(); ++r)
        f(u32(index.first + r), index.body_a[r], index.body_b[r], state.template rows_of<L>().key[r]);
    });
  };
  for_each_row([&](u32 row, u32 a, u32 b, const RowKey& key) {
    uid_a[row] = key.a;
    uid_b[row] = key.b;
    detail[row] = key.detail;
    ++s.incidence_start[a];
    ++s.incidence_start[b];
  });
  Exec::scan(s.incidence_start.span());
  Column<u32> next = s.incidence_start;
  for_each_row([&](u32 row, u32 a, u32 b, const RowKey&) {
    s.incidence[next[a]++] = row * 2;
    s.incidence[next[b]++] = row * 2 + 1;
  });
  Exec::for_each(bodies, SortIncidence<D>{s.incidence_start.span(), state.bodies.uid.span(), s.incidence.span(),
                                          uid_a.span(), uid_b.span(), detail.span()});
  s.force.resize(total);
  s.branch.resize(total);
  s.moment_a.resize(total);
  s.moment_b.resize(total);
  s.work.resize(total);
  s.quiet.assign(total, 0);
  if (!s.bulge.empty()) s.bulge.assign(total, 0);
}

template <class Exec, int D>
u32 rebuild_on(const Model<D>& model, State<D>& state, Scratch<D>& s) {
  const Globals<D>& g = state.globals;
  const std::size_t grains = state.grains();
  Real sum = 0;
  s.largest_radius = 0;
  for (std::size_t i = 0; i < grains; ++i) {
    sum += state.bodies.radius[i];
    s.largest_radius = max(s.largest_radius, g.radius_scale * state.bodies.radius[i]);
  }
  s.skin = grains == 0 ? 0 : model.options.skin * sum / Real(grains) * g.radius_scale;
  GridView<D> grid;
  sort_bodies<Exec>(model, state, s, grid);
  u32 status = fine;
  for (const auto& o : s.offset)
    for (int k = 0; k < D; ++k)
      if (o[k] > image_limit / 2 || o[k] < -image_limit / 2) status |= too_many_periods;
  for_each_law([&]<std::size_t L>() { status |= find_rows<Exec, D, L>(model, state, s, grid); });
  list_incidence<Exec>(state, s);

  s.reference.resize(state.bodies.size());
  const Mat<D> inverse_h = inverse(g.cell.h);
  for (std::size_t i = 0; i < state.bodies.size(); ++i)
    s.reference[i] = i < grains ? inverse_h * state.bodies.position[i] : state.bodies.position[i];
  s.reference_h = g.cell.h;
  s.reference_scale = g.radius_scale;
  s.valid = true;
  ++s.rebuilds;
  return status;
}

// Could two bodies touch that are not in the list? A pair left out was further apart than its radii plus the skin; since
// then the cell has shrunk distances by at most `shrink`, bodies have moved by at most `moved` against it, radii grew.
template <int D>
bool list_is_stale(const Globals<D>& g, const Scratch<D>& s, Real moved) {
  if (!s.valid) return true;
  const Mat<D> change = g.cell.h * inverse(s.reference_h) - Mat<D>::identity();
  const Real shrink = std::sqrt(contract(change, change));
  const Real growth = g.radius_scale / s.reference_scale - 1;
  const Real used = 2 * moved + shrink * s.skin + 2 * s.largest_radius * (shrink + max(growth, Real(0)));
  return !(used < s.skin);
}

}  // namespace talus::dem
