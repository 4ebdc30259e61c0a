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
  // Returns the force on the first body.
  virtual Vec3 advance(const PatchTouch<3>& touch, const Vec3& velocity, RelaxationMemory& memory) const = 0;
};

// The mortar on each grain; walls are bare.
struct CoatSize {
  Real thickness = 0;  // m; 0: there is none
  Real area = 0;       // m^2, of every contact; 0: as the coats meet
};

class CoatModel {
 public:
  explicit CoatModel(const CoatSize& of) : size(of) {}
  virtual ~CoatModel() = default;
  virtual std::unique_ptr<const CoatStep> over(Real dt) const = 0;

  const CoatSize size;
};

// One law of the list in steps, and as a model.
template <class L>
class CoatStepOf final : public CoatStep {
 public:
  explicit CoatStepOf(const typename L::Step& step) : step_(step) {}
  Soft<3> soften(const PatchTouch<3>& touch, const RelaxationMemory& memory) const override { return L::soften(step_, touch, {}, memory); }
  Vec3 advance(const PatchTouch<3>& touch, const Vec3& velocity, RelaxationMemory& memory) const override {
    return L::advance(step_, touch, velocity, memory);
  }

 private:
  typename L::Step step_;
};
template <class L>
class CoatModelOf final : public CoatModel {
 public:
  CoatModelOf(const CoatSize& of, const typename L::Params& params) : CoatModel(of), params_(params) {}
  std::unique_ptr<const CoatStep> over(Real dt) const override {
    return std::make_unique<CoatStepOf<L>>(L::over(params_, {dt, params_.temperature, 1}));
  }

 private:
  typename L::Params params_;
};
template <class L>
std::shared_ptr<const CoatModel> coat_of(const CoatSize& size, const typename L::Params& params) {
  return std::make_shared<CoatModelOf<L>>(size, params);
}

// Reads thickness and constants of a law of coat_laws.hpp; nothing where it is another one.
std::shared_ptr<const CoatModel> read_coat(Input& in, const std::string& law);

}  // namespace talus::impulse
