#pragma once
// A few convex grains and platens of the plane under the explicit method.
#include <talus/dem/polygons.hpp>
#include <talus/measure/energy.hpp>
#include <talus/contact/laws.hpp>

#include "block_sample.hpp"

namespace talus::test {

struct SoftSample : BlockSample {
  dem::StepOptions options;
  dem::polygons::Scratch scratch;
  dem::StepReport last;

  // Law: linear.
  SoftSample(Real density, Real stiffness, Real shear_ratio, Real friction, Real restitution) {
    model.materials = {{"grain", density, 0, 0, friction, restitution, 0, false},
                       {"platen", 0, 0, 0, friction, restitution, 0, true}};
    const Linear<2>::Params law{stiffness, shear_ratio * stiffness, damping_ratio(restitution), friction};
    model.pairs.set<law_index<Linear<2>>>(0, 0, law);
    model.pairs.set<law_index<Linear<2>>>(0, 1, law);
    model.options.skin = 0.2;
  }
  void prepare(Real dt) {
    state.globals.dt = dt;
    last = dem::polygons::prepare(model, options, state, scratch);
  }
  void step(i64 steps = 1) { last = dem::polygons::step(model, options, state, scratch, steps); }

  ContactList<2> contacts() const { return dem::polygons::contacts(model, state, scratch); }
  measure::Energy energy() const { return measure::energy(state, contacts()); }
};

}  // namespace talus::test
