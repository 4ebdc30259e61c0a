#pragma once
// What a wall's surface answers to a point.
#include <talus/core/vec.hpp>

namespace talus {

template <int D>
struct Surface {
  Real gap;       // m, from the surface to the point; negative behind it
  Vec<D> normal;  // unit, out of the wall into the sample, where the surface is nearest
  u32 feature;    // which facet that is; 0 of a shape that has but one
};

}  // namespace talus
