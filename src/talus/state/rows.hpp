#pragma once
// The contact rows of one law. Rows exist for every candidate pair; those that remember something (history, shift,
// dashpot force or bulge not all zero) are State, the others are only places where a contact may form. Checkpoint and hash see the former alone,
// so the skin and the moment of a rebuild leave no trace.
#include <cstring>

#include <talus/contact/bulge.hpp>
#include <talus/contact/laws.hpp>
#include <talus/contact/row_key.hpp>
#include <talus/exec/column.hpp>
#include <talus/state/columns.hpp>

namespace talus {

template <class T>
TALUS_HD bool all_zero(const T& value) {
  static_assert(sizeof(T) % sizeof(u64) == 0);
  const auto* words = reinterpret_cast<const unsigned char*>(&value);
  for (std::size_t i = 0; i < sizeof(T); i += sizeof(u64)) {
    u64 w = 0;
    for (int b = 0; b < 8; ++b) w |= u64(words[i + b]);
    if (w != 0) return false;
  }
  return true;
}

// What rows remember, as kernels see it.
template <class Law>
struct RowMemory {
  static constexpr int D = Law::dimension;
  Span<const RowKey> key;
  Span<const Real> shift;
  Span<const typename Law::History> history;
  Span<const Vec<D>> viscous;
  Span<const Sides> swell;
  Span<const Load> load;
  TALUS_HD bool remembers(std::size_t r) const { return was_touching(r) || (swell.size > 0 && !all_zero(swell[r])); }
  // More than a bulge towards a gap.
  TALUS_HD bool was_touching(std::size_t r) const {
    return (shift.size > 0 && shift[r] != 0) || !all_zero(history[r]) || (viscous.size > 0 && !all_zero(viscous[r])) ||
           (load.size > 0 && !all_zero(load[r]));
  }
};

template <class Law>
struct Rows {
  static constexpr int D = Law::dimension;
  using History = typename Law::History;

  Column<RowKey> key;
  Column<Real> shift;  // m, added to the geometric overlap (cell replication); empty: no row has one
  Column<History> history;
  Column<Vec<D>> viscous;  // N on a, dashpot force of the last step; empty when there is no energy ledger
  // Of multi-contact models; empty without one. Gaps within the model's reach have a swell although they do not touch.
  Column<Sides> swell;  // m, by which the surface of each body bulges towards the other
  Column<Load> load;
  Column<Vec<D>> drag;  // N on a, elastic force across the normal; empty unless the model counts it

  Rows() = default;
  explicit Rows(const exec::Memory& memory) {
    visit(*this, [&](const About&, auto& column) { column.move_to(memory); });
  }

  std::size_t size() const { return key.size(); }
  RowMemory<Law> memory() const {
    return {key.span(), shift.span(), history.span(), viscous.span(), swell.span(), load.span()};
  }
  bool remembers(std::size_t r) const { return memory().remembers(r); }

  template <class Self, class F>
  static void visit(Self& s, F&& f) {
    f(About{"key", "1", "uids of the two bodies and the periodic image"}, s.key);
    f(About{"shift", "m", "virtual overlap added to the geometric one"}, s.shift);
    f(About{"history", "N, N/m", "what the law remembers of the contact"}, s.history);
    f(About{"viscous", "N", "dashpot force of the last step on the body with the smaller uid"}, s.viscous);
    f(About{"swell", "m", "by which the surface of each body bulges towards the other"}, s.swell);
    f(About{"load", "1, m, m, N, m, 1",
            "of a multi-contact model: normal, depth, skew, elastic force, bulge, slowest mode"},
      s.load);
    f(About{"drag", "N", "of a multi-contact model: friction force of the last step on the body with the smaller uid"},
      s.drag);
  }

  void resize_unset(std::size_t n, bool shifts, bool ledger, bool bulges, bool drags) {
    shift.resize_unset(shifts ? n : 0);
    history.resize_unset(n);
    viscous.resize_unset(ledger ? n : 0);
    swell.resize_unset(bulges ? n : 0);
    load.resize_unset(bulges ? n : 0);
    drag.resize_unset(drags ? n : 0);
  }
  void resize(std::size_t n, bool ledger) {
    key.resize(n);
    shift.resize(n);
    history.resize(n);
    viscous.resize(ledger ? n : 0);
  }
};

template <class List>
struct RowTables;
template <class... L>
struct RowTables<std::tuple<L...>> {
  std::tuple<Rows<L>...> of;
};

}  // namespace talus
