#pragma once
// What contact dynamics remembers of the places where bodies touched: the impulses that the next step starts from.
#include <talus/contact/row_key.hpp>
#include <talus/core/vec.hpp>
#include <talus/exec/column.hpp>
#include <talus/state/columns.hpp>

namespace talus {

inline constexpr u32 no_feature = ~0u;  // of a patch of one point

// In order of keys, one row for each patch that pushed.
struct Patches {
  Column<RowKey> key;
  Column<Vec<2, u32>> feature;
  Column<Vec3> impulse;

  std::size_t size() const { return key.size(); }
  void resize(std::size_t n) {
    visit(*this, [&](const About&, auto& column) { column.resize(n); });
  }

  template <class Self, class F>
  static void visit(Self& s, F&& f) {
    f(About{"key", "1", "uids of the two bodies and the periodic image"}, s.key);
    f(About{"feature", "1", "names of the corners and edges that met at its points"}, s.feature);
    f(About{"impulse", "N s", "along the normal at its points, and along the tangent of both"}, s.impulse);
  }
};

}  // namespace talus
