#pragma once
// Balls in rings, layer upon layer, inside a cylinder: where grains start that are to fall into a mould.
#include <vector>

#include <talus/core/vec.hpp>

namespace talus::sampling {

struct RingPlan {
  Vec3 base{};       // m, where the cylinder's axis meets the floor; the axis goes up along z
  Real radius = 0;   // m, of the cylinder
  Real spacing = 1;  // distance of neighbours over what they need to be apart: 1 and more
  std::size_t batch = 75;  // balls that lie together, the largest first: a ring of one size is short, and batches keep sizes mixed
};

// Places for balls of these radii, batch after batch in their order: a ring along the wall is filled, then the next one inside it, then the next layer. Empty when
// one of them does not fit into the cylinder.
std::vector<Vec3> place_in_rings(const RingPlan& plan, const std::vector<Real>& radii);

}  // namespace talus::sampling
