#pragma once
// A part of a sample: the grains with centres inside a box. And grains that are held where they are.
// docs/design/035-stress-profile.md
#include <string>

#include <talus/geometry/wall_shape.hpp>
#include <talus/state/state.hpp>

namespace talus::sampling {

// So many copies of a cell along each edge hold a box of this size; 0: as many as there are.
template <int D>
Vec<D, i32> copies_to_fill(const Cell<D>& cell, const Vec<D>& size);

// Why a sample has no such box in its middle; empty when it has. `size`: m, along the axes; 0: the axis is not cut.
template <int D>
std::string flaw_of_box(const Cell<D>& cell, const Vec<D>& size);

// The grains with centres inside the box of this size in the middle of the sample, and the contacts among them. The lower corner of
// the box becomes the origin; cut edges must be open, and stand upright from then on.
template <int D>
State<D> crop(State<D> sample, const Vec<D>& size);

// The grains with centres on the near side of a wall: the space of the sample that a cylinder leaves.
template <int D>
State<D> crop(State<D> sample, const WallShape<D>& wall, const Vec<D>& position);

// Faces of the cell, and how far from them grains are held.
template <int D>
struct HeldLayer {
  Vec<D, i32> low{}, high{};  // 1: at this face
  Real thickness = 0;         // m

  bool is_there() const { return thickness > 0; }
  // Does it reach to x along this axis?
  bool reaches(const Cell<D>& cell, const Vec<D>& x, int axis) const {
    return (low[axis] && x[axis] < thickness) || (high[axis] && x[axis] > cell.h(axis, axis) - thickness);
  }
};

// Grains whose centres lie in the layer get an infinite inertia and rest for ever. Two of them have no finite reduced mass: their contacts are
// dropped, and no search finds them again.
template <int D>
State<D> hold(State<D> sample, const HeldLayer<D>& layer);

}  // namespace talus::sampling
