#include <talus/state/remove.hpp>

#include <algorithm>

#include <talus/core/scalars.hpp>

namespace talus {
namespace {

// Adds what the ledger has entered for one body to another.
template <class T>
void add_leaves(T& to, const T& from) {
  auto* sum = reinterpret_cast<Real*>(&to);
  const auto* more = reinterpret_cast<const Real*>(&from);
  static_assert(std::is_same_v<scalar_of<T>, Real>, "only numbers add up");
  for (std::size_t k = 0; k < scalar_count<T>; ++k) sum[k] += more[k];
}

}  // namespace

template <int D>
void forget_contacts(State<D>& state, std::vector<u32> uids) {
  std::sort(uids.begin(), uids.end());
  const auto stays = [&](const RowKey& key) {
    return !std::binary_search(uids.begin(), uids.end(), key.a) && !std::binary_search(uids.begin(), uids.end(), key.b);
  };
  State<D>::visit_tables(state, [&](const AboutTable&, auto& table) {
    if constexpr (requires { table.key; }) {
      std::vector<bool> keep(table.size());
      for (std::size_t r = 0; r < keep.size(); ++r) keep[r] = stays(table.key[r]);
      table.keep_if([&](std::size_t r) { return keep[r]; });
    }
  });
}

template <int D>
void remove_grains(State<D>& state, const std::vector<bool>& gone) {
  Bodies<D>& b = state.bodies;
  const std::size_t bodies = b.size();
  const auto is_gone = [&](std::size_t i) { return i < gone.size() && gone[i]; };
  std::size_t heir = state.grains();
  if (state.walls == 0)
    for (std::size_t i = bodies; i-- > 0;)
      if (!is_gone(i)) heir = heir == state.grains() || b.uid[i] < b.uid[heir] ? i : heir;
  std::vector<std::size_t> leaving;
  for (std::size_t i = 0; i < bodies; ++i)
    if (is_gone(i)) leaving.push_back(i);
  std::sort(leaving.begin(), leaving.end(), [&](auto i, auto j) { return b.uid[i] < b.uid[j]; });  // one order of sums
  std::vector<u32> names;
  for (const std::size_t i : leaving) {
    names.push_back(b.uid[i]);
    Real& removed = state.globals.removed_kinetic;
    removed += Real(0.5) * b.mass[i] * dot(b.velocity[i], b.velocity[i]);
    removed += spin_energy(b, i);
    if (heir >= bodies) continue;
    Bodies<D>::visit(b, [&](const About& about, auto& column) {
      using T = typename std::remove_reference_t<decltype(column)>::value_type;
      if constexpr (std::is_same_v<scalar_of<T>, Real>)
        if (about.is_inherited && !column.empty()) add_leaves(column[heir], column[i]);
    });
  }
  forget_contacts(state, names);
  b.keep_if([&](std::size_t i) { return !is_gone(i); });
}

template void forget_contacts(State<2>&, std::vector<u32>);
template void forget_contacts(State<3>&, std::vector<u32>);
template void remove_grains(State<2>&, const std::vector<bool>&);
template void remove_grains(State<3>&, const std::vector<bool>&);

}  // namespace talus
