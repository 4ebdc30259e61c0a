#pragma once
// A few convex grains and platens of the plane under contact dynamics.
#include <talus/impulse/step.hpp>
#include <talus/sampling/assemble.hpp>

namespace talus::test {

struct PlaneSample {
  Model<2> model;
  State<2> state;
  impulse::Scratch scratch;
  impulse::StepReport last;  // of the last step
  std::vector<sampling::Block> blocks;
  std::vector<sampling::Plane<2>> platens;

  // Materials: 0 the grains, 1 the platens.
  PlaneSample(Real density, Real friction, Real platen_friction, Real restitution = 0) {
    model.materials = {{"grain", density, 0, 0, friction, restitution, 0, true},
                       {"platen", 0, 0, 0, platen_friction, restitution, 0, true}};
    model.pairs.resize(2);
    model.pairs.set(0, 0, PairCoefficients{friction, restitution, 0});
    model.pairs.set(0, 1, PairCoefficients{platen_friction, restitution, 0});
    model.options.overlap_limit = 1;
    model.dynamics.tolerance = 1e-13;
    for (int k = 0; k < 2; ++k) {
      state.globals.cell.h(k, k) = 100;
      state.globals.cell.periodic[k] = 0;
    }
  }
  u32 grain(const Polygon& shape, const Vec2& position, bool turns = true) {
    sampling::Block block;
    block.shape = shape;
    block.position = position;
    block.turns = turns;
    blocks.push_back(block);
    return u32(blocks.size() - 1);
  }
  void platen(const Vec2& point, const Vec2& normal) {
    platens.push_back({"platen " + std::to_string(platens.size()), point, normal, 1, {}});
  }
  void assemble() { sampling::assemble(model, state, blocks, platens); }

  void step(Real dt) {
    state.globals.dt = dt;
    last = impulse::step(model, state, scratch);
  }

  std::size_t index(u32 uid) const {
    std::size_t i = 0;
    while (state.bodies.uid[i] != uid) ++i;
    return i;
  }
  Vec2& velocity(u32 uid) { return state.bodies.velocity[index(uid)]; }
  Real& spin(u32 uid) { return state.bodies.spin[index(uid)].x; }
  const Vec2& position(u32 uid) const { return state.bodies.position[index(uid)]; }
  // Of the grains on a platen, N.
  Vec2 push(std::size_t platen) const { return state.bodies.force[state.grains() + platen]; }
};

}  // namespace talus::test
