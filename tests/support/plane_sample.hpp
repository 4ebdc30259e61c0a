#pragma once
// A few convex grains and platens of the plane under contact dynamics.
#include <gtest/gtest.h>

#include <talus/impulse/step.hpp>

#include "block_sample.hpp"

namespace talus::test {

struct PlaneSample : BlockSample {
  impulse::StepOptions options;
  impulse::Scratch scratch;
  impulse::StepReport last;  // of the last step

  PlaneSample(Real density, Real friction, Real platen_friction, Real restitution = 0) {
    model.materials = {{"grain", density, 0, 0, friction, restitution, 0, true},
                       {"platen", 0, 0, 0, platen_friction, restitution, 0, true}};
    model.pairs.set(0, 0, PairCoefficients{friction, restitution, 0});
    model.pairs.set(0, 1, PairCoefficients{platen_friction, restitution, 0});
    options.tolerance = 1e-13;
  }
  void step(Real dt) {
    state.globals.dt = dt;
    last = impulse::step(model, options, state, scratch);
  }
};

// Whether the first grain has begun to turn over, clockwise, after half a second.
inline void expect_tips(PlaneSample& s, bool tips) {
  for (int n = 0; n < 50; ++n) s.step(0.01);
  if (tips)
    EXPECT_LT(s.spin(0), -1e-3);
  else
    EXPECT_NEAR(s.spin(0), 0, 1e-12);
}

}  // namespace talus::test
