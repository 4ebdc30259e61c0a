#pragma once
// The patches of a step as sweeps want them: colour by colour, eight to a block, the same number of all eight side by side,
// so that a vector register takes several patches at once. Eight does not depend on the registers: sums over blocks have
// one shape on every machine.
//
// Spins and moment arms are scaled by radii of gyration: then a body has one inverse mass and is four numbers. A patch whose
// body cannot be moved has a copy of that body to itself, as have the empty patches that fill up the last block of a
// colour: so any body may be written without asking.
#include <vector>

#include <talus/exec/team.hpp>
#include <talus/impulse/patch.hpp>

namespace talus::impulse {

struct Carrier {  // a body
  Real vx = 0, vy = 0, spin = 0, inverse_mass = 0;
};

struct alignas(64) Block {
  static constexpr std::size_t size = 8;
  enum Row {
    normal,                  // 2 rows
    arm_a = normal + 2,      // 3: moment arms of the three impulses
    arm_b = arm_a + 3,       // 3
    target = arm_b + 3,      // 3
    friction = target + 3,   // 1
    impulse = friction + 1,  // 3
    before = impulse + 3,    // 3: what they were after the sweep before
    push = before + 3,       // 6: the elimination of the case that held last
    slide = push + 6,        // 1
    stick = slide + 1,       // 1
    rows = stick + 1
  };
  Real row[rows][size];
  u32 a[size], b[size];
  u32 number[size];  // of the case that held last
  i32 bits[size];    // what it means
  u32 points[size];  // 0: an empty patch
};

// What a sweep did, (N s)^2.
struct Progress {
  Real change = 0;  // square of what it changed
  Real along = 0;   // product with the way that impulses have gone: negative when it turned back
};
// What the residual is made of. The numbers of a block lie close together: every thread reads those of all blocks, and what
// another thread has just written is slow to read.
struct Judgement {
  Real normal = 0, worst = 0;
  u32 pushing = 0;
};

// What a sweep did is known to every member of the team that makes it.
class Patchwork {
 public:
  // Compliances of the patches are not needed. One body of each patch at least must be movable.
  Patchwork(const std::vector<Patch>& patches, const std::vector<Motion>& bodies);

  // Goes on by `share` of what the last sweep changed, then improves every patch once.
  Progress sweep(const exec::Member& me, Real share);
  // Largest natural map over the mean normal impulse: what `impulse::residual` tells.
  Real residual(const exec::Member& me);
  std::size_t hands() const;  // threads that are worth their while
  Three impulse_of(std::size_t patch) const;
  void take_velocities(const std::vector<Motion>& motions);

 private:
  void number_bodies(const std::vector<Patch>& patches, const std::vector<Motion>& motions,
                     const std::vector<u32>& bands);
  u32 copy_of(const Carrier& body);
  void fill(u32 place, const Patch& p, const std::vector<Motion>& motions);

  std::vector<Block> blocks_;
  std::vector<u32> start_;                // first block of each colour, one more at the end
  std::vector<u32> place_;                // of a patch: eight times the block plus the lane
  std::vector<u32> carrier_;              // of a body: those of neighbours lie near one another
  std::vector<Carrier> bodies_, before_;  // now, and after the sweep before; then copies
  std::vector<Real> spin_scale_;          // square root of mass over inertia; 0: it cannot be turned
  std::vector<Progress> progress_;        // of each block
  std::vector<Judgement> judged_;
};

}  // namespace talus::impulse
