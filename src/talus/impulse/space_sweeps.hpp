#pragma once
// The contacts of a step in space as sweeps want them: strip by strip, one after the other. What `PackedSweeps` is in the plane,
// without lanes.
#include <vector>

#include <talus/impulse/progress.hpp>
#include <talus/impulse/space_patch.hpp>
#include <talus/impulse/strips.hpp>

namespace talus::impulse {

class SpaceSweeps {
 public:
  void arrange(const std::vector<SpacePatch>& patches, const std::vector<SpaceMotion>& motions);
  void pose(const std::vector<SpacePatch>& patches, const std::vector<SpaceMotion>& motions);
  // x of each gap; the other two do not count.
  void pose_gaps(const std::vector<SpacePatch>& patches, const std::vector<SpaceMotion>& motions,
                 const std::vector<PatchVec>& gaps);
  Progress sweep(const exec::Member& me, const Extrapolation& extrapolation, i64 number);
  Real residual(const exec::Member& me);
  std::size_t workers() const;
  PatchVec impulse_of(std::size_t patch) const { return patches_[place_[patch]].impulse; }
  SpaceMotion motion_of(std::size_t body) const { return {bodies_[body].velocity, bodies_[body].spin, 0, {}}; }
  void take_velocities(const std::vector<SpaceMotion>& motions);

 private:
  Progress improve(u32 group, const Extrapolation& extrapolation);
  void go_on(u32 strip, Real share);

  Strips strips_;
  std::vector<SpacePatch> patches_;  // in the order of strips
  std::vector<u32> place_;           // of a patch, there
  std::vector<PatchVec> before_;     // impulses after the sweep before
  std::vector<SpaceMotion> bodies_, bodies_before_;
  std::vector<Progress> progress_[2];  // of each group; one is read while the next sweep fills the other
  std::vector<Residual> residuals_;
};

}  // namespace talus::impulse
