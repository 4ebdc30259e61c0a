#pragma once
// How columns are declared: each table has one `visit` that lists its columns with all that visitors need to know. Resize,
// reorder, carrying through a rebuild, removal, checkpoint, hash, device copies, VTK and numpy views are visitors over that
// list, so adding a column touches one file. State lists the tables in the same way.
#include <array>
#include <cstring>
#include <string_view>
#include <vector>

#include <talus/exec/column.hpp>

namespace talus {

// What a run keeps beyond the columns that every run has. Bits of one word.
namespace kept {
inline constexpr u32 ledger = 1;      // the energy ledger
inline constexpr u32 turns = 2;       // how bodies are turned
inline constexpr u32 turn_start = 4;  // how they were when a stage began
inline constexpr u32 applied = 8;     // forces from outside
inline constexpr u32 shifts = 16;     // virtual overlaps
inline constexpr u32 multi_contact = 32;     // a multi-contact model
inline constexpr u32 tangential_forces = 64;      // one that counts forces across the normal
inline constexpr u32 start = 128;  // where bodies were when a stage began
inline constexpr u32 orientations = 256;     // how bodies lie in space: samples with hulls
inline constexpr u32 deviators = 512;  // shear stress: samples with solids as continua
inline constexpr u32 origins = 1024;   // where particles were laid: bodies whose strain is measured from there
inline constexpr u32 outflows = 4096;  // mass that has left: scenes with outflows
inline constexpr u32 closing = 2048;   // walls whose surface moves along its own normal: cylinders that close in
}  // namespace kept

// Does a value that is not zero make its row part of the state? Rows of contacts are also places where one may form.
enum class Memory : u8 { none, touching, near };  // the bodies touched; or a surface only bulges towards the other

struct About {
  std::string_view name;
  std::string_view unit;  // SI; "1" for pure numbers
  std::string_view meaning;
  u32 options = 0;  // of `kept`: the column is empty in a run that does not keep all of these
  Memory memory = Memory::none;
  bool is_hashed = true;
  bool zero_is_absent = false;         // a zero hashes as if the column were not there
  bool is_inherited = false;           // of bodies: what one had that is removed goes to the first wall or grain left
  std::string_view name_in_hash = {};  // the first name of a column that was renamed: published hashes hold

  template <class T>
  constexpr About set(T About::*what, T value) const {
    About other = *this;
    other.*what = value;
    return other;
  }
  constexpr About with(u32 what) const { return set(&About::options, what); }
  constexpr About remembers(Memory m) const { return set(&About::memory, m); }
  constexpr About not_hashed() const { return set(&About::is_hashed, false); }
  constexpr About absent_if_zero() const { return set(&About::zero_is_absent, true); }
  constexpr About inherited() const { return set(&About::is_inherited, true); }
  constexpr About hashed_as(std::string_view first_name) const { return set(&About::name_in_hash, first_name); }
  constexpr std::string_view hash_name() const { return name_in_hash.empty() ? name : name_in_hash; }
};

template <class T>
TALUS_HD bool all_zero(const T& value) {
  if constexpr (std::is_same_v<T, Real>) return value == 0;  // a zero with a sign is zero
  const auto* bytes = reinterpret_cast<const unsigned char*>(&value);
  std::size_t i = 0;
  for (; i + sizeof(u64) <= sizeof(T); i += sizeof(u64)) {
    u64 word;
    std::memcpy(&word, bytes + i, sizeof word);
    if (word != 0) return false;
  }
  for (; i < sizeof(T); ++i)
    if (bytes[i] != 0) return false;
  return true;
}

// What all tables can do. A table has a column `uid` (bodies) or a column `key` (contacts) that names its rows.
template <class Self>
struct Table {
  // Columns that are kept; the others give their memory back.
  void resize(std::size_t n, u32 kept = 0) {
    each([&](const About& about, auto& column) {
      has_all(kept, about) ? column.resize(n) : column.release();
    });
  }
  // The same for a table that kernels fill.
  void resize_unset(std::size_t n, u32 kept) {
    each([&](const About& about, auto& column) { column.resize_unset(has_all(kept, about) ? n : 0); });
  }
  // Makes room for what is kept from now on; values are zero.
  void add(u32 more) {
    const std::size_t n = self().size();
    each([&](const About& about, auto& column) {
      if (about.options != 0 && has_all(more, about) && column.empty()) column.resize(n);
    });
  }
  void clear() {
    each([](const About&, auto& column) { column.clear(); });
  }
  void move_to(const exec::Memory& memory) {
    each([&](const About&, auto& column) { column.move_to(memory); });
  }
  // Rows for which keep(r) is true; asked once for each column.
  template <class Keep>
  void keep_if(Keep&& keep) {
    const std::size_t rows = self().size();
    each([&](const About&, auto& column) {
      if (column.empty()) return;
      std::size_t next = 0;
      for (std::size_t r = 0; r < rows; ++r)
        if (keep(r)) column[next++] = column[r];
      column.resize(next);
    });
  }
  // Rows that remember something.
  void drop_forgotten() {
    std::vector<bool> keep(self().size());
    for (std::size_t r = 0; r < keep.size(); ++r) keep[r] = remembers(r);
    keep_if([&](std::size_t r) { return keep[r]; });
  }
  // Is a row part of the state? All are in tables where no column says otherwise.
  bool remembers(std::size_t r) const {
    bool some = false, asked = false;
    Self::visit(static_cast<const Self&>(*this), [&](const About& about, const auto& column) {
      if (about.memory == Memory::none) return;
      asked = true;
      some = some || (!column.empty() && !all_zero(column[r]));
    });
    return some || !asked;
  }

 private:
  static bool has_all(u32 kept, const About& about) { return (kept & about.options) == about.options; }
  Self& self() { return static_cast<Self&>(*this); }
  template <class F>
  void each(F&& f) {
    Self::visit(self(), f);
  }
};

// Names the members of a type at compile time, where no object is needed: there is none.
template <class T>
extern T never_made;
#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wundefined-var-template"
#endif
template <class T>
constexpr T& members_of() {
  return never_made<T>;
}
#ifdef __clang__
#pragma clang diagnostic pop
#endif

template <class T>
constexpr std::size_t columns_listed() {
  std::size_t n = 0;
  T::visit(members_of<T>(), [&](const About&, auto&) { ++n; });
  return n;
}
// A table is its columns and nothing else.
template <class T>
inline constexpr bool lists_all_columns = sizeof(T) == columns_listed<T>() * sizeof(Column<u32>);

// Calls f(about, column, other) for the columns of two tables of one type.
template <class T, class F>
void visit_both(T& table, const T& others, F&& f) {
  std::array<const void*, columns_listed<T>()> other{};
  std::size_t n = 0;
  T::visit(others, [&](const About&, const auto& column) { other[n++] = &column; });
  n = 0;
  T::visit(table, [&](const About& about, auto& column) {
    f(about, column, *static_cast<const std::remove_cvref_t<decltype(column)>*>(other[n++]));
  });
}

}  // namespace talus
