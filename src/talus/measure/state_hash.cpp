#include <talus/measure/state_hash.hpp>

#include <vector>

#include <talus/core/scalars.hpp>
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

// A key as it was hashed when it had 16 bytes: three periods, or in the plane two and the parts. Keys that say more than
// that are hashed as they are.
template <int D>
u64 hash_key(u64 seed, const RowKey& key) {
  const bool fits = key.kind == ContactKind::grain &&
                    (D == 3 ? key.parts() == 0 : key.period[2] == 0 && key.sub_a <= 0xffff && key.sub_b <= 0xffff);
  if (!fits) return hash_value(seed, key);
  const u64 words[2] = {u64(key.b) << 32 | key.a, key.image_and_kind() | u64(key.sub_a) << 32 | u64(key.sub_b) << 48};
  return hash_bytes(seed, words, sizeof words);
}

template <int D, class T>
struct HashElement {
  Span<const T> values;
  const Owner* owners;
  u64 seed;
  u64 operator()(std::size_t i) const {
    const u64 start = hash_join(seed, owners[i].name);
    if constexpr (std::is_same_v<T, RowKey>)
      return hash_key<D>(start, values[owners[i].index]);
    else
      return hash_value(start, values[owners[i].index]);
  }
};

template <int D, class T>
u64 hash_column(u64 seed, const Column<T>& column, const std::vector<Owner>& owners) {
  if (column.empty()) return 0;  // an optional column that this run does not keep
  return exec::Host::sum<u64>(owners.size(), HashElement<D, T>{column.span(), owners.data(), seed});
}

// Rows that are part of the state, by the hash of their uid or key.
template <int D, class Table>
std::vector<Owner> owners_of(const Table& table) {
  std::vector<Owner> owners;
  owners.reserve(table.size());
  for (std::size_t r = 0; r < table.size(); ++r) {
    if constexpr (requires { table.key; }) {
      if (table.remembers(r)) owners.push_back({r, hash_key<D>(0, table.key[r])});
    } else
      owners.push_back({r, Rng::mix(table.uid[r])});
  }
  return owners;
}

template <int D, class Table>
u64 hash_table(std::string_view name, const Table& table, std::size_t driven) {
  const std::vector<Owner> owners = owners_of<D>(table);
  u64 sum = 0;
  Table::visit(table, [&](const About& about, const auto& column) {
    const u64 seed = seed_of(name, about.hash_name());
    if (!about.zero_is_absent) {
      sum += hash_column<D>(seed, column, owners);
      return;
    }
    std::vector<Owner> present;
    for (const Owner& o : owners)
      if (!column.empty() && !all_zero(column[o.index])) present.push_back(o);
    sum += hash_column<D>(seed, column, present);
  });
  const u64 seed = seed_of(name, "driven");
  for (std::size_t i = owners.size() - driven; i < owners.size(); ++i) sum += hash_join(seed, owners[i].name);
  return sum;
}

template <int D>
u64 hash_globals(const Globals<D>& globals) {
  u64 sum = 0;
  Globals<D>::visit(globals, [&](const About& about, const auto& value) {
    if (about.is_hashed) sum += hash_value(seed_of("globals", about.hash_name()), value);
  });
  return sum;
}

}  // namespace

template <int D>
u64 state_hash(const State<D>& state) {
  u64 sum = hash_globals(state.globals);
  State<D>::visit_tables(state, [&](const AboutTable& about, const auto& table) {
    sum += hash_table<D>(about.name, table, about.has_walls ? state.walls : 0);
  });
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
