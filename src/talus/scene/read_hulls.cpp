#include <talus/scene/read_hulls.hpp>

#include <algorithm>

#include <talus/geometry/shape.hpp>
#include <talus/sampling/hull_shapes.hpp>
#include <talus/sampling/read_hull_forms.hpp>
#include <talus/sampling/rings.hpp>

namespace talus::scene {

Real Group::volume(std::size_t i, int dimension) const {
  if (!hull.empty()) return hulls[hull[i]].volume * diameters[i] * diameters[i] * diameters[i];
  if (!polygons.empty()) return polygons[i].area;
  return dimension == 3 ? ball_volume<3>(diameters[i] / 2) : ball_volume<2>(diameters[i] / 2);
}

void read_hulls(Input& in, Group& g, u64 seed) {
  g.hulls = sampling::read_hull_forms(in, dim::none, seed).hulls;
  g.turned = in.flag("turned", true, "hulls start turned at random; false: main axes along x, y, z");
  Rng rng{seed, 0x8012, 0};
  for (std::size_t i = 0; i < g.diameters.size(); ++i) g.hull.push_back(u32(rng.below(g.hulls.size())));
}

std::vector<Vec3> place_in_rings(Input& place, const Group& g, const Cell<3>& cell) {
  sampling::RingPlan plan;
  plan.radius = 0.5 * place.number("diameter", dim::length, Range::positive(), std::nullopt, "diameter of the mould that the grains are placed in");
  plan.spacing = place.number("spacing", dim::none, {1, 100, true, false}, 1.02, "distance of neighbours over their size");
  plan.base = to_vec<3>(place.numbers("base", dim::length, Range::any(), 3, std::vector<Real>{0, 0, 0}, "intersection of the mould's axis and its floor"));
  const Real margin = place.number("margin", dim::length, Range::not_negative(), 0.0, "left free around each grain: the coat that it will have");
  std::vector<Real> radii;
  for (std::size_t i = 0; i < g.diameters.size(); ++i) radii.push_back(g.reach(i) + margin);
  const std::vector<Vec3> points = sampling::place_in_rings(plan, radii);
  if (points.empty()) place.fail("diameter", "the largest grain does not fit into the mould", "make it wider, or the grains smaller");
  Real top = 0;
  for (std::size_t i = 0; i < points.size(); ++i) top = std::max(top, points[i].z + radii[i]);
  if (top > plan.base.z + cell.h(2, 2))
    place.fail("spacing", "the layers are " + std::to_string(top) + " m high, higher than the cell", "raise the last number of cell.size");
  return points;
}

Aggregates aggregates_of(const std::vector<Group>& groups, const std::vector<sampling::Ball<3>>& balls, u64 seed) {
  Aggregates out;
  Rng rng{seed, 0x8013, 0};
  std::size_t next = 0;
  for (const Group& g : groups) {
    const auto first = u32(out.hulls.size());
    out.hulls.insert(out.hulls.end(), g.hulls.begin(), g.hulls.end());
    for (std::size_t i = 0; i < g.diameters.size(); ++i) {
      const sampling::Ball<3>& ball = balls[next++];
      out.grains.push_back({first + g.hull[i], g.diameters[i], ball.position, g.turned ? sampling::any_turning(rng) : Quat{}, ball.material, ball.velocity, ball.spin});
    }
  }
  return out;
}

}  // namespace talus::scene
