#include <talus/io/checkpoint.hpp>

#include <algorithm>
#include <bit>
#include <charconv>
#include <map>
#include <new>
#include <numeric>

#include <talus/core/hash.hpp>
#include <talus/core/input_error.hpp>
#include <talus/io/atomic_file.hpp>
#include <talus/io/checkpoint_envelope.hpp>
#include <talus/io/file_error.hpp>
#include <talus/io/hdf5.hpp>
#include <talus/measure/state_hash.hpp>

namespace talus {
namespace {

namespace fs = std::filesystem;
static_assert(std::endian::native == std::endian::little, "files and hashes are defined for this byte order");

using Order = std::vector<std::size_t>;

// ---- columns ---------------------------------------------------------------------------------------------------------

template <class T>
hdf5::Element element_of() {
  if constexpr (std::is_same_v<T, RowKey>) {
    const std::string what = "make the type of keys";
    const hsize_t three = 3;
    hdf5::Handle type(H5Tcreate(H5T_COMPOUND, sizeof(RowKey)), H5Tclose, what);
    const hdf5::Handle periods(H5Tarray_create2(H5T_NATIVE_INT16, 1, &three), H5Tclose, what);
    hdf5::check(H5Tinsert(type, "a", offsetof(RowKey, a), H5T_NATIVE_UINT32), what);
    hdf5::check(H5Tinsert(type, "b", offsetof(RowKey, b), H5T_NATIVE_UINT32), what);
    hdf5::check(H5Tinsert(type, "period", offsetof(RowKey, period), periods), what);
    hdf5::check(H5Tinsert(type, "kind", offsetof(RowKey, kind), H5T_NATIVE_UINT16), what);
    hdf5::check(H5Tinsert(type, "sub_a", offsetof(RowKey, sub_a), H5T_NATIVE_UINT32), what);
    hdf5::check(H5Tinsert(type, "sub_b", offsetof(RowKey, sub_b), H5T_NATIVE_UINT32), what);
    return {std::move(type), 1};
  } else {
    return hdf5::element<T>();
  }
}

void write_about(hid_t dataset, const About& about) {
  hdf5::write_attribute(dataset, "unit", std::string(about.unit));
  hdf5::write_attribute(dataset, "meaning", std::string(about.meaning));
}

// A table is a group; its columns in the given order of elements.
template <class Table>
void write_table(hid_t group, const Table& table, const Order& order) {
  Table::visit(table, [&](const About& about, const auto& column) {
    using T = typename std::remove_cvref_t<decltype(column)>::value_type;
    std::vector<T> values;
    if (!column.empty()) {  // an empty column is one that this run does not keep
      values.reserve(order.size());
      for (const std::size_t i : order) values.push_back(column[i]);
    }
    const auto dataset =
        hdf5::write_dataset(group, std::string(about.name), element_of<T>(), values.size(), values.data());
    write_about(dataset, about);
  });
}

template <class Table>
void read_table(hid_t group, Table& table) {
  std::size_t columns = 0, rows = 0;
  if constexpr (requires { table.key; })
    rows = hdf5::Dataset(group, "key", element_of<RowKey>()).rows();
  else
    rows = hdf5::Dataset(group, "uid", hdf5::element<u32>()).rows();
  Table::visit(table, [&](const About& about, auto& column) {
    using T = typename std::remove_cvref_t<decltype(column)>::value_type;
    const std::string name(about.name);
    const hdf5::Dataset dataset(group, name, element_of<T>());
    if (dataset.rows() != rows && dataset.rows() != 0)
      throw hdf5::Error("cannot use dataset " + name + ": its length is not that of the table");
    column.resize(dataset.rows());
    dataset.read(column.data());
    ++columns;
  });
  if (hdf5::members(group) != columns)
    throw hdf5::Error("cannot use the file: it holds columns that are not known here");
}

template <int D>
void write_globals(hid_t group, const Globals<D>& globals) {
  Globals<D>::visit(globals, [&](const About& about, const auto& value) {
    using T = std::remove_cvref_t<decltype(value)>;
    write_about(hdf5::write_dataset(group, std::string(about.name), element_of<T>(), 1, &value), about);
  });
}

template <int D>
void read_globals(hid_t group, Globals<D>& globals) {
  std::size_t values = 0;
  Globals<D>::visit(globals, [&](const About& about, auto& value) {
    using T = std::remove_cvref_t<decltype(value)>;
    const std::string name(about.name);
    const hdf5::Dataset dataset(group, name, element_of<T>());
    if (dataset.rows() != 1) throw hdf5::Error("cannot use dataset " + name + ": it is not one value");
    dataset.read(&value);
    ++values;
  });
  if (hdf5::members(group) != values)
    throw hdf5::Error("cannot use the file: it holds globals that are not known here");
}

// ---- order -----------------------------------------------------------------------------------------------------------

// Rows that are part of the state by key; bodies by uid, the last `driven` of them after the others.
template <class Table>
Order order_of(const Table& table, std::size_t driven) {
  Order order;
  if constexpr (requires { table.key; }) {
    for (std::size_t r = 0; r < table.size(); ++r)
      if (table.remembers(r)) order.push_back(r);
    std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return table.key[i] < table.key[j]; });
  } else {
    order.resize(table.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto by_uid = [&](std::size_t i, std::size_t j) { return table.uid[i] < table.uid[j]; };
    const auto first_driven = order.end() - static_cast<std::ptrdiff_t>(driven);
    std::sort(order.begin(), first_driven, by_uid);
    std::sort(first_driven, order.end(), by_uid);
  }
  return order;
}

// ---- the file --------------------------------------------------------------------------------------------------------

// HDF5 faults when there is no memory for its own books. So what it will need is asked for first, here, where want of memory is an
// exception: the content twice, because its file grows by copies, a block of the file in memory, and its caches.
template <int D>
void need_memory(const State<D>& state, const Provenance& provenance) {
  std::size_t bytes = provenance.extra.size();
  State<D>::visit_tables(state, [&](const AboutTable&, const auto& table) {
    std::remove_cvref_t<decltype(table)>::visit(table, [&](const About&, const auto& column) {
      bytes += column.size() * sizeof(typename std::remove_cvref_t<decltype(column)>::value_type);
    });
  });
  constexpr std::size_t books = std::size_t{24} << 20;
  void* const room = ::operator new(2 * bytes + books);
  *static_cast<volatile char*>(room) = 0;  // so that nobody leaves both calls out
  ::operator delete(room);
}

template <int D>
std::string file_image(const State<D>& state, const Provenance& provenance) {
  const hdf5::Silence silence;
  const hdf5::Handle file = hdf5::create_file_in_memory();
  {
    const hdf5::Handle root = hdf5::open_group(file, "/");
    hdf5::write_attribute(root, "dimension", i64{D});
    hdf5::write_attribute(root, "walls", state.walls);
    hdf5::write_attribute(root, "state_hash", state_hash(state));
    hdf5::write_attribute(root, "scene_hash", provenance.scene_hash);
    hdf5::write_attribute(root, "version", provenance.version);
    // A dataset, because an attribute holds 64 kB at most.
    hdf5::write_dataset(root, "extra", hdf5::element<u8>(), provenance.extra.size(), provenance.extra.data());
    write_globals(hdf5::create_group(root, "globals"), state.globals);
    std::map<std::string, hdf5::Handle> groups;  // of tables that belong together
    State<D>::visit_tables(state, [&](const AboutTable& about, const auto& table) {
      const std::string name(about.name), group(about.group);
      if (!group.empty() && !groups.contains(group)) groups.emplace(group, hdf5::create_group(root, group));
      const hid_t place = group.empty() ? hid_t(root) : hid_t(groups.at(group));
      write_table(hdf5::create_group(place, name), table, order_of(table, about.has_walls ? state.walls : 0));
    });
  }
  return hdf5::image(file);
}

std::string read_extra(hid_t root) {
  const hdf5::Dataset dataset(root, "extra", hdf5::element<u8>());
  std::string extra(dataset.rows(), '\0');
  dataset.read(extra.data());
  return extra;
}

// One thing of a checkpoint whose seal is whole.
template <class F>
auto look_into(const fs::path& path, F&& f) {
  check_seal(path);
  const hdf5::Silence silence;
  try {
    const hdf5::Handle file = hdf5::open_file(path.string());
    return f(hid_t(file));
  } catch (const hdf5::Error& error) {
    throw InputError(path.string(), 0, "", std::string("the checkpoint does not fit this program: ") + error.what());
  }
}

template <int D>
Provenance read_file(const fs::path& path, State<D>& state, const Expected& expected) {
  const auto refuse = [&](const std::string& reason, const std::string& hint = {}) -> InputError {
    return {path.string(), 0, "", reason, hint};
  };
  const hdf5::Handle file = hdf5::open_file(path.string());
  const hdf5::Handle root = hdf5::open_group(file, "/");

  if (const auto dimension = hdf5::read_attribute<i64>(root, "dimension"); dimension != D)
    throw refuse("the checkpoint is of a run in " + std::to_string(dimension) + " dimensions, this one has " +
                 std::to_string(D));
  Provenance provenance;
  provenance.version = hdf5::read_text_attribute(root, "version");
  if (expected.version && provenance.version != *expected.version)
    throw refuse("the checkpoint was written by Talus " + provenance.version + ", this is " + *expected.version,
                 "go on with the version that began the run");
  provenance.scene_hash = hdf5::read_attribute<u64>(root, "scene_hash");
  if (expected.scene_hash && provenance.scene_hash != *expected.scene_hash)
    throw refuse("the checkpoint belongs to another scene (" + hex(provenance.scene_hash) + ", this one is " +
                     hex(*expected.scene_hash) + ")",
                 "a run is resumed with the scene it was begun with");
  provenance.extra = read_extra(root);

  read_globals(hdf5::open_group(root, "globals"), state.globals);
  std::map<std::string, std::size_t> known{{"/", 2}};  // members of each group: globals and extra, then the tables
  State<D>::visit_tables(state, [&](const AboutTable& about, auto& table) {
    const std::string group = about.group.empty() ? "/" : std::string(about.group);
    if (known[group]++ == 0) ++known["/"];
    read_table(hdf5::open_group(hdf5::open_group(root, group), std::string(about.name)), table);
  });
  for (const auto& [group, members] : known)
    if (hdf5::members(hdf5::open_group(root, group)) != members)
      throw refuse("the checkpoint holds tables in " + group + " that are not known here");
  state.walls = hdf5::read_attribute<u32>(root, "walls");
  if (state.walls > state.bodies.size()) throw refuse("the checkpoint holds more driven bodies than bodies");
  if (state_hash(state) != hdf5::read_attribute<u64>(root, "state_hash"))
    throw refuse("the checkpoint is inconsistent: its state has another hash than the one that was saved");
  return provenance;
}

// ---- names -----------------------------------------------------------------------------------------------------------

constexpr std::string_view prefix = "checkpoint-", suffix = ".h5";

// Step in the name of a checkpoint; nothing for other names.
std::optional<i64> step_in(std::string_view name) {
  if (!name.starts_with(prefix) || !name.ends_with(suffix)) return std::nullopt;
  const std::string_view digits = name.substr(prefix.size(), name.size() - prefix.size() - suffix.size());
  i64 step = 0;
  const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), step);
  if (digits.size() < 12 || status != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  return step;
}

