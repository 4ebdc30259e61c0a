#include <talus/state/remove.hpp>

#include <algorithm>
#include <numeric>

namespace talus {
namespace {

// Keeps those rows of a table that a predicate of their index asks for.
template <class Table, class Keep>
void keep_rows(Table& table, std::size_t rows, Keep&& keep) {
  Table::visit(table, [&](const About&, auto& column) {
    if (column.empty()) return;
    std::size_t next = 0;
    for (std::size_t r = 0; r < rows; ++r)
      if (keep(r)) column[next++] = column[r];
    column.resize(next);
  });
}

}  // namespace

template <int D>
void forget_contacts(State<D>& state, std::vector<u32> uids) {
  std::sort(uids.begin(), uids.end());
  const auto stays = [&](const RowKey& key) {
    return !std::binary_search(uids.begin(), uids.end(), key.a) && !std::binary_search(uids.begin(), uids.end(), key.b);
  };
  const auto keep_contacts = [&](auto& table) {
    std::vector<bool> keep(table.size());
    for (std::size_t r = 0; r < keep.size(); ++r) keep[r] = stays(table.key[r]);
    keep_rows(table, keep.size(), [&](std::size_t r) { return keep[r]; });
  };
  keep_contacts(state.patches);
  keep_contacts(state.springs);
  for_each_law([&]<std::size_t L>() { keep_contacts(state.template rows_of<L>()); });
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
    if (b.inverse_inertia[i] > 0) removed += Real(0.5) / b.inverse_inertia[i] * dot(b.spin[i], b.spin[i]);
    if (heir >= bodies) continue;
    if (!b.applied_work.empty()) b.applied_work[heir] += b.applied_work[i];
    if (b.work.empty()) continue;
    b.work[heir].friction += b.work[i].friction;
    b.work[heir].viscous += b.work[i].viscous;
    b.work[heir].stiffness += b.work[i].stiffness;
    b.work[heir].growth += b.work[i].growth;
    b.work[heir].local += b.work[i].local;
    b.work[heir].gravity += b.work[i].gravity;
  }
  forget_contacts(state, names);
  keep_rows(b, bodies, [&](std::size_t i) { return !is_gone(i); });
}

template void forget_contacts(State<2>&, std::vector<u32>);
template void forget_contacts(State<3>&, std::vector<u32>);
template void remove_grains(State<2>&, const std::vector<bool>&);
template void remove_grains(State<3>&, const std::vector<bool>&);

}  // namespace talus
