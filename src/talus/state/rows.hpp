#pragma once
// The contact rows of one law. Rows exist for every candidate pair; those that remember something (history, shift,
// dashpot force or bulge not all zero) are State, the others are only places where a contact may form. Checkpoint and hash see the former alone,
// so the skin and the moment of a rebuild leave no trace.
#include <talus/contact/bulge.hpp>
#include <talus/contact/laws.hpp>
#include <talus/contact/row_key.hpp>
#include <talus/exec/column.hpp>
#include <talus/state/columns.hpp>

namespace talus {

template <class Law>
struct Rows : Table<Rows<Law>> {
  static constexpr int D = Law::dimension;

  Column<RowKey> key;
  Column<Real> shift;
  Column<typename Law::History> history;
  Column<Vec<D>> viscous;
  // Of multi-contact models. Gaps within the model's reach have a swell although they do not touch.
  Column<Sides> swell;
  Column<Load> load;
  Column<Vec<D>> drag;

  std::size_t size() const { return key.size(); }

  template <class Self, class F>
  static constexpr void visit(Self& s, F&& f) {
    f(About{"key", "1", "uids of the two bodies, periodic image, parts of both, kind"}, s.key);
    f(About{"shift", "m", "virtual overlap added to the geometric one (cell replication)"}
          .with(kept::shifts)
          .remembers(Memory::touching)
          .absent_if_zero(),
      s.shift);
    f(About{"history", "N, N/m", "what the law remembers of the contact"}.remembers(Memory::touching), s.history);
    f(About{"viscous", "N", "dashpot force of the last step on the body with the smaller uid"}
          .with(kept::ledger)
          .remembers(Memory::touching),
      s.viscous);
    f(About{"swell", "m", "by which the surface of each body bulges towards the other"}
          .with(kept::bulges)
          .remembers(Memory::near),
      s.swell);
    f(About{"load", "1, m, m, N, m, 1",
            "of a multi-contact model: normal, depth, skew, elastic force, bulge, slowest mode"}
          .with(kept::bulges)
          .remembers(Memory::touching),
      s.load);
    f(About{"drag", "N", "of a multi-contact model: friction force of the last step on the body with the smaller uid"}
          .with(kept::bulges | kept::drags),
      s.drag);
  }
};

template <class List>
struct RowTables;
template <class... L>
struct RowTables<std::tuple<L...>> {
  std::tuple<Rows<L>...> of;
};

}  // namespace talus