struct Named {
  i64 step;
  fs::path path;
};

// Newest first.
std::vector<Named> list_checkpoints(const fs::path& folder) {
  std::vector<Named> found;
  std::error_code error;
  for (auto entry = fs::directory_iterator(folder, error); !error && entry != fs::directory_iterator();
       entry.increment(error))
    if (const auto step = step_in(entry->path().filename().string())) found.push_back({*step, entry->path()});
  if (error) throw InputError(folder.string(), 0, "", "the folder cannot be read: " + error.message());
  std::sort(found.begin(), found.end(), [](const Named& a, const Named& b) { return a.step > b.step; });
  return found;
}

}  // namespace

template <int D>
void write_checkpoint(const fs::path& path, const State<D>& state, const Provenance& provenance) {
  need_memory(state, provenance);
  try {
    const std::string image = file_image(state, provenance);
    write_atomic(path, {Envelope::around(image, state.globals.step).text(), image});
  } catch (const hdf5::Error& error) {  // the file is made in memory: only memory can fail
    throw FileError(path, std::string("the checkpoint cannot be made, probably for want of memory: ") + error.what());
  }
}

template <int D>
Provenance read_checkpoint(const fs::path& path, State<D>& state, const Expected& expected) {
  check_seal(path);
  const hdf5::Silence silence;
  try {
    State<D> fresh;
    Provenance provenance = read_file(path, fresh, expected);
    state = std::move(fresh);
    return provenance;
  } catch (const hdf5::Error& error) {
    throw InputError(path.string(), 0, "", std::string("the checkpoint does not fit this program: ") + error.what());
  }
}

