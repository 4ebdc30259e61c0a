#pragma once
// The contact rows of one law. Rows exist for every candidate pair; those that remember something (history, shift,
// dashpot force, load or displacement not all zero) are State, the others are only places where a contact may form. Checkpoint and hash see the former alone,
// so the skin and the moment of a rebuild leave no trace.
#include <talus/contact/laws.hpp>
#include <talus/contact/multi_contact.hpp>
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
  // Of multi-contact models. Gaps within the model's reach have a displacement although they do not touch.
  Column<Sides> displacement;
  Column<Load> load;
  Column<Vec<D>> tangential_force;

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
    f(About{"displacement", "m", "by which the surface of each body bulges towards the other"}
          .hashed_as("swell")
          .with(kept::multi_contact)
          .remembers(Memory::near),
      s.displacement);
    f(About{"load", "1, m, m, N, m, 1",
            "of a multi-contact model: normal, depth, skew, elastic force, displacement, slowest mode"}
          .with(kept::multi_contact)
          .remembers(Memory::touching),
      s.load);
    f(About{"tangential_force", "N",
            "of a multi-contact model: friction force of the last step on the body with the smaller uid"}
          .hashed_as("drag")
          .with(kept::multi_contact | kept::tangential_forces),
      s.tangential_force);
  }
};

template <class List>
struct RowTables;
template <class... L>
struct RowTables<std::tuple<L...>> {
  std::tuple<Rows<L>...> of;
};

}  // namespace talus
