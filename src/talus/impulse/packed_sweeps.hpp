#pragma once
// The patches of a step as sweeps want them: strip by strip, colour by colour, eight to a block, the same number of all eight side by side,
// so that a vector register takes several patches at once. Eight does not depend on the registers: sums over blocks have
// one shape on every machine.
//
// Spins and moment arms are scaled by radii of gyration: then a body has one inverse mass and is four numbers. A patch whose
// body cannot be moved has a copy of that body to itself, as have the empty patches that fill up the last block of a
// colour: so any body may be written without asking.
#include <vector>

#include <talus/exec/team.hpp>
#include <talus/impulse/patch.hpp>
#include <talus/impulse/progress.hpp>
#include <talus/impulse/strips.hpp>

namespace talus::impulse {

struct BodyVelocity {  // a body
  Real vx = 0, vy = 0, spin = 0, inverse_mass = 0;
};

struct alignas(64) Block {
  static constexpr std::size_t size = 8;
  enum Row {
    normal,                  // 2 rows
    arm_a = normal + 2,      // 3: moment arms of the three impulses
    arm_b = arm_a + 3,       // 3
    bias = arm_b + 3,        // 3
    friction = bias + 3,     // 1
    softness = friction + 1, // 3
    impulse = softness + 3,  // 3
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
  bool idle;         // none of its patches pushed in the last sweep or has begun to
};

// What a sweep did is known to every member of the team that makes it.
class PackedSweeps {
 public:
  // Who lies where. One body of each patch at least must be movable.
  void arrange(const std::vector<Patch>& patches, const std::vector<Motion>& motions);
  // The problem of velocities. Compliances of the patches are not needed.
  void pose(const std::vector<Patch>& patches, const std::vector<Motion>& motions);
  // The problem of overlaps, of the same patches: gaps for velocities, from rest and without friction.
  void pose_gaps(const std::vector<Patch>& patches, const std::vector<Motion>& motions,
                 const std::vector<PatchVec>& gaps);

  // Improves every patch once. `number`: of the sweep.
  Progress sweep(const exec::Member& me, const Extrapolation& extrapolation, i64 number);
  // Largest natural map over the mean normal impulse: what `impulse::residual` tells.
  Real residual(const exec::Member& me);
  std::size_t workers() const;  // threads that are worth their while
  PatchVec impulse_of(std::size_t patch) const;
  Motion motion_of(std::size_t body) const;  // velocity and spin alone
  void take_velocities(const std::vector<Motion>& motions);

 private:
  struct Group {
    u32 first_block = 0, blocks = 0;
    u32 first_copy = 0, copies = 0;  // bodies
    std::vector<u32> colour_start;   // first block of each colour, counted from that of the group
  };
  void colour_group(u32 group, const std::vector<Patch>& patches, const std::vector<Motion>& motions);
  void colour_left_over(const std::vector<Patch>& patches, const std::vector<Motion>& motions);
  void count_blocks(Group& group, const std::vector<u32>& patches_of_colour);
  void settle(u32 group, const std::vector<Patch>& patches, const std::vector<Motion>& motions);
  void fill(u32 place, const Patch& p, const std::vector<Motion>& motions);

  Strips strips_;
  std::vector<Group> groups_;
  std::vector<Block> blocks_;
  std::vector<u32> place_;      // of a patch: eight times the block plus the lane
  std::vector<u32> body_slot_;  // of a body: those of a strip lie side by side; Strips::none: no patch moves it
  std::vector<BodyVelocity> bodies_, before_;  // now, and after the sweep before; then copies
  std::vector<Real> spin_scale_;               // square root of mass over inertia; 0: it cannot be turned
  std::vector<u64> taken_;                     // colours of a body, for insides, even seams and odd seams
  std::vector<u32> colour_;                    // of a place in the order of strips
  std::vector<Progress> progress_[2];          // of each group; one is read while the next sweep fills the other
  std::vector<Residual> residuals_;
};

}  // namespace talus::impulse
