#pragma once
// The places where bodies touched, or could have, in the last step of contact dynamics, as its conditions saw them: the
// next step starts from their impulses, and measures may check the conditions without asking the solver.
#include <talus/contact/row_key.hpp>
#include <talus/core/vec.hpp>
#include <talus/exec/column.hpp>
#include <talus/state/columns.hpp>

namespace talus {

inline constexpr u32 no_feature = ~0u;  // of a patch of one point

// In order of keys.
struct Patches : Table<Patches> {
  Column<RowKey> key;
  Column<Vec<2, u32>> feature;
  Column<Vec3> impulse;
  Column<Vec2> normal;
  Column<Vec3> lever_a, lever_b;
  Column<Vec3> bias, softness;
  Column<Real> friction, overlap;

  std::size_t size() const { return key.size(); }

  template <class Self, class F>
  static constexpr void visit(Self& s, F&& f) {
    f(About{"key", "1", "uids of the two bodies, periodic image, parts of both, kind"}, s.key);
    f(About{"feature", "1", "names of the corners and edges that met at its points"}, s.feature);
    f(About{"impulse", "N s", "along the normal at its points, and along the tangent of both"}, s.impulse);
    f(About{"normal", "1", "unit, from the second body to the first; the tangent is it turned to the left"}, s.normal);
    f(About{"lever_a", "m", "moment arms of the three impulses about the first body"}, s.lever_a);
    f(About{"lever_b", "m", "and about the second"}, s.lever_b);
    f(About{"bias", "m/s", "what the conditions add to the velocities: gaps, restitution, the cell"}.hashed_as(
          "target"),
      s.bias);
    f(About{"softness", "1/kg", "by which elastic contacts give way themselves: 0 where they are rigid"}.absent_if_zero(), s.softness);
    f(About{"friction", "1", "coefficient of friction"}, s.friction);
    f(About{"overlap", "m", "deepest at the start of the step; 0 when apart"}, s.overlap);
  }
};

}  // namespace talus
