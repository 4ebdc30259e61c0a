#pragma once
// A few convex grains and platens of the plane under the explicit method.
#include <talus/dem/polygons.hpp>
#include <talus/measure/energy.hpp>
#include <talus/sampling/assemble.hpp>

namespace talus::test {

struct SoftSample {
  Model<2> model;
  State<2> state;
  dem::polygons::Scratch scratch;
  dem::StepReport last;
  std::vector<sampling::Block> blocks;
  std::vector<sampling::Plane<2>> platens;

  // Materials: 0 the grains, 1 the platens. Law: linear.
  SoftSample(Real density, Real stiffness, Real shear_ratio, Real friction, Real restitution) {
    model.materials = {{"grain", density, 0, 0, friction, restitution, 0, false},
                       {"platen", 0, 0, 0, friction, restitution, 0, true}};
    model.pairs.resize(2);
    const Linear<2>::Params law{stiffness, shear_ratio * stiffness, damping_ratio(restitution), friction};
    model.pairs.set<1>(0, 0, law);
    model.pairs.set<1>(0, 1, law);
    model.options.overlap_limit = 1;
    model.options.skin = 0.2;
    for (int k = 0; k < 2; ++k) {
      state.globals.cell.h(k, k) = 100;
      state.globals.cell.periodic[k] = 0;
    }
  }
  u32 grain(const Polygon& shape, const Vec2& position, Real angle = 0, bool turns = true) {
    sampling::Block block;
    block.shape = shape;
    block.position = position;
    block.angle = angle;
    block.turns = turns;
    blocks.push_back(block);
    return u32(blocks.size() - 1);
  }
  void platen(const Vec2& point, const Vec2& normal) {
    platens.push_back({"platen " + std::to_string(platens.size()), point, normal, 1, {}});
  }
  void assemble() { sampling::assemble(model, state, blocks, platens); }

  void prepare(Real dt) {
    state.globals.dt = dt;
    last = dem::polygons::prepare(model, state, scratch);
  }
  void step(i64 steps = 1) { last = dem::polygons::step(model, state, scratch, steps); }

  std::size_t index(u32 uid) const {
    std::size_t i = 0;
    while (state.bodies.uid[i] != uid) ++i;
    return i;
  }
  Vec2& velocity(u32 uid) { return state.bodies.velocity[index(uid)]; }
  Real& spin(u32 uid) { return state.bodies.spin[index(uid)].x; }
  Vec2& position(u32 uid) { return state.bodies.position[index(uid)]; }
  Real& angle(u32 uid) { return state.bodies.turn[index(uid)].x; }
  Vec2 force(u32 uid) const { return state.bodies.force[index(uid)]; }
  Real torque(u32 uid) const { return state.bodies.torque[index(uid)].x; }
  // Of the grains on a platen, N.
  Vec2 push(std::size_t platen) const { return state.bodies.force[state.grains() + platen]; }

  ContactList<2> contacts() const { return dem::polygons::contacts(model, state, scratch); }
  measure::Energy energy() const { return measure::energy(state, contacts()); }
};

}  // namespace talus::test
