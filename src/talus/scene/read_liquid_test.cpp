#include <talus/scene/read_liquid_test.hpp>

#include <algorithm>
#include <cmath>

#include <talus/lab/dam_break.hpp>
#include <talus/lab/fields.hpp>

namespace talus::scene {

std::unique_ptr<lab::Analysis<2>> read_liquid_test(Input& in, const std::string& kind, const lab::Experiment<2>& x) {
  if (x.method->has_grains()) in.fail("kind", "this test is of a liquid", "set method = \"sph\"");
  const auto& p = x.state.particles;
  const Real density = p.density[0], spacing = std::sqrt(p.mass[0] / density), gravity = length(x.state.globals.gravity);
  if (kind == "dam-break")
    return lab::dam_break_analysis(
        {in.number("width", dim::length, Range::positive(), std::nullopt, "width of the column before the collapse"), gravity, spacing});
  if (kind == "plate") {
    if (p.origin.empty()) in.fail("kind", "the scene has no body whose strain is measured from where it was laid", "set formulation = \"total\" of the plate");
    lab::ClampedPlate plate;
    plate.body = u32(in.integer("body", 0, 1000000, std::nullopt, "number of the [body.NAME] between the clamps, in the order of the scene from 0"));
    if (std::find(p.body.begin(), p.body.end(), plate.body) == p.body.end()) in.fail("body", "the scene has no body of this number", "count the [body.NAME] from 0");
    plate.span = in.number("span", dim::length, Range::positive(), std::nullopt, "of the plate between its clamps");
    plate.thickness = in.number("thickness", dim::length, Range::positive(), std::nullopt, "of the plate");
    plate.young = in.number("young", dim::pressure, Range::positive(), std::nullopt, "Young's modulus of the plate");
    plate.poisson = in.number("poisson", dim::none, {-1, 0.5, true, true}, std::nullopt, "its Poisson's ratio");
    const Real depth = in.number("depth", dim::length, Range::positive(), std::nullopt, "of the water on it"),
               water = in.number("water", dim::density, Range::positive(), std::nullopt, "density of the water"),
               own = in.number("density", dim::density, Range::positive(), std::nullopt, "density of the plate");
    plate.load = gravity * (water * depth + own * plate.thickness);
    return lab::plate_analysis(plate);
  }
  return lab::hydrostatic_analysis(
      {in.number("surface", dim::length, Range::positive(), std::nullopt, "height of the free surface"), density, gravity, spacing});
}

}  // namespace talus::scene
