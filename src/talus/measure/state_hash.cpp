#include <talus/measure/state_hash.hpp>

#include <vector>

#include <talus/core/leaves.hpp>
#include <talus/exec/host.hpp>

namespace talus {
namespace {

// Each element of a column is hashed with the names of table, column and owner (uid or key), and the results are added
// modulo 2^64. Addition does not care about order, and the name inside keeps two owners from swapping values unseen.
// Rejected: hashing sorted tables as one string of bytes; that needs a sort and runs on one thread.

u64 seed_of(std::string_view table, std::string_view column) { return hash_join(hash_text(table), hash_text(column)); }

template <class T>
u64 hash_value(u64 seed, const T& value) {
  static_assert(WithoutPadding<T>, "padding bytes hold anything: they must not reach the hash");
  return hash_bytes(seed, &value, sizeof value);
}

struct Owner {
  std::size_t index;  // place in the columns
  u64 name;           // hash of the uid or of the key
};

template <class T>
struct HashElement {
  Span<const T> values;
  const Owner* owners;
  u64 seed;
  u64 operator()(std::size_t i) const { return hash_value(hash_join(seed, owners[i].name), values[owners[i].index]); }
};

template <class T>
u64 hash_column(u64 seed, const Column<T>& column, const std::vector<Owner>& owners) {
  if (column.empty()) return 0;  // an optional column that this run does not keep
  return exec::Host::sum<u64>(owners.size(), HashElement<T>{column.span(), owners.data(), seed});
}

template <int D>
u64 hash_bodies(const State<D>& state) {
  const Bodies<D>& bodies = state.bodies;
  std::vector<Owner> owners(bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) owners[i] = {i, Rng::mix(bodies.uid[i])};

  u64 sum = 0;
  Bodies<D>::visit(bodies, [&](const About& about, const auto& column) {
    sum += hash_column(seed_of("bodies", about.name), column, owners);
  });
  const u64 driven = seed_of("bodies", "driven");
  for (std::size_t i = state.grains(); i < bodies.size(); ++i) sum += hash_join(driven, owners[i].name);
  return sum;
}

template <class Law>
u64 hash_rows(const Rows<Law>& rows) {
  std::vector<Owner> owners;
  for (std::size_t r = 0; r < rows.size(); ++r)
    if (rows.remembers(r)) owners.push_back({r, hash_value(0, rows.key[r])});

  u64 sum = 0;
  Rows<Law>::visit(rows, [&](const About& about, const auto& column) {
    if (about.name != "shift") sum += hash_column(seed_of(Law::name, about.name), column, owners);
  });
  // A shift of zero is no shift: the column may be there or not.
  std::vector<Owner> shifted;
  for (const Owner& o : owners)
    if (!rows.shift.empty() && rows.shift[o.index] != 0) shifted.push_back(o);
  sum += hash_column(seed_of(Law::name, "shift"), rows.shift, shifted);
  return sum;
}

template <class Table>
u64 hash_keyed(std::string_view name, const Table& table) {
  std::vector<Owner> owners(table.size());
  for (std::size_t p = 0; p < table.size(); ++p) owners[p] = {p, hash_value(0, table.key[p])};
  u64 sum = 0;
  Table::visit(table, [&](const About& about, const auto& column) {
    sum += hash_column(seed_of(name, about.name), column, owners);
  });
  return sum;
}

template <int D>
u64 hash_globals(const Globals<D>& globals) {
  u64 sum = 0;
  Globals<D>::visit(globals, [&](const About& about, const auto& value) {
    if (about.name != "hash" && about.name != "hashes") sum += hash_value(seed_of("globals", about.name), value);
  });
  return sum;
}

}  // namespace

template <int D>
u64 state_hash(const State<D>& state) {
  u64 sum = hash_globals(state.globals) + hash_bodies(state) + hash_keyed("patches", state.patches) +
            hash_keyed("springs", state.springs);
  for_each_law([&]<std::size_t L>() { sum += hash_rows(state.template rows_of<L>()); });
  return Rng::mix(sum);
}

template <int D>
void extend_chain(State<D>& state) {
  state.globals.hash = hash_join(state.globals.hash, state_hash(state));
  ++state.globals.hashes;
}

template u64 state_hash(const State<2>&);
template u64 state_hash(const State<3>&);
template void extend_chain(State<2>&);
template void extend_chain(State<3>&);

}  // namespace talus
