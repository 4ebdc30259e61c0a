#include <talus/scene/read_element_test.hpp>

#include <cmath>

#include <talus/lab/element_analysis.hpp>
#include <talus/lab/fields.hpp>
#include <talus/lab/solid_tests.hpp>
#include <talus/matter/models.hpp>

namespace talus::scene {
namespace {

std::unique_ptr<Input> first_material(Input& scene) {
  const auto name = scene.names("material", "materials of bodies").front();
  return scene.table("material", true, "materials of bodies")->table(name, true, "a material");
}
bool is_soil(Input& material) {
  return material.choice("model", matter::model_names(), std::nullopt, "constitutive model") == matter::DruckerPrager::name;
}

}  // namespace

template <int D>
void read_element_test(Input& scene, Input& in, const std::string& kind, lab::Experiment<D>& x) {
  if (x.method->has_grains() || x.state.particles.deviator.empty())
    in.fail("kind", "this test is of a solid as a continuum", "set method = \"sph\" and take a solid for its material");
  const auto stages = scene.tables("stage", "stages of the protocol, in order");
  const MaterialPath path = stages.empty() ? MaterialPath{} : lab::read_stage<D>(*stages.front())->settings.path;
  if (path.kind != (kind == "triaxial-element" ? Path::triaxial : Path::shear))
    in.fail("kind", "this test needs a first stage of kind element along its path", "see scenes/triaxial-element.toml");
  const auto material = first_material(scene);
  lab::Element e;
  e.confining = path.confining;
  e.strain = path.strain;
  e.steps = path.steps;
  if (is_soil(*material)) {
    const matter::DruckerPrager soil = matter::DruckerPrager::read(*material);
    if (soil.cohesion.points > 1 || soil.dilates > 0)
      in.fail("kind", "its closed form is for constant cohesion without dilation", "state one cohesion, and no dilation_angle");
    e.slope = soil.friction;
    e.height = soil.cohesion.height[0];
    e.shear = soil.shear;
    e.yields = soil.yields != 0;
  } else {
    e.shear = matter::Elastic::read(*material).shear;
    e.yields = false;
  }
  x.analysis = kind == "triaxial-element" ? lab::triaxial_element<D>(e) : lab::shear_element<D>(e);
}

template <int D>
void read_soil_test(Input& scene, Input& in, const std::string& kind, lab::Experiment<D>& x) {
  const auto material = first_material(scene);
  if (x.method->has_grains() || !is_soil(*material)) in.fail("kind", "this test is of soil as a continuum", "set method = \"sph\" and model = \"drucker-prager\"");
  const Vec<D> g = x.state.globals.gravity;
  if (!(g[D - 1] < 0)) in.fail("kind", "this test needs gravity on a floor", "set dynamics.gravity, and dynamics.incline");
  const Real friction = 3 * matter::DruckerPrager::read(*material).friction;
  if (kind == "slope") {
    x.analysis = lab::slope_analysis<D>({std::atan2(g[0], -g[D - 1]), friction, length(g)});
    return;
  }
  const auto& p = x.state.particles;
  const Real volume = p.mass[0] / p.density[0], spacing = D == 2 ? std::sqrt(volume) : std::cbrt(volume);
  if (kind == "landslide") {
    lab::Bench bench;
    bench.length = in.number("length", dim::length, Range::positive(), std::nullopt, "of the bench along x, from its back wall to its face");
    bench.height = in.number("height", dim::length, Range::positive(), std::nullopt, "of its upright face");
    bench.spacing = spacing;
    bench.friction = material->number("friction_angle", dim::angle, Range::below(0, pi / 2), std::nullopt, "angle of internal friction");
    bench.cohesion = material->numbers("cohesion", dim::pressure, Range::not_negative(), 0, std::vector<Real>{0}, "cohesion; a list: at cohesion_strain").front();
    bench.weight = -g[D - 1] * p.density[0];
    x.analysis = lab::bench_analysis<D>(bench);
    return;
  }
  if constexpr (D == 2)
    x.analysis = lab::pile_analysis({friction, spacing});
  else
    in.fail("kind", "this test is of the plane", "set dimension = 2");
}

template void read_soil_test(Input&, Input&, const std::string&, lab::Experiment<2>&);
template void read_soil_test(Input&, Input&, const std::string&, lab::Experiment<3>&);
template void read_element_test(Input&, Input&, const std::string&, lab::Experiment<2>&);
template void read_element_test(Input&, Input&, const std::string&, lab::Experiment<3>&);

}  // namespace talus::scene
