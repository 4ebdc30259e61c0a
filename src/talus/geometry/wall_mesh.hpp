#pragma once
// A closed surface of triangles from a file as a wall. A ball touches it where it is nearest, once: exact wherever the wall is convex or flat, however
// it is cut into triangles. In a hollow edge a ball rests against one side at a time.
// Host only: the shape holds an address, since a mesh does not fit into the bytes of a shape. Meshes are kept for the life of the program, each once.
#include <stdexcept>
#include <string_view>
#include <vector>

#include <talus/core/input.hpp>
#include <talus/geometry/mesh_distance.hpp>
#include <talus/geometry/surface.hpp>

namespace talus {

// The mesh of this text, read and kept. Throws std::runtime_error: what is wrong with it.
const MeshDistance& kept_mesh(const std::string& text, Real unit);

template <int D>
struct WallMesh {
  static constexpr std::string_view name = "mesh", about = "a closed surface of triangles from an STL, OBJ or PLY file; the sample is outside, or inside",
                                    placed_by = "file";
  static constexpr bool is_flat = false, is_of_space = true, has_edge = true, is_host_only = true;

  const MeshDistance* mesh = nullptr;
  Real side = 1;  // -1: the sample is inside

  static WallMesh of(const MeshDistance& mesh, bool is_inside) { return {&mesh, is_inside ? Real(-1) : Real(1)}; }
  static WallMesh read(Input& in, Vec<D>& position) {
    position = to_vec<D>(in.numbers("point", dim::length, Range::any(), D, std::vector<Real>(D, 0.0), "where the origin of a mesh lies"));
    const std::string text = in.file("file", "STL, OBJ or PLY of a closed surface, faces counter-clockwise as seen from outside");
    const Real unit = in.number("unit", dim::length, Range::positive(), std::nullopt, "length of one unit of the file, such as \"1 mm\"");
    const bool is_inside = in.choice("side", {"outside", "inside"}, "outside", "where the sample is") == "inside";
    const MeshDistance* mesh = nullptr;
    try {
      mesh = &kept_mesh(text, unit);
    } catch (const std::runtime_error& cannot) {
      in.fail("file", cannot.what(), "a wall is a closed surface whose faces are counter-clockwise as seen from outside");
    }
    return of(*mesh, is_inside);
  }

  TALUS_HD Surface<D> at(const Vec<D>& x) const {
#if defined(__CUDA_ARCH__)
    return {HUGE_VAL, {}, 0};  // a run on a device is refused
#else
    if constexpr (D == 3) {
      const Surface<3> s = mesh->at(x);
      return {side * s.gap, side * s.normal, s.feature};
    } else {
      return {x[0], {}, 0};  // scenes of the plane do not offer it
    }
#endif
  }
  TALUS_HD bool is_within(const Vec<D>& x, Real reach) const {
#if defined(__CUDA_ARCH__)
    return false;
#else
    if constexpr (D == 3) return side > 0 ? mesh->is_within(x, reach) : -mesh->at(x).gap < reach;
    else return false;
#endif
  }
  TALUS_HD Vec<D> direction() const { return {}; }
  bool cuts(int) const { return true; }
  bool encloses() const { return side < 0; }
};

}  // namespace talus
