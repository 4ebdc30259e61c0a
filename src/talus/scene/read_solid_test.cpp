#include <talus/scene/read_solid_test.hpp>

#include <cmath>

#include <talus/lab/solid_tests.hpp>

namespace talus::scene {
namespace {

// In the plane: beams and rings.
void read_in_plane(Input& in, const std::string& kind, lab::Experiment<2>& x, Real spacing) {
  if (kind == "rings") {
    x.analysis = lab::rings_analysis(spacing);
  } else {
    lab::Cantilever beam;
    beam.length = in.number("length", dim::length, Range::positive(), std::nullopt, "of the beam before its clamp");
    beam.thickness = in.number("thickness", dim::length, Range::positive(), std::nullopt, "of the beam");
    beam.young = in.number("young", dim::pressure, Range::positive(), std::nullopt, "Young's modulus of the beam");
    beam.poisson = in.number("poisson", dim::none, {-1, 0.5, true, true}, std::nullopt, "its Poisson's ratio");
    beam.density = x.state.particles.density[0];
    x.analysis = lab::cantilever_analysis(beam);
  }
}

void read_in_space(Input& in, const std::string& kind, lab::Experiment<3>& x) {
  if (kind == "spin")
    x.analysis = lab::spin_analysis();
  else
    x.analysis = lab::drop_analysis({in.number("height", dim::length, Range::positive(), std::nullopt, "that the body falls until it meets the floor"),
                                     length(x.state.globals.gravity)});
}

}  // namespace

template <int D>
void read_solid_test(Input& in, const std::string& kind, lab::Experiment<D>& x) {
  if (x.method->has_grains() || x.state.particles.deviator.empty())
    in.fail("kind", "this test is of a solid as particles", "set method = \"sph\" and take a solid for a material");
  const auto& p = x.state.particles;
  const Real spacing = D == 2 ? std::sqrt(p.mass[0] / p.density[0]) : std::cbrt(p.mass[0] / p.density[0]);
  if (kind == "collapse") {
    const Real width = in.number("width", dim::length, Range::positive(), std::nullopt, "radius of the column, or its width before a wall at x = 0");
    const Real height = in.has("aspect") ? width * in.number("aspect", dim::none, Range::positive(), std::nullopt, "its height over its radius or width, instead of height")
                                         : in.number("height", dim::length, Range::positive(), std::nullopt, "of the column");
    const auto middle = in.numbers("middle", dim::length, Range::any(), D, std::vector<Real>(D, 0.0), "where its axis stands, or its wall");
    x.analysis = lab::collapse_analysis<D>({width, height, spacing, D == 3 ? 0.12 : 0.15}, to_vec<D>(middle));
    return;
  }
  const bool in_plane = kind == "cantilever" || kind == "rings";
  if (in_plane != (D == 2)) in.fail("kind", in_plane ? "this test is of the plane" : "this test is of space", "change `dimension`");
  if constexpr (D == 2)
    read_in_plane(in, kind, x, spacing);
  else
    read_in_space(in, kind, x);
}

template void read_solid_test(Input&, const std::string&, lab::Experiment<2>&);
template void read_solid_test(Input&, const std::string&, lab::Experiment<3>&);

}  // namespace talus::scene
