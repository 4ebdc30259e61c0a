#include <talus/impulse/packed_sweeps.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include <talus/exec/host.hpp>
#include <talus/impulse/block_kernels.hpp>
#include <talus/impulse/colour.hpp>
#include <talus/impulse/local_solve.hpp>

namespace talus::impulse {

using exec::Host;
using namespace kernels;

void PackedSweeps::arrange(const std::vector<Patch>& patches, const std::vector<Motion>& motions) {
  strips_.cut(patches, motions);
  body_slot_.assign(motions.size(), Strips::none);
  for (std::size_t k = 0; k < strips_.bodies.size(); ++k) body_slot_[strips_.bodies[k]] = u32(k);
  spin_scale_.resize(motions.size());
  Host::for_each(motions.size(), [&](std::size_t i) {
    const Motion& m = motions[i];
    spin_scale_[i] = m.inverse_mass > 0 ? std::sqrt(m.inverse_inertia / m.inverse_mass) : 0;
  });

  groups_.resize(strips_.groups());
  place_.resize(patches.size());
  colour_.resize(patches.size());
  taken_.assign(3 * motions.size(), 0);
  Host::for_each(
      strips_.left_over(), [&](std::size_t g) { colour_group(u32(g), patches, motions); }, 1);
  colour_left_over(patches, motions);
  u32 block = 0, copy = u32(strips_.bodies.size());
  for (Group& group : groups_) {
    group.first_block = block;
    group.first_copy = copy;
    block += group.blocks;
    copy += group.copies;
  }
  blocks_.resize(block);
  bodies_.resize(copy);
  before_.resize(copy);
  for (auto& progress : progress_) progress.assign(groups_.size(), {});  // a group without blocks is never asked
  residuals_.assign(groups_.size(), {});
  Host::for_each(
      groups_.size(), [&](std::size_t g) { settle(u32(g), patches, motions); }, 1);
}

// Greedy, in the order given. Insides share no body with one another, nor do even seams, nor odd ones.
void PackedSweeps::colour_group(u32 number, const std::vector<Patch>& patches, const std::vector<Motion>& motions) {
  const bool inside = number < strips_.count;
  u64* taken = taken_.data() + (inside ? 0 : 1 + (number - strips_.count) % 2) * motions.size();
  std::vector<u32> count;
  for (u32 k = strips_.start[number]; k < strips_.start[number + 1]; ++k) {
    const Patch& p = patches[strips_.order[k]];
    const bool a = moves(motions[p.a]), b = moves(motions[p.b]);
    const auto colour = u32(std::countr_one((a ? taken[p.a] : 0) | (b ? taken[p.b] : 0)));
    if (a) taken[p.a] |= u64(1) << colour;
    if (b) taken[p.b] |= u64(1) << colour;
    if (count.size() <= colour) count.resize(colour + 1, 0);
    colour_[k] = colour;
    ++count[colour];
  }
  count_blocks(groups_[number], count);
}

void PackedSweeps::colour_left_over(const std::vector<Patch>& patches, const std::vector<Motion>& motions) {
  const u32 number = strips_.left_over(), first = strips_.start[number];
  std::vector<Patch> some;
  for (u32 k = first; k < strips_.start[number + 1]; ++k) some.push_back(patches[strips_.order[k]]);
  std::vector<u32> count;
  if (!some.empty()) {
    const Colours colours = colour(some, motions);
    for (u32 c = 0; c < colours.count(); ++c) {
      count.push_back(colours.start[c + 1] - colours.start[c]);
      for (u32 k = colours.start[c]; k < colours.start[c + 1]; ++k) colour_[first + colours.order[k]] = c;
    }
  }
  count_blocks(groups_[number], count);
}

void PackedSweeps::count_blocks(Group& group, const std::vector<u32>& patches_of_colour) {
  group.colour_start.clear();
  group.blocks = 0;
  for (const u32 n : patches_of_colour) {
    group.colour_start.push_back(group.blocks);
    group.blocks += (n + Block::size - 1) / u32(Block::size);
  }
  group.copies = 2 * u32(Block::size) * group.blocks;
}

// Puts the patches of a group into their lanes, with their geometry and what they have in common for all problems.
void PackedSweeps::settle(u32 number, const std::vector<Patch>& patches, const std::vector<Motion>& motions) {
  const Group& group = groups_[number];
  std::vector<u32> next;
  for (const u32 block : group.colour_start) next.push_back((group.first_block + block) * u32(Block::size));
  std::memset(static_cast<void*>(blocks_.data() + group.first_block), 0, group.blocks * sizeof(Block));
  // Those that are likely to push first: blocks of open patches are idle most of the time.
  for (const bool pushing : {true, false})
    for (u32 k = strips_.start[number]; k < strips_.start[number + 1]; ++k) {
      const u32 i = strips_.order[k];
      const Patch& p = patches[i];
      if ((normal_of(p.impulse) > 0 || p.gap[0] <= 0 || (p.points == 2 && p.gap[1] <= 0)) != pushing) continue;
      place_[i] = next[colour_[k]]++;
      fill(place_[i], p, motions);
    }
  // A copy for every patch whose body cannot be moved and for empty lanes.
  u32 copy = group.first_copy;
  for (u32 n = group.first_block; n < group.first_block + group.blocks; ++n)
    for (std::size_t lane = 0; lane < Block::size; ++lane)
      for (u32* body : {&blocks_[n].a[lane], &blocks_[n].b[lane]})
        if (blocks_[n].points[lane] == 0 || *body == Strips::none) {
          bodies_[copy] = {};
          *body = copy++;
        }
}

void PackedSweeps::fill(u32 place, const Patch& p, const std::vector<Motion>& motions) {
  Block& block = blocks_[place / Block::size];
  const std::size_t lane = place % Block::size;
  const Real scale_a = spin_scale_[p.a], scale_b = spin_scale_[p.b];
  const auto put = [&](int row, Real x) { block.row[row][lane] = x; };
  put(Block::normal, p.normal.x);
  put(Block::normal + 1, p.normal.y);
  for (int j = 0; j < 3; ++j) {
    put(Block::arm_a + j, scale_a * p.lever_a[j]);
    put(Block::arm_b + j, scale_b * p.lever_b[j]);
  }
  block.points[lane] = p.points;
  block.a[lane] = moves(motions[p.a]) ? body_slot_[p.a] : Strips::none;
  block.b[lane] = moves(motions[p.b]) ? body_slot_[p.b] : Strips::none;
}

void PackedSweeps::pose(const std::vector<Patch>& patches, const std::vector<Motion>& motions) {
  take_velocities(motions);
  for (Block& block : blocks_) block.idle = false;
  Host::for_each(patches.size(), [&](std::size_t i) {
    const Patch& p = patches[i];
    Block& block = blocks_[place_[i] / Block::size];
    const std::size_t lane = place_[i] % Block::size;
    const auto put = [&](int row, const PatchVec& x) {
      for (int j = 0; j < 3; ++j) block.row[row + j][lane] = x[j];
    };
    put(Block::bias, p.bias);
    put(Block::impulse, p.impulse);
    put(Block::before, p.impulse);
    if (p.points == 1) block.row[Block::bias + 1][lane] = 1e300;  // a second point that never comes near
    put(Block::softness, p.softness);
    block.row[Block::friction][lane] = p.friction;
    const Motion &a = motions[p.a], &b = motions[p.b];
    if (!moves(a)) bodies_[block.a[lane]] = {a.velocity.x, a.velocity.y, 0, 0};
    if (!moves(b)) bodies_[block.b[lane]] = {b.velocity.x, b.velocity.y, 0, 0};
    put_case(block, lane, case_like(p.impulse, p.friction), p.compliance(a, b));
  });
}

void PackedSweeps::pose_gaps(const std::vector<Patch>& patches, const std::vector<Motion>& motions,
                             const std::vector<PatchVec>& gaps) {
  for (Block& block : blocks_) block.idle = false;
  for (std::size_t k = 0; k < strips_.bodies.size(); ++k)
    before_[k] = bodies_[k] = {0, 0, 0, motions[strips_.bodies[k]].inverse_mass};
  Host::for_each(patches.size(), [&](std::size_t i) {
    Block& block = blocks_[place_[i] / Block::size];
    const std::size_t lane = place_[i] % Block::size;
    const Motion &a = motions[patches[i].a], &b = motions[patches[i].b];
    if (!moves(a)) bodies_[block.a[lane]] = {};
    if (!moves(b)) bodies_[block.b[lane]] = {};
    const bool lone = patches[i].points == 1;
    block.row[Block::bias][lane] = gaps[i].x;
    block.row[Block::bias + 1][lane] = lone ? 1e300 : gaps[i].y;
    block.row[Block::bias + 2][lane] = 0;
    block.row[Block::friction][lane] = 0;
    for (int row = Block::softness; row < Block::push; ++row) block.row[row][lane] = 0;
    const bool overlaps = gaps[i].x < 0, second = !lone && gaps[i].y < 0;
    const u32 number = overlaps && second ? 2
                       : overlaps         ? 5
                       : second           ? 8
                                          : 0;  // sliding, which without friction costs nothing
    Patch rigid = patches[i];
    rigid.softness = {};
    put_case(block, lane, number, rigid.compliance(a, b));
  });
}

void PackedSweeps::take_velocities(const std::vector<Motion>& motions) {
  Host::for_each(strips_.bodies.size(), [&](std::size_t k) {
    const u32 i = strips_.bodies[k];
    const Motion& m = motions[i];
    bodies_[k] = {m.velocity.x, m.velocity.y, spin_scale_[i] > 0 ? m.spin / spin_scale_[i] : 0, m.inverse_mass};
    before_[k] = bodies_[k];
  });
}

std::size_t PackedSweeps::workers() const { return strips_.count == 1 ? 1 : std::size_t(exec::threads()); }

Progress PackedSweeps::sweep(const exec::Member& me, const Extrapolation& extrapolation, i64 count) {
  std::vector<Progress>& progress = progress_[count % 2];
  const Improve improve{blocks_.data(), bodies_.data(), extrapolation.share, extrapolation.part, count % idle_for == 0};
  strips_.each_group(me, count, [&](u32 number) {
    const Group& group = groups_[number];
    if (number < strips_.count)
      go_on(bodies_.data(), before_.data(), strips_.body_start[number], strips_.body_start[number + 1],
            extrapolation.share);
    progress[number] = improve(group.first_block, group.blocks);
  });
  Progress out;
  for (const Progress& of : progress) out.join(of);
  return out;
}

Real PackedSweeps::residual(const exec::Member& me) {
  const MeasureResidual measure{blocks_.data(), bodies_.data()};
  me.for_each(groups_.size(),
              [&](std::size_t g) { residuals_[g] = measure(groups_[g].first_block, groups_[g].blocks); });
  me.wait_for_all();
  Residual out;
  for (const Residual& of : residuals_) out.join(of);
  return out.relative();
}

PatchVec PackedSweeps::impulse_of(std::size_t patch) const {
  const Block& block = blocks_[place_[patch] / Block::size];
  const std::size_t lane = place_[patch] % Block::size;
  return {block.row[Block::impulse][lane], block.row[Block::impulse + 1][lane], block.row[Block::impulse + 2][lane]};
}

Motion PackedSweeps::motion_of(std::size_t body) const {
  if (body_slot_[body] == Strips::none) return {};
  const BodyVelocity& c = bodies_[body_slot_[body]];
  return {{c.vx, c.vy}, spin_scale_[body] * c.spin, 0, 0};
}

}  // namespace talus::impulse
