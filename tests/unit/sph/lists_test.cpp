#include <gtest/gtest.h>

#include <set>

#include <talus/sph/boundary.hpp>
#include <talus/sph/lists.hpp>

#include "block.hpp"

using namespace talus;
using namespace talus::testing;

namespace {

// By comparing all with all.
std::set<u32> close_by(const Block<2>& b, std::size_t i, Real reach) {
  std::set<u32> out;
  const auto& p = b.state.particles;
  for (std::size_t j = 0; j < p.size(); ++j)
    if (j != i && length(p.position[i] - p.position[j]) < reach) out.insert(p.uid[j]);
  return out;
}

}  // namespace

TEST(SphLists, HoldAllPartnersInOrderOfUid) {
  Block<2> block(15, 6, false, 0, 0.4);
  sph::make_lists(block.options, block.model, block.state, block.scratch);
  const auto& l = block.scratch.lists;
  const auto& p = block.state.particles;
  for (std::size_t i = 0; i < p.size(); ++i) {
    std::vector<u32> found;
    for (u32 k = l.start[i]; k < l.split[i]; ++k) found.push_back(p.uid[l.partner[k]]);
    EXPECT_TRUE(std::is_sorted(found.begin(), found.end()));
    const auto all = close_by(block, i, (1 + sph::skin) * block.options.support * block.options.spacing);
    EXPECT_EQ(std::set<u32>(found.begin(), found.end()), all);
    EXPECT_EQ(found.size(), all.size());
  }
}

TEST(SphLists, OfBoundaryParticlesMirrorThoseOfParticles) {
  Block<2> block(10, 0, true, 0, 0.3);
  sph::make_boundary(block.options, block.model, block.state, block.scratch.boundary);
  sph::make_lists(block.options, block.model, block.state, block.scratch);
  const auto& l = block.scratch.lists;
  std::set<std::pair<u32, u32>> from_particles, from_walls;
  for (std::size_t i = 0; i < block.state.particles.size(); ++i)
    for (u32 k = l.split[i]; k < l.start[i + 1]; ++k) from_particles.emplace(u32(i), l.partner[k]);
  for (std::size_t b = 0; b < block.scratch.boundary.size(); ++b)
    for (u32 k = l.before[b]; k < l.before[b + 1]; ++k) from_walls.emplace(l.particle[k], u32(b));
  EXPECT_FALSE(from_walls.empty());
  EXPECT_EQ(from_particles, from_walls);
}
