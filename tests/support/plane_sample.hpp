#pragma once
// A few convex grains and platens of the plane under contact dynamics.
#include <talus/impulse/step.hpp>

#include "block_sample.hpp"

namespace talus::test {

struct PlaneSample : BlockSample {
  impulse::Scratch scratch;
  impulse::StepReport last;  // of the last step

  PlaneSample(Real density, Real friction, Real platen_friction, Real restitution = 0) {
    model.materials = {{"grain", density, 0, 0, friction, restitution, 0, true},
                       {"platen", 0, 0, 0, platen_friction, restitution, 0, true}};
    model.pairs.set(0, 0, PairCoefficients{friction, restitution, 0});
    model.pairs.set(0, 1, PairCoefficients{platen_friction, restitution, 0});
    model.dynamics.tolerance = 1e-13;
  }
  void step(Real dt) {
    state.globals.dt = dt;
    last = impulse::step(model, state, scratch);
  }
};

}  // namespace talus::test