int checkpoint_dimension(const fs::path& path) {
  return look_into(path, [](hid_t file) { return static_cast<int>(hdf5::read_attribute<i64>(file, "dimension")); });
}

std::string checkpoint_extra(const fs::path& path) {
  return look_into(path, [](hid_t file) { return read_extra(file); });
}

std::string checkpoint_name(i64 step) {
  const std::string digits = std::to_string(step);
  return std::string(prefix) + std::string(digits.size() < 12 ? 12 - digits.size() : 0, '0') + digits +
         std::string(suffix);
}

void keep_one_checkpoint_before(const fs::path& folder, i64 step) {
  std::error_code ignored;
  int older = 0;
  for (const Named& other : list_checkpoints(folder))
    if (other.step < step && ++older > 1) fs::remove(other.path, ignored);
}

template <int D>
fs::path save_checkpoint(const fs::path& folder, const State<D>& state, const Provenance& provenance) {
  const i64 step = state.globals.step;
  const fs::path path = folder / checkpoint_name(step);
  write_checkpoint(path, state, provenance);

  // A later step than this one is left over from before a resume that fell back; the run passes it again.
  std::error_code ignored;
  for (const Named& other : list_checkpoints(folder))
    if (other.step > step) fs::remove(other.path, ignored);
  keep_one_checkpoint_before(folder, step);
  remove_unfinished(folder);
  return path;
}

std::optional<FoundCheckpoint> newest_checkpoint(const fs::path& folder) {
  std::string passed;
  for (const Named& named : list_checkpoints(folder)) {
    try {
      check_seal(named.path);
      if (!passed.empty()) passed += "going on from the one before, " + named.path.string();
      return FoundCheckpoint{named.path, named.step, passed};
    } catch (const InputError& error) { passed += std::string(error.what()) + "\n"; }
  }
  if (passed.empty()) return std::nullopt;
  throw InputError(folder.string(), 0, "", "no checkpoint of the run is whole:\n" + passed);
}

template void write_checkpoint(const fs::path&, const State<2>&, const Provenance&);
template void write_checkpoint(const fs::path&, const State<3>&, const Provenance&);
template Provenance read_checkpoint(const fs::path&, State<2>&, const Expected&);
template Provenance read_checkpoint(const fs::path&, State<3>&, const Expected&);
template fs::path save_checkpoint(const fs::path&, const State<2>&, const Provenance&);
template fs::path save_checkpoint(const fs::path&, const State<3>&, const Provenance&);

}  // namespace talus
