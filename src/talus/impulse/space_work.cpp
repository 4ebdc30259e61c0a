#include <talus/impulse/space_work.hpp>

#include <talus/exec/host.hpp>
#include <talus/impulse/space_solve.hpp>

namespace talus::impulse {

void SpaceWork::arrange(const std::vector<SpacePatch>& patches, const std::vector<SpaceMotion>& motions) {
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
  judged_.assign(strips_.groups(), {});
}

void SpaceWork::pose(const std::vector<SpacePatch>& patches, const std::vector<SpaceMotion>& motions) {
  exec::Host::for_each(patches.size(), [&](std::size_t i) {
    SpacePatch& p = patches_[place_[i]];
    p.target = patches[i].target;
    p.friction = patches[i].friction;
    before_[place_[i]] = p.impulse = patches[i].impulse;
  });
  take_velocities(motions);
}

void SpaceWork::pose_gaps(const std::vector<SpacePatch>& patches, const std::vector<SpaceMotion>& motions,
                          const std::vector<Three>& gaps) {
  exec::Host::for_each(patches.size(), [&](std::size_t i) {
    SpacePatch& p = patches_[place_[i]];
    p.target = {gaps[i].x, 0, 0};
    p.friction = 0;
    before_[place_[i]] = p.impulse = {};
  });
  take_velocities(motions);
  exec::Host::for_each(motions.size(), [&](std::size_t i) {
    bodies_[i].velocity = bodies_[i].spin = bodies_before_[i].velocity = bodies_before_[i].spin = {};
  });
}

void SpaceWork::take_velocities(const std::vector<SpaceMotion>& motions) { bodies_before_ = bodies_ = motions; }

std::size_t SpaceWork::hands() const { return strips_.count == 1 ? 1 : std::size_t(exec::threads()); }

Progress SpaceWork::sweep(const exec::Member& me, const Pace& pace, i64 number) {
  std::vector<Progress>& progress = progress_[number % 2];
  strips_.each_group(me, number, [&](u32 group) {
    if (group < strips_.count) go_on(group, pace.share);
    progress[group] = improve(group, pace);
  });
  Progress out;
  for (const Progress& of : progress) out.join(of);
  return out;
}

// Bodies go on as the impulses of their patches will.
void SpaceWork::go_on(u32 strip, Real share) {
  for (u32 k = strips_.body_start[strip]; k < strips_.body_start[strip + 1]; ++k) {
    SpaceMotion &now = bodies_[strips_.bodies[k]], &before = bodies_before_[strips_.bodies[k]];
    const SpaceMotion last = now;
    now.velocity += share * (last.velocity - before.velocity);
    now.spin += share * (last.spin - before.spin);
    before = last;
  }
}

Progress SpaceWork::improve(u32 group, const Pace& pace) {
  Progress out;
  for (u32 k = strips_.start[group]; k < strips_.start[group + 1]; ++k) {
    SpacePatch& patch = patches_[k];
    const Three last = patch.impulse, old = last + pace.share * (last - before_[k]);
    before_[k] = last;
    const Three alone = patch.velocities(bodies_[patch.a], bodies_[patch.b]) - patch.w * old;
    Three p = SpaceSolve(patch.w, patch.friction, alone).impulse();
    // Part of the way; but impulses that end go at once.
    if (pace.part < 1 && p.x > 0) p = old + pace.part * (p - old);
    const Three d = p - old;
    patch.impulse = p;
    push_bodies(patch, d, bodies_.data());
    out.join({dot(d, d), dot(d, p - last), {max(max(std::abs(d.x), std::abs(d.y)), std::abs(d.z)), p.x, u32(p.x > 0)}});
  }
  return out;
}

Real SpaceWork::residual(const exec::Member& me) {
  me.for_each(strips_.groups(), [&](std::size_t g) {
    Judgement here;
    for (u32 k = strips_.start[g]; k < strips_.start[g + 1]; ++k) {
      const SpacePatch& p = patches_[k];
      here.join({natural_map(p, p.velocities(bodies_[p.a], bodies_[p.b])), p.impulse.x, u32(p.impulse.x > 0)});
    }
    judged_[g] = here;
  });
  me.meet();
  Judgement out;
  for (const Judgement& of : judged_) out.join(of);
  return out.relative();
}

}  // namespace talus::impulse
