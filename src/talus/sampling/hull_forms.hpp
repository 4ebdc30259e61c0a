#pragma once
// Hulls of plain forms: boxes, and spheres of many flat faces.
#include <vector>

#include <talus/geometry/hull.hpp>

namespace talus::sampling {

// Corners of a box.
std::vector<Vec3> box_points(const Vec3& edges);

// 642 points of an ellipsoid: an icosahedron whose triangles are cut into four, three times. Its volume is 0.7 % short of that of the sphere.
std::vector<Vec3> sphere_points(const Vec3& diameters);

// The same shape at a sieve size of 1 m.
Hull at_unit_size(const Hull& hull);

}  // namespace talus::sampling
