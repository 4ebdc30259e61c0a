#include <talus/sampling/read_hull_forms.hpp>

#include <stdexcept>

#include <talus/geometry/sieve_size.hpp>
#include <talus/sampling/hull_forms.hpp>
#include <talus/sampling/hull_shapes.hpp>
#include <talus/geometry/mesh.hpp>

namespace talus::sampling {
namespace {

std::vector<Hull> read_random(Input& in, u64 seed) {
  HullRecipe recipe;
  recipe.count = int(in.integer("shapes", 1, 1000, recipe.count, "number of shapes; each grain has one of them"));
  recipe.corners = int(in.integer("corners_per_hull", 8, 64, recipe.corners, "number of points whose hull is a shape"));
  recipe.volume_mean = in.number("volume_unit", dim::none, {recipe.volume_low, recipe.volume_high, true, true}, recipe.volume_mean,
                                 "mean volume of the shapes over the cube of the sieve size");
  recipe.surface_mean = in.number("surface_unit", dim::none, {recipe.surface_low, recipe.surface_high, true, true}, recipe.surface_mean,
                                  "mean surface of the shapes over the square of the sieve size");
  return draw_hulls(recipe, seed);
}

HullForms of_points(const std::vector<Vec3>& points) {
  const Hull hull = make_hull(points);
  return {{at_unit_size(hull)}, sieve_size(hull.corners)};
}

HullForms read_file(Input& in) {
  const char* hint = "a closed surface whose faces are counter-clockwise as seen from outside";
  const std::string text = in.file("file", "STL, OBJ or PLY of a closed surface, in any unit: the grain is its convex hull");
  Mesh mesh;
  try {
    mesh = parse_mesh(text);
  } catch (const std::runtime_error& cannot) {
    in.fail("file", cannot.what(), hint);
  }
  // A flat surface encloses nothing either: say the plainer of the two.
  if (const std::string flaw = flaw_of_points(mesh.points); !flaw.empty()) in.fail("file", flaw, hint);
  if (const std::string flaw = flaw_of(mesh); !flaw.empty()) in.fail("file", flaw, hint);
  return of_points(mesh.points);
}

}  // namespace

HullForms read_hull_forms(Input& in, Dimension of_edges, u64 seed) {
  const std::string form = in.choice("form", {"generated", "box", "sphere", "file"}, "generated",
                                     "form of hulls: random ones, a box, a sphere of 642 corners, or that of a file");
  for (const char* key : {"shapes", "corners_per_hull", "volume_unit", "surface_unit"})
    if (form != "generated") in.pass(key);
  if (form != "file") in.pass("file");
  if (form == "file") in.pass("edges");
  if (form == "file") return read_file(in);
  const auto lengths = in.numbers("edges", of_edges, Range::positive(), 3, std::vector<Real>{1, 1, 1},
                                  "edges of the box, or diameters of the sphere; random forms: their sieve size, three times; of grains, over one another: their sizes are those of sieves");
  if (form == "generated") {
    if (lengths[1] != lengths[0] || lengths[2] != lengths[0]) in.fail("edges", "random forms have one size, that of their sieve", "state it three times");
    return {read_random(in, seed), lengths[0]};
  }
  const Vec3 edges{lengths[0], lengths[1], lengths[2]};
  const std::vector<Vec3> points = form == "box" ? box_points(edges) : sphere_points(edges);
  if (const std::string flaw = flaw_of_points(points); !flaw.empty()) in.fail("edges", flaw, "state three lengths that are nearer to one another");
  return of_points(points);
}

}  // namespace talus::sampling
