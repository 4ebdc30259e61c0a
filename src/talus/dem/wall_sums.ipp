// What grains do to walls beyond the force on them: the torque on one that spins, for the ledger; on one that closes in the sum of normal
// forces, which its servo hears, since the resultant says nothing of a wall that goes all around.
#pragma once
#include <array>

#include <talus/dem/slots.ipp>

namespace talus::dem {

// The active rows of walls, in order of the partners' uids. Images of a periodic cell need no care: a wall spins about an axis, or closes in towards one,
// along which alone the cell may repeat.
template <int D>
struct WallRows {
  struct Rows {  // of one law
    Span<const u32> body_a, body_b;
    u32 first;
  };
  std::array<Rows, law_count> rows;
  Span<const u32> start, incidence;
  Span<const u8> marks;
  Span<const RowPush<D>> push;
  SlotOf slot_of;
  Span<const Moving<D>> moving;

  // Calls f(grain, slot, sign) for the rows of body i; sign times the row's force acts on the grain.
  template <class F>
  TALUS_HD void each(std::size_t i, F&& f) const {
    for (u32 e = start[i]; e < start[i + 1]; ++e) {
      const u32 row = incidence[e] >> 1, wall_is_b = incidence[e] & 1u;
      if (marks[row] & row_inactive) continue;
      f(partner(row, wall_is_b), slot_of(row, marks[row]), Real(wall_is_b ? 1 : -1));
    }
  }

 private:
  TALUS_HD u32 partner(u32 row, u32 wall_is_b) const {
    std::size_t law = 0;
    while (law + 1 < law_count && row >= rows[law].first + rows[law].body_a.size) ++law;
    return wall_is_b ? rows[law].body_a[row - rows[law].first] : rows[law].body_b[row - rows[law].first];
  }
};

template <int D>
struct WallMoment {
  WallRows<D> of_walls;
  Span<const Spin<D>> couple;  // empty: no law has one
  Span<const Vec<D>> branch;
  Span<Spin<D>> torque;
  std::size_t grains;

  TALUS_HD void operator()(std::size_t w) const {
    const std::size_t i = grains + w;
    const Span<const Moving<D>>& moving = of_walls.moving;
    if (moving[i].spin == Spin<D>{}) return;
    Spin<D> sum{};
    of_walls.each(i, [&](u32 grain, u32 slot, Real sign) TALUS_INLINED {
      const Vec<D> at = moving[grain].position - sign * branch[slot] - moving[i].position;
      sum -= talus::moment(at, sign * of_walls.push[slot].force);
      if (couple.size > 0) sum -= sign * couple[slot];
    });
    torque[i] = sum;
  }
};

template <int D>
struct WallPush {
  WallRows<D> of_walls;
  Span<const Shape<D>> shapes;
  Span<const u32> shape;
  Span<Closing> closing;
  std::size_t grains;

  TALUS_HD void operator()(std::size_t w) const {
    const std::size_t i = grains + w;
    const Span<const Moving<D>>& moving = of_walls.moving;
    const WallShape<D>& wall = shapes[shape[i]].wall;
    Real sum = 0;
    of_walls.each(i, [&](u32 grain, u32 slot, Real sign) TALUS_INLINED {
      sum += sign * dot(of_walls.push[slot].force, wall.at(moving[grain].position - moving[i].position).normal);
    });
    closing[i].push = sum;
  }
};

template <int D>
bool any_wall_spins(const Model<D>& model) {
  for (const auto& drive : model.drives)
    if (drive.control == WallControl::velocity && !(drive.spin == Spin<D>{})) return true;
  return false;
}

template <class Exec, int D>
void sum_on_walls(const Model<D>& model, State<D>& state, Scratch<D>& s) {
  Bodies<D>& b = state.bodies;
  const bool spins = s.walls_spin && !s.branch.empty(), closes = !b.closing.empty();
  if (!spins && !closes) return;
  WallRows<D> rows{.rows = {},
                   .start = s.incidence_start.span(),
                   .incidence = s.incidence.span(),
                   .marks = s.marks.span(),
                   .push = s.push.span(),
                   .slot_of = slot_finder(s),
                   .moving = s.moving.span()};
  for (std::size_t law = 0; law < law_count; ++law) rows.rows[law] = {s.index[law].body_a.span(), s.index[law].body_b.span(), s.index[law].first};
  if (spins)
    Exec::for_each(state.walls, WallMoment<D>{rows, s.couple.span(), s.branch.span(), b.torque.span(), state.grains()});
  if (closes)
    Exec::for_each(state.walls, WallPush<D>{rows, model.shapes.span(), b.shape.span(), b.closing.span(), state.grains()});
}

}  // namespace talus::dem
