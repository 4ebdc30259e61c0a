#include <gtest/gtest.h>

#include <set>

#include <talus/sph/boundary.hpp>
#include <talus/sph/lists.hpp>
#include <talus/sph/pairs.hpp>
#include <talus/sph/spatial_order.hpp>

#include "block.hpp"

using namespace talus;
using namespace talus::testing;

namespace {

// Members of a group.
std::vector<u32> group(std::size_t g, std::size_t members) {
  std::vector<u32> out;
  for (std::size_t i = g * sph::group_size; i < std::min(members, (g + 1) * sph::group_size); ++i) out.push_back(u32(i));
  return out;
}
std::set<u32> partners(const sph::GroupLists& l, std::size_t g) {
  std::set<u32> out;
  for (u32 k = l.start[g]; k < l.start[g + 1]; ++k) out.insert(l.partner[k] & sph::partner_bits);
  EXPECT_EQ(out.size(), l.start[g + 1] - l.start[g]);  // nobody twice
  return out;
}
// By comparing all with all.
template <int D>
std::set<u32> near_any(const std::vector<u32>& members, const Column<Vec<D>>& of, const Column<Vec<D>>& all, const sph::Nearest<D>& nearest, Real reach) {
  std::set<u32> out;
  for (const u32 i : members)
    for (std::size_t j = 0; j < all.size(); ++j)
      if (length(nearest(of[i] - all[j])) < reach) out.insert(u32(j));
  return out;
}

}  // namespace

TEST(SphLists, HoldWhoeverIsNearAMemberOfAGroupInOrderOfUid) {
  const auto check = [](auto block, int periodic) {
    constexpr int D = decltype(block.state.globals.gravity)::size;
    block.state.globals.cell.periodic[0] = periodic;
    sph::make_lists(block.options, block.model, block.state, block.scratch);
    const auto& l = block.scratch.lists.particles;
    const auto& p = block.state.particles;
    const Real reach = (1 + sph::skin) * block.options.support * block.options.spacing;
    for (std::size_t g = 0; g < sph::groups_of(p.size()); ++g) {
      for (u32 k = l.start[g] + 1; k < l.start[g + 1]; ++k) EXPECT_LT(p.uid[l.partner[k - 1] & sph::partner_bits], p.uid[l.partner[k] & sph::partner_bits]);
      EXPECT_EQ(partners(l, g), (near_any<D>(group(g, p.size()), p.position, p.position, sph::Nearest<D>::of(block.state.globals.cell), reach)));
    }
  };
  check(Block<2>(15, 6, false, 0, 0.4), 0);
  check(Block<2>(15, 0, false, 0, 0.4), 1);
  check(Block<3>(7, 0, false, 0, 0.4), 1);  // hardly wider than two reaches
}

TEST(SphLists, OfBoundaryParticlesMirrorThoseOfParticles) {
  Block<2> block(10, 0, true, 0, 0.3);
  sph::make_boundary(block.options, block.model, block.state, block.scratch.boundary);
  sph::make_lists(block.options, block.model, block.state, block.scratch);
  const auto& p = block.state.particles.position;
  const auto& b = block.scratch.boundary.position;
  const Real reach = (1 + sph::skin) * block.options.support * block.options.spacing;
  const sph::Nearest<2> open;
  std::size_t found = 0;
  for (std::size_t g = 0; g < sph::groups_of(p.size()); ++g) {
    EXPECT_EQ(partners(block.scratch.lists.walls, g), (near_any<2>(group(g, p.size()), p, b, open, reach)));
    found += partners(block.scratch.lists.walls, g).size();
  }
  EXPECT_GT(found, 0u);
  for (std::size_t g = 0; g < sph::groups_of(b.size()); ++g)
    EXPECT_EQ(partners(block.scratch.lists.before, g), (near_any<2>(group(g, b.size()), b, p, open, reach)));
}

// Cells that follow one another along the curve share a face, and all of them come.
TEST(SphLists, FollowACurveThatGoesFromCellToCell) {
  const auto check = [](auto corner, int bits) {
    constexpr int D = decltype(corner)::size;
    const u32 n = 1u << bits;
    std::size_t all = 1;
    for (int k = 0; k < D; ++k) all *= n;
    std::vector<Vec<D, u32>> along(all);
    std::vector<int> seen(all);
    for (std::size_t c = 0; c < all; ++c) {
      Vec<D, u32> cell;
      std::size_t rest = c;
      for (int k = 0; k < D; ++k, rest /= n) cell[k] = u32(rest % n);
      const u64 at = sph::hilbert_number(cell, bits);
      ASSERT_LT(at, all);
      along[at] = cell;
      ++seen[at];
    }
    for (std::size_t c = 0; c < all; ++c) {
      EXPECT_EQ(seen[c], 1);
      u32 steps = 0;
      for (int k = 0; k < D && c > 0; ++k) steps += along[c][k] > along[c - 1][k] ? along[c][k] - along[c - 1][k] : along[c - 1][k] - along[c][k];
      EXPECT_EQ(steps, c > 0 ? 1u : 0u);
    }
  };
  check(Vec<2, u32>{}, 4);
  check(Vec<3, u32>{}, 3);
}
