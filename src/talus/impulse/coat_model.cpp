#include <talus/impulse/coat_model.hpp>

namespace talus::impulse {

std::shared_ptr<const CoatModel> read_coat(Input& in, const std::string& law) {
  const Real thickness = in.number("coat", dim::length, Range::not_negative(), 0.0, "thickness of the mortar on each grain");
  const Real area = in.number("coat_area", dim::area, Range::not_negative(), 0.0, "area of every contact of mortar; 0: as the coats meet");
  const CoatParams params = CoatParams::read(in);  // the same scene runs with and without a law
  if (params.friction > 0) in.fail("coat_friction", "the solver in space has no friction of coats yet", "leave it out");
  if (params.elongation > 0) in.fail("elongation", "coats in space let go when they part", "leave it out");
  std::shared_ptr<const CoatModel> out;
  for_each_coat_law([&]<std::size_t K>() {
    using L = std::tuple_element_t<K, CoatLaws<3>>;
    if (L::name == law) out = coat_of<L>({thickness, area}, params);
  });
  if (out && !(thickness > 0)) in.fail("coat", "a law of the mortar needs mortar on the grains", "coat = \"0.44 mm\", or law = \"none\"");
  return out;
}

}  // namespace talus::impulse
