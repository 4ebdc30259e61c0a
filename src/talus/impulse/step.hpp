#pragma once
// One step of contact dynamics in the plane: Moreau's time stepping. Velocities jump, positions follow them; the list of
// stages is in step.cpp.
#include <talus/impulse/solver.hpp>
#include <talus/state/model.hpp>
#include <talus/state/state.hpp>

namespace talus::impulse {

enum Status : u32 {
  fine = 0,
  not_finite = 1,        // a position or velocity is NaN or infinite
  deep_overlap = 2,      // an overlap exceeded the limit of the options
  too_many_periods = 8,  // a body is more than 16000 periods from the cell
  too_fast = 16          // bodies could pass through one another within a step
};

// May be dropped between any two steps.
struct Scratch {
  bool valid = false;
  // Pairs that may touch before the next search, in order of keys.
  Column<RowKey> key;
  Column<u32> body_a, body_b;
  Column<Vec2> reference;  // positions at the last search, as fractions of the cell
  Mat<2> reference_h{};
  Real skin = 0, largest_radius = 0, least_radius = 0;
  i64 searches = 0;
  // Of the last step, in order of keys.
  std::vector<Patch> patches;
  std::vector<RowKey> patch_key;
  std::vector<Vec<2, u32>> patch_feature;
  std::vector<Motion> motion;  // of the bodies, in their order
};

struct StepReport {
  u32 status = fine;
  i64 sweeps = 0;     // of all steps
  i64 capped = 0;     // steps that were not solved
  Real residual = 0;  // the largest
  Real overlap = 0;   // the largest over the radius of the smaller body
};

StepReport step(const Model<2>& model, State<2>& state, Scratch& scratch, i64 steps = 1);

}  // namespace talus::impulse
