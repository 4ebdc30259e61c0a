#pragma once
// Where hulls touched, or could have, in the last step of contact dynamics: one row for each pair, with at most four points that come and go.
// The next step starts from their impulses.
#include <talus/contact/row_key.hpp>
#include <talus/core/vec.hpp>
#include <talus/exec/column.hpp>
#include <talus/state/columns.hpp>

namespace talus {

// What a patch has of each of its points.
template <class T>
struct OfPoints {
  static constexpr int most = 4;
  T at[most]{};
};

// In order of keys.
struct HullPatches : Table<HullPatches> {
  Column<RowKey> key;
  Column<u32> points;
  Column<OfPoints<u32>> name;
  Column<OfPoints<Vec3>> normal, place, impulse;
  Column<OfPoints<Real>> gap, bias;
  Column<Real> friction;

  std::size_t size() const { return key.size(); }

  template <class Self, class F>
  static constexpr void visit(Self& s, F&& f) {
    f(About{"key", "1", "uids of the two bodies, periodic image, parts of both, kind"}, s.key);
    f(About{"points", "1", "how many it has"}, s.points);
    f(About{"name", "1", "names of the features that met at its points"}, s.name);
    f(About{"normal", "1", "at its points, unit, from the second body to the first"}, s.normal);
    f(About{"place", "m", "where its points lie"}, s.place);
    f(About{"impulse", "N s", "at its points, on the first body"}, s.impulse);
    f(About{"gap", "m", "at its points at the start of the step, negative where the bodies overlap"}, s.gap);
    f(About{"bias", "m/s", "what the conditions along the normal add to the velocities: gaps, restitution"}, s.bias);
    f(About{"friction", "1", "coefficient of friction"}, s.friction);
  }
};

}  // namespace talus
