#pragma once
// What contacts of polygons remember in the explicit method: one entry for each pair that touches and has something to
// remember, in order of keys.
#include <talus/contact/row_key.hpp>
#include <talus/core/vec.hpp>
#include <talus/exec/column.hpp>
#include <talus/state/columns.hpp>

namespace talus {

struct Springs : Table<Springs> {
  Column<RowKey> key;
  Column<Real> shear;
  Column<Vec3> viscous;

  std::size_t size() const { return key.size(); }

  template <class Self, class F>
  static constexpr void visit(Self& s, F&& f) {
    f(About{"key", "1", "uids of the two bodies, periodic image, parts of both, kind"}, s.key);
    f(About{"shear", "N", "tangential spring force on the first body, along the normal turned to the left"}
          .remembers(Memory::touching),
      s.shear);
    f(About{"viscous", "N, N m", "dashpot force of the last step on the first body, and its moment about it"}
          .remembers(Memory::touching),
      s.viscous);
  }
};

}  // namespace talus
