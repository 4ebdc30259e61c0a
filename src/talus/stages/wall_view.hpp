#pragma once
// What the walls of a sample span: the area a wall's stress acts on, the volume that stresses and porosity refer to.
#include <talus/state/model.hpp>
#include <talus/stages/rays.hpp>
#include <talus/state/state.hpp>

namespace talus {

// What kernels take.
template <int D>
struct WallView {
  Span<const WallDrive<D>> drives;
  Span<const Shape<D>> shapes;
  Span<const u32> shape;
  Span<const Vec<D>> position;
  Span<const Closing> closing;  // of all bodies; empty: no wall closes in
  Cell<D> cell;
  u32 grains;
  Real thickness;
  Real sleeve = 0;  // m, mean width inside a membrane; 0: none

  TALUS_HD const WallShape<D>& shape_of(std::size_t wall) const { return shapes[shape[grains + wall]].wall; }
  // Unit, into the sample.
  TALUS_HD Vec<D> direction(std::size_t wall) const { return shape_of(wall).direction(); }
  // N, how hard the sample pushes it out, where `force` acts on it; of a wall that goes all around by the sum of normal forces.
  TALUS_HD Real pushed(std::size_t wall, const Vec<D>& force) const {
    return drives[wall].radial && closing.size > 0 ? closing[grains + wall].push : -dot(force, direction(wall));
  }
  // m, that its surface has moved along its normal.
  TALUS_HD Real way(std::size_t wall) const { return closing.size > 0 ? closing[grains + wall].way : Real(0); }

  // Stated for the wall, or spanned by the other walls of its box and, where there are none, by the cell's edges.
  // m^2; in the plane length times thickness.
  TALUS_HD Real area(std::size_t wall) const {
    const WallDrive<D>& drive = drives[wall];
    if (drive.area > 0) return drive.area;
    if (shape_of(wall).own_area(0) > 0) {  // a facet, as far as it lies between the platens
      const Heights between = heights_at(wall);
      return shape_of(wall).own_area(way(wall), between.low, between.high);
    }
    for (int k = 0; k < D; ++k)
      if (const Real girth = shape_of(wall).girth(k, way(wall)); girth > 0) return girth * extent(k);
    Real area = D == 2 ? thickness : 1;
    if (sleeve > 0 && drive.axis == 1) return sleeve * area;
    for (int k = 0; k < D; ++k) {
      if (k == drive.axis) continue;
      area *= drive.low[k] < 0 ? cell.h(k, k)
                               : position[grains + std::size_t(drive.high[k])][k] -
                                     position[grains + std::size_t(drive.low[k])][k];
    }
    return area;
  }

  // The periodic cell, or the box its walls span; times the thickness in the plane. m^3
  // Along an axis without periodicity the extent is that between the first two facing walls, else the cell's.
  TALUS_HD Real volume() const {
    Real v = D == 2 ? thickness : 1;
    bool periodic = true;
    for (int k = 0; k < D; ++k) periodic = periodic && cell.periodic[k];
    if (periodic) return v * cell.volume();
    Real parts = 0;  // of a flexible wall
    for (std::size_t w = 0; w < drives.size; ++w) {
      if (!(shape_of(w).own_area(0) > 0)) continue;
      const Heights between = heights_at(w);
      parts += shape_of(w).own_volume(way(w), between.low, between.high);
    }
    if (parts > 0) return parts;
    const int within = enclosed_axis();
    if (within >= 0) return enclosed_section(within) * extent(within);
    for (int k = 0; k < D; ++k) {
      if (sleeve > 0 && k == 0) {
        v *= sleeve;
        continue;
      }
      v *= extent(k);
    }
    return v;
  }

 private:
  struct Heights {
    Real low, high;
  };
  // m, of the platens along the last axis as a facet counts heights.
  TALUS_HD Heights heights_at(std::size_t wall) const {
    const Heights h = platens(D - 1);
    const Real from = position[grains + wall][D - 1];
    return {h.low - from, h.high - from};
  }
  // m, along an axis: between the first two walls that face one another, else the cell's.
  TALUS_HD Real extent(int k) const {
    const Heights h = platens(k);
    return h.high - h.low < HUGE_VAL && !cell.periodic[k] ? h.high - h.low : cell.h(k, k);
  }
  // m, where the first two walls that face one another along an axis stand; without end where there is none.
  TALUS_HD Heights platens(int k) const {
    bool has_low = false, has_high = false;
    Real low = -HUGE_VAL, high = HUGE_VAL;
    for (std::size_t w = 0; w < drives.size; ++w) {
      const int faces = shape_of(w).faces_along(k);
      const Real at = position[grains + w][k];
      if (faces == 1 && !has_low) low = at, has_low = true;
      if (faces == -1 && !has_high) high = at, has_high = true;
    }
    return {low, high};
  }
  // A wall that goes all around the sample: about which axis, and the area inside; -1: none.
  TALUS_HD Real enclosed_section(int k) const {
    Real area = 0;
    for (std::size_t w = 0; w < drives.size; ++w) area = max(area, shape_of(w).section(k, way(w)));
    return area;
  }
  TALUS_HD int enclosed_axis() const {
    for (int k = 0; k < D; ++k)
      if (D == 3 && enclosed_section(k) > 0) return k;
    return -1;
  }
};

template <int D>
Real sleeve_of(const Model<D>& model, const State<D>& state) {
  if constexpr (D == 2)
    if (model.membrane.stress > 0) return cast_rays(model, state).width();
  return 0;
}
// With the mean width inside the membrane where that is known already.
template <int D>
WallView<D> wall_view(const Model<D>& model, const State<D>& state, Real sleeve) {
  return {model.drives.span(),
          model.shapes.span(),
          state.bodies.shape.span(),
          state.bodies.position.span(),
          state.bodies.closing.span(),
          state.globals.cell,
          u32(state.grains()),
          model.options.thickness,
          sleeve};
}
template <int D>
WallView<D> wall_view(const Model<D>& model, const State<D>& state) {
  return wall_view(model, state, sleeve_of(model, state));
}
template <int D>
Real sample_volume(const Model<D>& model, const State<D>& state) {
  return wall_view(model, state).volume();
}

}  // namespace talus
