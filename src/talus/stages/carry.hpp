#pragma once
// What contacts remember, carried into a new list of contacts: whichever the table, its columns are those of its `visit`.
// Rows that remember something are listed by their first uid; each new row looks its key up there, and every column is
// copied by one kernel. Rejected: one kernel that knows all columns; adding one touched six places, and the time is the same
// (docs/design/025).
#include <talus/contact/row_key.hpp>
#include <talus/exec/shared_memory.hpp>
#include <talus/exec/whole_columns.hpp>
#include <talus/state/columns.hpp>
#include <talus/state/status.hpp>

namespace talus {

inline constexpr u32 no_row = ~0u;

// Bit 0: the bodies touched. Bit 1: a surface bulges towards the other.
template <class T>
struct FlagMemory {
  Span<const T> column;
  Span<u8> flags;
  u8 bit;
  TALUS_HD void operator()(std::size_t r) const {
    if (!all_zero(column[r])) flags[r] = u8(flags[r] | bit);
  }
};
inline constexpr u8 flag_of(Memory m) { return m == Memory::touching ? 1 : 2; }

// What each row remembers.
template <class Exec, class Table>
Column<u8> flag_memory(const Table& table) {
  Column<u8> flags(0, Exec::memory());
  fill<Exec>(flags, table.size(), u8(0));
  Table::visit(table, [&]<class T>(const About& about, const Column<T>& column) {
    if (about.memory != Memory::none && !column.empty())
      Exec::for_each(table.size(), FlagMemory<T>{column.span(), flags.span(), flag_of(about.memory)});
  });
  return flags;
}

struct RowCount {
  u32 rows = 0;
  TALUS_HD void join(const RowCount& other) { rows += other.rows; }
};
template <class T>
struct CountOther {  // than one value
  Span<const T> column;
  T value;
  TALUS_HD RowCount operator()(std::size_t r) const { return {column[r] != value}; }
};
template <class Exec, class T>
u32 count_other(const Column<T>& column, T value) {
  return Exec::template reduce<RowCount>(column.size(), CountOther<T>{column.span(), value}).rows;
}

// Old rows that remember something, listed by their first uid: counted first, then filled in. The order within a list
// is any; it is only looked up in.
struct ListMemory {
  Span<const RowKey> key;
  Span<const u8> flags;
  Span<u32> next, listed;  // listed empty: count
  TALUS_HD void operator()(std::size_t r) const {
    if (flags[r] == 0 || key[r].a >= next.size) return;  // a body that is not known has no list: its row is lost
    const u32 at = exec::atomic_add(&next[key[r].a], 1);
    if (listed.size > 0) listed[at] = u32(r);
  }
};

// The old row of each new one, or none.
struct FindMemory {
  Span<const RowKey> key, old;
  Span<const u32> end, listed;  // end of each uid's list
  Span<u32> from;
  TALUS_HD void operator()(std::size_t r) const {
    const RowKey k = key[r];
    u32 found = no_row;
    for (u32 e = k.a == 0 ? 0 : end[k.a - 1]; e < end[k.a]; ++e)
      if (old[listed[e]] == k) found = listed[e];
    from[r] = found;
  }
};

template <class T>
struct CarryColumn {
  Span<const u32> from;
  Span<const T> old;  // empty: not kept so far
  Span<T> now;
  TALUS_HD void operator()(std::size_t r) const { now[r] = old.size == 0 || from[r] == no_row ? T{} : old[from[r]]; }
};

// Moves what the old rows remember into new ones, whose keys are there already. `uids`: beyond the largest one. A status.
template <class Exec, class Table>
u32 carry(const Table& old, Table& now, std::size_t uids, u32 kept) {
  const exec::Memory& memory = Exec::memory();
  const std::size_t rows = now.size();
  now.resize_unset(rows, kept);
  const Column<u8> flags = flag_memory<Exec>(old);
  const u32 remembering = count_other<Exec>(flags, u8(0));
  Column<u32> next(0, memory), listed(remembering, memory), from(rows, memory);
  fill<Exec>(next, uids, 0u);
  Exec::for_each(old.size(), ListMemory{old.key.span(), flags.span(), next.span(), {}});
  Exec::scan(next.span());
  if (remembering > 0)
    Exec::for_each(old.size(), ListMemory{old.key.span(), flags.span(), next.span(), listed.span()});
  Exec::for_each(rows, FindMemory{now.key.span(), old.key.span(), next.span(), listed.span(), from.span()});
  visit_both(now, old, [&]<class T>(const About&, Column<T>& column, const Column<T>& before_it) {
    if constexpr (!std::is_same_v<T, RowKey>)
      if (!column.empty()) Exec::for_each(rows, CarryColumn<T>{from.span(), before_it.span(), column.span()});
  });
  return count_other<Exec>(from, no_row) == remembering ? fine : lost_history;
}

}  // namespace talus
