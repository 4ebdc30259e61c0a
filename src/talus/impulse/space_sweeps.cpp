#include <talus/impulse/space_sweeps.hpp>

#include <talus/exec/host.hpp>
#include <talus/impulse/space_solve.hpp>

namespace talus::impulse {

void SpaceSweeps::arrange(const std::vector<SpacePatch>& patches, const std::vector<SpaceMotion>& motions) {
  strips_.cut(patches, motions);
  patches_.resize(patches.size());
  place_.resize(patches.size());
  before_.resize(patches.size());
  exec::Host::for_each(patches.size(), [&](std::size_t k) {
    const SpacePatch& p = patches[strips_.order[k]];
    place_[strips_.order[k]] = u32(k);
    patches_[k] = p;
    patches_[k].w = p.compliance(motions[p.a], motions[p.b]);
  });
  for (auto& progress : progress_) progress.assign(strips_.groups(), {});
  residuals_.assign(strips_.groups(), {});
}

void SpaceSweeps::pose(const std::vector<SpacePatch>& patches, const std::vector<SpaceMotion>& motions) {
  exec::Host::for_each(patches.size(), [&](std::size_t i) {
    SpacePatch& p = patches_[place_[i]];
    p.bias = patches[i].bias;
    p.friction = patches[i].friction;
    p.softness = patches[i].softness;
    before_[place_[i]] = p.impulse = patches[i].impulse;
  });
  take_velocities(motions);
}

void SpaceSweeps::pose_gaps(const std::vector<SpacePatch>& patches, const std::vector<SpaceMotion>& motions,
                            const std::vector<PatchVec>& gaps) {
  exec::Host::for_each(patches.size(), [&](std::size_t i) {
    SpacePatch& p = patches_[place_[i]];
    p.bias = {gaps[i].x, 0, 0};
    p.friction = 0;
    for (int j = 0; j < 3; ++j) p.w(j, j) -= p.softness[j];
    p.softness = {};
    before_[place_[i]] = p.impulse = {};
  });
  take_velocities(motions);
  exec::Host::for_each(motions.size(), [&](std::size_t i) {
    bodies_[i].velocity = bodies_[i].spin = bodies_before_[i].velocity = bodies_before_[i].spin = {};
  });
}

void SpaceSweeps::take_velocities(const std::vector<SpaceMotion>& motions) { bodies_before_ = bodies_ = motions; }

std::size_t SpaceSweeps::workers() const { return strips_.count == 1 ? 1 : std::size_t(exec::threads()); }

Progress SpaceSweeps::sweep(const exec::Member& me, const Extrapolation& extrapolation, i64 number) {
  std::vector<Progress>& progress = progress_[number % 2];
  strips_.each_group(me, number, [&](u32 group) {
    if (group < strips_.count) go_on(group, extrapolation.share);
    progress[group] = improve(group, extrapolation);
  });
  Progress out;
  for (const Progress& of : progress) out.join(of);
  return out;
}

// Bodies go on as the impulses of their patches will.
void SpaceSweeps::go_on(u32 strip, Real share) {
  for (u32 k = strips_.body_start[strip]; k < strips_.body_start[strip + 1]; ++k) {
    SpaceMotion &now = bodies_[strips_.bodies[k]], &before = bodies_before_[strips_.bodies[k]];
    const SpaceMotion last = now;
    now.velocity += share * (last.velocity - before.velocity);
    now.spin += share * (last.spin - before.spin);
    before = last;
  }
}

Progress SpaceSweeps::improve(u32 group, const Extrapolation& extrapolation) {
  Progress out;
  for (u32 k = strips_.start[group]; k < strips_.start[group + 1]; ++k) {
    SpacePatch& patch = patches_[k];
    const PatchVec last = patch.impulse, old = last + extrapolation.share * (last - before_[k]);
    before_[k] = last;
    const PatchVec alone = patch.velocities(bodies_[patch.a], bodies_[patch.b]) + each(patch.softness, old) - patch.w * old;
    PatchVec p = SpaceSolve(patch.w, patch.friction, alone).impulse();
    // Part of the way; but impulses that end go at once.
    if (extrapolation.part < 1 && p.x > 0) p = old + extrapolation.part * (p - old);
    const PatchVec d = p - old;
    patch.impulse = p;
    push_bodies(patch, d, bodies_.data());
    out.join({dot(d, d), dot(d, p - last), {max(max(std::abs(d.x), std::abs(d.y)), std::abs(d.z)), p.x, u32(p.x > 0)}});
  }
  return out;
}

Real SpaceSweeps::residual(const exec::Member& me) {
  me.for_each(strips_.groups(), [&](std::size_t g) {
    Residual here;
    for (u32 k = strips_.start[g]; k < strips_.start[g + 1]; ++k) {
      const SpacePatch& p = patches_[k];
      here.join({natural_map(p, p.yielding(bodies_[p.a], bodies_[p.b])), p.impulse.x, u32(p.impulse.x > 0)});
    }
    residuals_[g] = here;
  });
  me.wait_for_all();
  Residual out;
  for (const Residual& of : residuals_) out.join(of);
  return out.relative();
}

}  // namespace talus::impulse
