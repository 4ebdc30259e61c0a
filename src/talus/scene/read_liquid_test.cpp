#include <talus/scene/read_liquid_test.hpp>

#include <cmath>

#include <talus/lab/dam_break.hpp>

namespace talus::scene {

std::unique_ptr<lab::Analysis<2>> read_liquid_test(Input& in, const std::string& kind, const lab::Experiment<2>& x) {
  if (x.method->has_grains()) in.fail("kind", "this test is of a liquid", "set method = \"sph\"");
  const auto& p = x.state.particles;
  const Real density = p.density[0], spacing = std::sqrt(p.mass[0] / density), gravity = length(x.state.globals.gravity);
  if (kind == "dam-break")
    return lab::dam_break_analysis(
        {in.number("width", dim::length, Range::positive(), std::nullopt, "width of the column before the collapse"), gravity, spacing});
  return lab::hydrostatic_analysis(
      {in.number("surface", dim::length, Range::positive(), std::nullopt, "height of the free surface"), density, gravity, spacing});
}

}  // namespace talus::scene
