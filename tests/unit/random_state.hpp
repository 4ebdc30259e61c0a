#pragma once
// A State whose every value is random and finite, for tests that move states about. Grains are in a random order and so
// are rows; every third row remembers nothing.
#include <talus/core/rng.hpp>
#include <talus/core/scalars.hpp>
#include <talus/state/state.hpp>

namespace talus::testing {

template <class T>
void fill(T& value, Rng& rng) {
  static_assert(MadeOfScalars<T>);
  auto* scalars = reinterpret_cast<scalar_of<T>*>(&value);
  for (std::size_t i = 0; i < scalar_count<T>; ++i) {
    if constexpr (std::is_floating_point_v<scalar_of<T>>)
      scalars[i] = rng.uniform(-10, 10);
    else
      scalars[i] = static_cast<scalar_of<T>>(rng.bits());
  }
}
// A key that uses every field.
inline void fill(RowKey& key, Rng& rng) {
  key = {u32(rng.below(1000)), u32(rng.below(1000))};
  for (i16& m : key.period) m = i16(u16(rng.bits()));
  key.kind = ContactKind(rng.below(3));
  key.sub_a = u32(rng.bits());
  key.sub_b = u32(rng.bits());
}

// i -> a permutation of 0..n-1
inline std::vector<std::size_t> shuffled(std::size_t n, Rng& rng) {
  std::vector<std::size_t> order(n);
  for (std::size_t i = 0; i < n; ++i) {
    order[i] = i;
    std::swap(order[i], order[rng.below(i + 1)]);
  }
  return order;
}

template <class Table>
void permute(Table& table, const std::vector<std::size_t>& order) {
  Table::visit(table, [&](const About&, auto& column) {
    const auto old = column;
    for (std::size_t i = 0; i < column.size(); ++i) column[i] = old[order[i]];
  });
}

template <int D>
State<D> random_state(std::size_t grains, u32 walls, std::size_t rows, u64 seed, bool ledger = true) {
  Rng rng{seed};
  State<D> state;
  Globals<D>::visit(state.globals, [&](const About&, auto& value) { fill(value, rng); });
  state.globals.step = i64(rng.below(1'000'000));
  state.globals.cell.h = Mat<D>::identity();
  for (int k = 0; k < D; ++k) {
    state.globals.cell.h(k, k) = rng.uniform(1, 2);
    state.globals.cell.periodic[k] = k < 2;
  }
  state.globals.cell.h(0, 1) = 0.3;

  state.walls = walls;
  const u32 all = ledger ? ~0u : ~kept::ledger;
  State<D>::visit_tables(state, [&](const AboutTable& about, auto& table) {
    using Table = std::remove_reference_t<decltype(table)>;
    table.resize(about.has_walls ? grains + walls : rows, all);
    Table::visit(table, [&](const About& column_about, auto& column) {
      for (auto& value : column) fill(value, rng);
      if (column_about.name != "key" && about.group == "rows")
        for (std::size_t r = 2; r < column.size(); r += 3) column[r] = {};
    });
  });
  const auto order = shuffled(grains, rng);
  for (std::size_t i = 0; i < grains + walls; ++i) state.bodies.uid[i] = u32(i < grains ? 3 * order[i] : 3 * i);
  return state;
}

}  // namespace talus::testing
