#pragma once
// A few convex grains and platens of the plane, before any method moves them. Materials: 0 the grains, 1 the platens.
#include <talus/sampling/assemble.hpp>

namespace talus::test {

struct BlockSample {
  Model<2> model;
  State<2> state;
  std::vector<sampling::Block> blocks;
  std::vector<sampling::PlacedWall<2>> platens;

  BlockSample() {
    model.pairs.resize(2);
    model.options.overlap_limit = 1;
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
  u32 grain(const Compound& compound, const Vec2& position, Real angle = 0, bool turns = true) {
    const u32 uid = grain(compound.whole, position, angle, turns);
    blocks.back().compound = compound;
    return uid;
  }
  void platen(const Vec2& point, const Vec2& normal) {
    platens.push_back({"platen " + std::to_string(platens.size()), point, WallPlane<2>::facing(normal), 1, {}});
  }
  void assemble() { sampling::assemble(model, state, blocks, platens); }

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
};

// How a run may be made without leaving a trace in its result.
struct Way {
  int threads = 1;
  Real skin = 0.2, random_rebuilds = 0, drop = 0;
  i64 at_once = 1;
};

}  // namespace talus::test
