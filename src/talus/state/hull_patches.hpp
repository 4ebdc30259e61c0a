#pragma once
// Where hulls touched, or could have, in the last step of contact dynamics: one row for each pair, with at most four points that come and go.
// The next step starts from their impulses. What the coats between the two remember belongs to the pair: points that come and go do not touch it.
#include <talus/contact/relaxation.hpp>
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
  Column<RelaxationMemory> coat;
  Column<Vec3> coat_impulse, coat_place;
  Column<Real> coat_area;

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
    f(About{"coat", "N, N, m", "what the coats between the bodies remember: two forces, and area over thickness"}.absent_if_zero(), s.coat);
    f(About{"coat_impulse", "N s", "of the coats, on the first body"}.absent_if_zero(), s.coat_impulse);
    f(About{"coat_place", "m", "middle of the area where the coats meet"}.absent_if_zero(), s.coat_place);
    f(About{"coat_area", "m^2", "common section of the coats"}.absent_if_zero(), s.coat_area);
  }
};

}  // namespace talus
