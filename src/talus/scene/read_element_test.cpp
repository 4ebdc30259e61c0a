#include <talus/scene/read_element_test.hpp>

#include <talus/lab/element_analysis.hpp>
#include <talus/matter/models.hpp>

namespace talus::scene {

template <int D>
void read_element_test(Input& scene, Input& in, const std::string& kind, lab::Experiment<D>& x) {
  if (x.method->has_grains() || x.state.particles.deviator.empty())
    in.fail("kind", "this test is of a solid as a continuum", "set method = \"sph\" and take a solid for its material");
  const auto stages = scene.tables("stage", "what is done to the sample, in order");
  const MaterialPath path = stages.empty() ? MaterialPath{} : lab::read_stage<D>(*stages.front())->settings.path;
  if (path.kind != (kind == "triaxial-element" ? Path::triaxial : Path::shear))
    in.fail("kind", "this test needs a first stage of kind element along its path", "see scenes/triaxial-element.toml");
  const auto name = scene.names("material", "materials of bodies").front();
  const auto material = scene.table("material", true, "materials of bodies")->table(name, true, "a material");
  lab::Element e;
  e.confining = path.confining;
  e.strain = path.strain;
  e.steps = path.steps;
  if (material->choice("model", matter::model_names(), std::nullopt, "constitutive model") == matter::DruckerPrager::name) {
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

template void read_element_test(Input&, Input&, const std::string&, lab::Experiment<2>&);
template void read_element_test(Input&, Input&, const std::string&, lab::Experiment<3>&);

}  // namespace talus::scene
