#pragma once
// Closed surfaces of triangles as other programs write them: STL (text or binary), OBJ, PLY (text).
#include <array>
#include <string>
#include <vector>

#include <talus/core/vec.hpp>

namespace talus {

struct Mesh {
  std::vector<Vec3> points;  // in the units of the file
  std::vector<std::array<u32, 3>> triangles;  // counter-clockwise as seen from outside
};

// Throws std::runtime_error with the line and what is wrong there. Faces of more corners are cut into triangles. Points at the same place are one.
Mesh parse_mesh(const std::string& text);

// Why it does not enclose a volume: edges without a neighbour, or faces that look inward. Empty when it does.
std::string flaw_of(const Mesh& mesh);

// Enclosed volume in cubes of the file's unit, negative where faces look inward.
Real volume_of(const Mesh& mesh);

}  // namespace talus
