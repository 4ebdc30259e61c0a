#pragma once
// The area in which two coated hulls share a plane. A coat is all that lies within its thickness of the hull: an offset, round at edges and corners.
//
// The section of a coated hull by a plane is the union of discs around its points, of radius sqrt(coat^2 - z^2) at the height z over the plane. How far it
// reaches along a direction e of the plane is the largest x.e + sqrt(coat^2 - z^2), which lies on an edge and is known in closed form there. The
// section is cut out by such tangents: along all straight parts, and around. Without coats it is exact; with coats it is a little too large where it
// is round, by less than 1 % of that part.
#include <talus/geometry/hull.hpp>

namespace talus {

struct CommonSection {
  Real area = 0;  // m^2
  Vec3 centre{};  // m, its centroid; where the plane was asked for when there is none
};

// Of one coated hull, and of two. The plane goes through `at`, across a unit normal.
CommonSection section_of(const HullView& a, Real coat_a, const Vec3& at, const Vec3& normal);
CommonSection common_section(const HullView& a, Real coat_a, const HullView& b, Real coat_b, const Vec3& at, const Vec3& normal);

// m^3, that both coated hulls fill, hulls included: sections along a normal, three in each stretch, added up.
Real common_volume(const HullView& a, Real coat_a, const HullView& b, Real coat_b, const Vec3& normal, int stretches = 24);

// m^3, of the coat around a hull (Steiner): surface, edges, corners.
Real coat_volume(const Hull& hull, Real size, Real coat);

}  // namespace talus
