#pragma once
// The mortar on the grains of a scene: how thick it is, and its law, one of coat_laws.hpp. The law is chosen once; steps ask it patch by patch.
#include <memory>

#include <talus/contact/coat_laws.hpp>

namespace talus::impulse {

// A law in one step of a stated length.
class CoatStep {
 public:
  virtual ~CoatStep() = default;
  virtual Soft<3> soften(const PatchTouch<3>& touch, const RelaxationMemory& memory) const = 0;
  virtual void advance(const PatchTouch<3>& touch, const Vec3& velocity, RelaxationMemory& memory) const = 0;
};

class CoatModel {
 public:
  explicit CoatModel(Real thick) : thickness(thick) {}
  virtual ~CoatModel() = default;
  virtual std::unique_ptr<const CoatStep> over(Real dt) const = 0;

  const Real thickness;  // m, on each grain; walls are bare
};

// One law of the list in steps, and as a model.
template <class L>
class CoatStepOf final : public CoatStep {
 public:
  explicit CoatStepOf(const typename L::Step& step) : step_(step) {}
  Soft<3> soften(const PatchTouch<3>& touch, const RelaxationMemory& memory) const override { return L::soften(step_, touch, {}, memory); }
  void advance(const PatchTouch<3>& touch, const Vec3& velocity, RelaxationMemory& memory) const override {
    L::advance(step_, touch, velocity, memory);
  }

 private:
  typename L::Step step_;
};
template <class L>
class CoatModelOf final : public CoatModel {
 public:
  CoatModelOf(Real thick, const typename L::Params& params) : CoatModel(thick), params_(params) {}
  std::unique_ptr<const CoatStep> over(Real dt) const override {
    return std::make_unique<CoatStepOf<L>>(L::over(params_, {dt, params_.temperature, 1}));
  }

 private:
  typename L::Params params_;
};
template <class L>
std::shared_ptr<const CoatModel> coat_of(Real thickness, const typename L::Params& params) {
  return std::make_shared<CoatModelOf<L>>(thickness, params);
}

// Reads law, thickness and constants; nothing where grains are bare.
std::shared_ptr<const CoatModel> read_coat(Input& in);

}  // namespace talus::impulse
