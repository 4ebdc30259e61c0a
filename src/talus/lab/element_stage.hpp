#pragma once
// Deforms each piece of matter on its own along a given path, as if there were no neighbours: the response of a constitutive model.
#include <string>

#include <talus/lab/stage.hpp>

namespace talus::lab {

template <int D>
class ElementTest final : public Stage<D> {
 public:
  static std::unique_ptr<Stage<D>> read(Input& in) {
    auto s = std::make_unique<ElementTest>();
    s->traits.needs_contacts = false;
    s->traits.needs_matter = true;
    MaterialPath& path = s->settings.path;
    path.kind = in.choice("path", {"triaxial", "shear"}, std::nullopt,
                          "triaxial: shortened along the last axis, the sides under the confining pressure; shear: along x over y, at "
                          "constant volume and the confining pressure") == "triaxial"
                    ? Path::triaxial
                    : Path::shear;
    path.confining = in.number("confining", dim::pressure, Range::not_negative(), std::nullopt, "pressure at the start; triaxial: of the sides");
    path.strain = in.number("strain", dim::none, Range::positive(), std::nullopt, "at the end: axial shortening, or engineering shear");
    path.steps = in.integer("increments", 1, 100000000, 1000, "equal steps to that strain");
    s->traits.exact_steps = path.steps;
    return s;
  }
  bool done(const Observation<D>& seen) const override { return seen.stage_steps() >= this->settings.path.steps; }
  double progress(const Observation<D>& seen) const override { return double(seen.stage_steps()) / double(this->settings.path.steps); }
  double expected_steps(const Model<D>&, const State<D>&) const override { return double(this->settings.path.steps); }
};

}  // namespace talus::lab
