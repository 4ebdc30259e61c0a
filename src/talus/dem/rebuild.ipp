// Rebuild: find close pairs (stages/close_pairs.ipp), carry what contacts remember over (stages/carry.hpp); then list rows per body
// (incidence.ipp).
// None of this reaches a result: rows are evaluated by uid order, and candidates that do not touch add exact zeros.
// Counters that kernels share are integers, and the lists they fill are sorted or only looked up in.
#pragma once
#include <talus/dem/incidence.ipp>
#include <talus/dem/motion.ipp>
#include <talus/dem/step.hpp>
#include <talus/exec/timers.hpp>
#include <talus/stages/carry.hpp>
#include <talus/stages/close_pairs.ipp>
#include <talus/stages/contact_geometry.hpp>

namespace talus::dem {

// Do two balls overlap? Rows with a wall say no; they are few.
template <int D>
TALUS_HD bool overlaps(const Cell<D>& cell, const Span<const Vec<D>>& position, const Span<const Real>& radius,
                       Real radius_scale, u32 a, u32 b, const RowKey& key) {
  const Vec<D> between = branch_of(cell, position[a], position[b], key);
  const Real reach = radius_scale * (radius[a] + radius[b]);
  return radius[a] > 0 && radius[b] > 0 && dot(between, between) < reach * reach;
}

struct TileStarts {
  Span<const u32> start;  // first row of each body
  Span<u32> tile;
  u32 rows;
  TALUS_HD void operator()(std::size_t t) const {
    const std::size_t i = t * tile_size;
    tile[t] = i < start.size ? start[i] : rows;
  }
};

// Puts the rows of each tile that touch before those that do not, and of the former those without an image first, so
// that vector lanes and warps do the same work. Of the latter those that displacements may soon close come first: the others rest.
template <int D>
struct TouchingFirst {
  Span<const u32> tile;
  Span<RowKey> key;
  Span<u32> body_a, body_b, params;
  Span<const Vec<D>> position;
  Span<const Real> radius;
  Cell<D> cell;
  Real radius_scale;
  Real reach;  // of a multi-contact model, or 0
  TALUS_HD bool touches(std::size_t r) const {
    return overlaps(cell, position, radius, radius_scale, body_a[r], body_b[r], key[r]);
  }
  TALUS_HD bool is_close(std::size_t r) const {
    return overlaps(cell, position, radius, (1 + reach / 8) * radius_scale, body_a[r], body_b[r], key[r]);
  }
  template <class T>
  TALUS_HD static void exchange(T& x, T& y) {
    const T kept = x;
    x = y;
    y = kept;
  }
  // Rows of which `first` is true come first; returns where the others begin.
  template <class First>
  TALUS_HD std::size_t part(std::size_t low, std::size_t high, First&& first) const {
    while (true) {
      while (low < high && first(low)) ++low;
      while (low < high && !first(high - 1)) --high;
      if (low >= high) return low;
      --high;
      exchange(key[low], key[high]);
      exchange(body_a[low], body_a[high]);
      exchange(body_b[low], body_b[high]);
      if (params.size > 0) exchange(params[low], params[high]);
      ++low;
    }
  }
  TALUS_HD void operator()(std::size_t t) const {
    const std::size_t touching = part(tile[t], tile[t + 1], [this](std::size_t r) { return touches(r); });
    part(tile[t], touching, [this](std::size_t r) { return !key[r].has_image(); });
    if (reach > 0) part(touching, tile[t + 1], [this](std::size_t r) { return is_close(r); });
  }
};

// What is known of each row until the next rebuild.
template <int D>
struct MarkRows {
  Span<const RowKey> key;
  Span<const u8> memory;  // see flag_memory
  Span<const u32> body_a, body_b;
  Span<const Vec<D>> position;
  Span<const Real> radius;
  Cell<D> cell;
  Real radius_scale;
  u32 grains;
  Span<u8> marks;
  TALUS_HD void operator()(std::size_t r) const {
    const u32 a = body_a[r], b = body_b[r];
    unsigned mark = key[r].has_image() ? row_image : 0;
    if (a >= grains || b >= grains) mark |= row_wall;
    const bool was_touching = memory[r] & flag_of(Memory::touching);
    if (!was_touching && !overlaps(cell, position, radius, radius_scale, a, b, key[r])) mark |= row_inactive;
    marks[r] = u8(mark);
  }
};

template <int D>
struct SetReference {
  Span<const Vec<D>> position;
  Span<Vec<D>> reference;
  Mat<D> inverse_h;
  std::size_t grains;
  TALUS_HD void operator()(std::size_t i) const { reference[i] = i < grains ? inverse_h * position[i] : position[i]; }
};

struct Farthest {
  Real way = 0;  // m
  TALUS_HD void join(const Farthest& other) { way = max(way, other.way); }
};
struct FarthestShift {
  Span<const Real> shift;
  TALUS_HD Farthest operator()(std::size_t r) const { return {shift[r]}; }
};

// m, the largest virtual overlap: bodies that do not reach one another push one another so far apart.
template <class Exec, int D>
Real farthest_shift(const State<D>& state) {
  Farthest most;
  for_each_law([&]<std::size_t L>() {
    const auto& shift = state.template rows_of<L>().shift;
    most.join(Exec::template reduce<Farthest>(shift.size(), FarthestShift{shift.span()}));
  });
  return most.way;
}

struct SetReferenceWay {
  Span<const Closing> closing;
  Span<Real> reference;
  std::size_t grains;
  TALUS_HD void operator()(std::size_t w) const { reference[w] = closing[grains + w].way; }
};

// Candidate rows of law L, and the memory of the old rows moved into them. Returns a status.
template <class Exec, int D, std::size_t L>
u32 find_rows(const Model<D>& model, State<D>& state, Scratch<D>& s, const Sorted<D>& sorted) {
  using Law = std::tuple_element_t<L, Laws<D>>;
  const exec::Memory& memory = Exec::memory();
  Rows<Law>& old = state.template rows_of<L>();
  RowIndex& index = s.index[L];
  const std::size_t kinds = std::get<L>(model.pairs.constants.of).size();
  const std::size_t grains = kinds > 0 ? state.grains() : 0;
  Rows<Law> rows;
  rows.move_to(memory);
  {
    const exec::Stage timed("find_pairs");
    Column<u32> start(grains, memory);
    FindPairs<D> find = count_pairs(model, state, sorted, u32(L), start.span());
    Exec::for_each(grains, find);
    const u32 total = Exec::scan(start.span());
    rows.key.resize_unset(total);
    index.body_a.resize_unset(total);
    index.body_b.resize_unset(total);
    index.params.resize_unset(kinds > 1 ? total : 0);
    find.fill = true;
    find.key = rows.key.span();
    find.body_a = index.body_a.span();
    find.body_b = index.body_b.span();
    find.params = index.params.span();
    Exec::for_each(grains, find);
    const std::size_t tiles = tiles_of(state.grains());
    index.tile.resize_unset(tiles + 1);
    Exec::for_each(tiles + 1, TileStarts{start.span(), index.tile.span(), total});
    Exec::for_each(tiles,
                   TouchingFirst<D>{index.tile.span(), rows.key.span(), index.body_a.span(), index.body_b.span(),
                                    index.params.span(), state.bodies.position.span(), state.bodies.radius.span(),
                                    state.globals.cell, state.globals.radius_scale, model.multi_contact.search_reach()},
                   few_tiles);
  }
  if (rows.size() == 0 && old.size() == 0) return fine;
  const exec::Stage timed("carry_history");
  const u32 shifts = count_other<Exec>(old.shift, Real(0)) > 0 ? kept::shifts : 0;
  const u32 status = carry<Exec>(old, rows, sorted.uids, model.kept_columns() | shifts);
  std::swap(old, rows);
  return status;
}

template <class Exec, int D>
void mark_rows(State<D>& state, Scratch<D>& s) {
  const exec::Stage timed("mark_rows");
  std::size_t total = 0;
  for_each_law([&]<std::size_t L>() {
    s.index[L].first = u32(total);
    total += state.template rows_of<L>().size();
  });
  s.marks.resize_unset(total);
  for_each_law([&]<std::size_t L>() {
    const auto& rows = state.template rows_of<L>();
    if (rows.size() == 0) return;
    const RowIndex& index = s.index[L];
    const Column<u8> memory = flag_memory<Exec>(rows);
    Exec::for_each(rows.size(),
                   MarkRows<D>{rows.key.span(), memory.span(), index.body_a.span(), index.body_b.span(),
                               state.bodies.position.span(), state.bodies.radius.span(), state.globals.cell,
                               state.globals.radius_scale, u32(state.grains()),
                               Span<u8>{s.marks.data() + index.first, rows.size()}});
  });
}

template <class Exec, int D>
u32 rebuild_on(const Model<D>& model, State<D>& state, Scratch<D>& s) {
  const Globals<D>& g = state.globals;
  Bodies<D>& b = state.bodies;
  if (s.tally.empty()) {
    s.each_column([](auto& column) { column.move_to(Exec::memory()); });
    s.tally.resize(1);
    s.virial.resize(1);
    s.mode_sum.resize(1);
  }
  // Rows come and go with what acts in them: the room for results is given back first.
  s.push.release();
  s.couple.release();
  s.branch.release();
  s.work.release();
  s.kept.release();
  s.moving.release();
  s.incidence.release();
  s.active.release();
  b.add(model.kept_columns());
  u32 status = fine;
  {
    const Real reach = model.multi_contact.search_reach();
    Sorted<D> sorted = sort_bodies<Exec>(model, state, 0, reach);
    sorted.wall_reach = farthest_shift<Exec>(state);
    if (sorted.too_far) status |= too_many_periods;
    s.largest_radius = (1 + reach) * sorted.largest_radius;
    s.skin = sorted.skin - 2 * reach * sorted.largest_radius;
    for_each_law([&]<std::size_t L>() { status |= find_rows<Exec, D, L>(model, state, s, sorted); });
    fill<Exec>(s.virial_of_uid, needs_stress(model) ? sorted.uids : 0, Mat<D>{});
    if (needs_stress(model)) s.virial_parts.resize_unset(sorted.uids / 256 + 1);
    fill<Exec>(s.mode_of_uid, model.multi_contact.acts() ? sorted.uids : 0, Vec2{});
    if (model.multi_contact.acts()) s.mode_parts.resize_unset(sorted.uids / 256 + 1);
  }
  mark_rows<Exec>(state, s);
  list_incidence<Exec>(model, state, s);
  s.wall_force.resize(state.walls);
  s.wall_torque.resize(state.walls);
  s.wall_push.resize(b.closing.empty() ? 0 : state.walls);
  s.reference_way.resize(s.wall_push.size());
  Exec::for_each(s.reference_way.size(), SetReferenceWay{b.closing.span(), s.reference_way.span(), state.grains()});
  s.reference.resize_unset(b.size());
  Exec::for_each(b.size(), SetReference<D>{b.position.span(), s.reference.span(), inverse(g.cell.h), state.grains()});
  s.reference_h = g.cell.h;
  s.reference_scale = g.radius_scale;
  s.valid = true;
  ++s.rebuilds;
  return status;
}

}  // namespace talus::dem
