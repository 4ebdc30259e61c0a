// Torques of walls that spin, for the ledger: what the grains do to them, about the wall's position.
#pragma once
#include <array>

#include <talus/dem/scratch.hpp>

namespace talus::dem {

// One wall. Images of a periodic cell need no care: a wall spins about an axis along which alone the cell may repeat.
template <int D>
struct WallMoment {
  struct Rows {  // of one law
    Span<const u32> body_a, body_b;
    u32 first;
  };
  std::array<Rows, law_count> rows;
  Span<const u32> start, incidence;
  Span<const u8> marks;
  Span<const RowPush<D>> push;
  Span<const Spin<D>> couple;  // empty: no law has one
  Span<const Vec<D>> branch;
  Span<const Moving<D>> moving;
  Span<Spin<D>> torque;
  std::size_t grains;

  TALUS_HD void operator()(std::size_t w) const {
    const std::size_t i = grains + w;
    if (moving[i].spin == Spin<D>{}) return;
    Spin<D> sum{};
    for (u32 e = start[i]; e < start[i + 1]; ++e) {
      const u32 row = incidence[e] >> 1, wall_is_b = incidence[e] & 1u;
      if (marks[row] & row_inactive) continue;
      const Real sign = wall_is_b ? -1 : 1;
      const Vec<D> at = moving[partner(row, wall_is_b)].position + sign * branch[row] - moving[i].position;
      sum += talus::moment(at, sign * push[row].force);
      if (couple.size > 0) sum += sign * couple[row];
    }
    torque[i] = sum;
  }

 private:
  TALUS_HD u32 partner(u32 row, u32 wall_is_b) const {
    std::size_t law = 0;
    while (law + 1 < law_count && row >= rows[law].first + rows[law].body_a.size) ++law;
    return wall_is_b ? rows[law].body_a[row - rows[law].first] : rows[law].body_b[row - rows[law].first];
  }
};

template <int D>
bool any_wall_spins(const Model<D>& model) {
  for (const auto& drive : model.drives)
    if (drive.control == WallControl::velocity && !(drive.spin == Spin<D>{})) return true;
  return false;
}

template <class Exec, int D>
void sum_wall_moments(const Model<D>& model, State<D>& state, Scratch<D>& s) {
  if (!any_wall_spins(model) || s.branch.empty()) return;
  WallMoment<D> moment{.rows = {},
                       .start = s.incidence_start.span(),
                       .incidence = s.incidence.span(),
                       .marks = s.marks.span(),
                       .push = s.push.span(),
                       .couple = s.couple.span(),
                       .branch = s.branch.span(),
                       .moving = s.moving.span(),
                       .torque = state.bodies.torque.span(),
                       .grains = state.grains()};
  for (std::size_t law = 0; law < law_count; ++law)
    moment.rows[law] = {s.index[law].body_a.span(), s.index[law].body_b.span(), s.index[law].first};
  Exec::for_each(state.walls, moment);
}

}  // namespace talus::dem
