#pragma once
// The step of material points: to the grid, forces, walls, back (docs/design/062-mpm.md).
#include <talus/continuum/limits.hpp>
#include <talus/mpm/grid.hpp>
#include <talus/mpm/options.hpp>

namespace talus::mpm {

// Of a node. It lives as long as a step.
template <int D>
struct Node {
  Real mass = 0;      // kg
  Vec<D> before{};    // m/s, of the particles
  Vec<D> velocity{};  // m/s, at the end of the step
};

// A particle as its nodes read it.
template <int D>
struct Load {
  Spline<D> spline;
  Mat<D> stress{};     // J, of its volume: Cauchy's stress times the volume
  Vec<D> velocity{};   // m/s
  Real mass = 0;       // kg
  Vec<D, i64> near{};  // node
};

// A node behind a wall.
template <int D>
struct Behind {
  u32 node, wall;
  u32 sticks;     // 1: nothing slips along it
  Vec<D> normal;  // into the sample
};

// What may be dropped between two steps.
template <int D>
struct Scratch {
  Grid<D> grid;
  Column<u32> start, who;  // particles whose nearest node is g: who[start[g]] to who[start[g + 1]], in order of uid
  Column<Load<D>> loads;
  Column<Node<D>> nodes;
  Column<Behind<D>> behind;  // in order of node and wall
};

// Pressures of particles as they lie.
template <int D>
continuum::StepReport prepare(const Options<D>& options, const Model<D>& model, State<D>& state, Scratch<D>& scratch);

// After a resume: the grid, and its nodes behind walls.
template <int D>
void rebuild(const Options<D>& options, const Model<D>& model, State<D>& state, Scratch<D>& scratch);

// So many steps, fewer if a check fails. Particles stay in the order of uid.
template <int D>
continuum::StepReport advance(const Options<D>& options, const Model<D>& model, State<D>& state, Scratch<D>& scratch, i64 steps);

}  // namespace talus::mpm
