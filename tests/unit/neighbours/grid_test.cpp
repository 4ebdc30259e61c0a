// The grid finds exactly the pairs that a search over everything finds, and looks at few more.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include <talus/core/rng.hpp>
#include <talus/exec/host.hpp>
#include <talus/neighbours/grid.hpp>

using namespace talus;

namespace {

template <int D>
struct Pair {
  u32 i, j;  // i <= j
  Vec<D, i32> image;
  friend bool operator<(const Pair& p, const Pair& q) {
    if (p.i != q.i) return p.i < q.i;
    if (p.j != q.j) return p.j < q.j;
    for (int k = 0; k < D; ++k)
      if (p.image[k] != q.image[k]) return p.image[k] < q.image[k];
    return false;
  }
};

// j's image seen from i, named from the ball with the smaller number; a ball's own image by its positive side.
template <int D>
Pair<D> name(u32 i, u32 j, Vec<D, i32> image) {
  bool flip = i > j;
  if (i == j)
    for (int k = 0; k < D; ++k)
      if (image[k] != 0) {
        flip = image[k] < 0;
        break;
      }
  if (flip)
    for (int k = 0; k < D; ++k) image[k] = -image[k];
  return {std::min(i, j), std::max(i, j), image};
}

template <int D>
struct Balls {
  Cell<D> cell;
  Column<Vec<D>> position;
  Column<Real> radius;
  Column<u32> number;  // of the ball before sorting
};

// Sorts the balls into the grid as the engine does.
template <int D>
GridView<D> sort_into_grid(Balls<D>& b, Real skin, Column<u64>& keys, Column<u32>& start) {
  const std::size_t n = b.position.size();
  using exec::Host;
  Column<u32> uid(n);
  const auto extents =
      Host::reduce<Extents<D>>(n, MeasureExtents<D>{b.position.span(), b.radius.span(), uid.span(), inverse(b.cell.h)});
  const auto classes = Host::reduce<Classes>(n, CountClasses{b.radius.span(), extents.most, extents.least});
  GridView<D> grid = plan_grid<D>(b.cell, n, extents, classes, 1, skin);
  grid.position = b.position.span();
  grid.radius = b.radius.span();
  keys.resize(n);
  Host::for_each(n, NumberCells<D>{grid, keys.span()});
  Column<u32> order;
  Host::sort_order(keys.span(), order);
  Balls<D> sorted{b.cell, Column<Vec<D>>(n), Column<Real>(n), Column<u32>(n)};
  Column<u64> sorted_keys(n);
  for (std::size_t i = 0; i < n; ++i) {
    sorted.position[i] = b.position[order[i]];
    sorted.radius[i] = b.radius[order[i]];
    sorted.number[i] = b.number[order[i]];
    sorted_keys[i] = keys[order[i]];
  }
  b = sorted;
  keys = sorted_keys;
  start.resize(std::size_t(cells_of(grid)) + 1);
  Host::for_each(n + 1, FillStarts{keys.span(), start.span()});
  grid.start = start.span();
  grid.position = b.position.span();
  grid.radius = b.radius.span();
  return grid;
}

template <int D>
std::multiset<Pair<D>> found_by_grid(Balls<D> b, Real skin) {
  Column<u64> keys;
  Column<u32> start;
  const GridView<D> grid = sort_into_grid(b, skin, keys, start);
  std::multiset<Pair<D>> pairs;
  for (u32 i = 0; i < b.position.size(); ++i)
    visit_near(grid, i, [&](u32 j, const Vec<D, i32>& image, const Vec<D>&) {
      pairs.insert(name<D>(b.number[i], b.number[j], image));
    });
  return pairs;
}

template <int D>
std::multiset<Pair<D>> found_by_looking_everywhere(const Balls<D>& b, Real skin) {
  const Mat<D> inverse_h = inverse(b.cell.h);
  const Real reach = 2 * *std::max_element(b.radius.begin(), b.radius.end()) + skin;
  Vec<D, i32> most{};
  for (int k = 0; k < D; ++k)
    if (b.cell.periodic[k]) most[k] = 1 + int(std::ceil(reach / b.cell.width(k, inverse_h)));
  std::multiset<Pair<D>> pairs;
  Vec<D, i32> image;
  for (int k = 0; k < D; ++k) image[k] = -most[k];
  while (true) {
    bool home = true, forward = true;
    for (int k = D; k-- > 0;)
      if (image[k] != 0) {
        home = false;
        forward = image[k] > 0;
      }
    for (u32 i = 0; i < b.position.size(); ++i)
      for (u32 j = i; j < b.position.size(); ++j) {
        if (i == j && (home || !forward)) continue;
        const Vec<D> apart = b.position[i] - b.position[j] - b.cell.translation(image);
        const Real limit = b.radius[i] + b.radius[j] + skin;
        if (dot(apart, apart) < limit * limit) pairs.insert(name<D>(i, j, image));
      }
    int k = 0;
    for (; k < D; ++k) {
      if (++image[k] <= most[k]) break;
      image[k] = -most[k];
    }
    if (k == D) return pairs;
  }
}

template <int D>
Balls<D> random_balls(std::size_t n, Real ratio, const Vec<D>& edges, Real shear, int periodic, u64 seed) {
  Balls<D> b;
  b.cell.h = {};
  for (int k = 0; k < D; ++k) {
    b.cell.h(k, k) = edges[k];
    b.cell.periodic[k] = (periodic >> k) & 1;
  }
  b.cell.h(0, 1) = shear * edges[0];
  if (D == 3) b.cell.h(1, D - 1) = -0.6 * shear * edges[1];
  Rng rng{seed, 0, 0};
  for (std::size_t i = 0; i < n; ++i) {
    Vec<D> s;
    for (int k = 0; k < D; ++k) s[k] = b.cell.periodic[k] ? rng.uniform() : rng.uniform(-0.5, 1.5);
    if (i == 0) s = {};  // one ball in the corner, one on a face
    if (i == 1) s[0] = 0;
    b.position.push_back(b.cell.h * s);
    b.radius.push_back(std::pow(ratio, rng.uniform()) * (ratio > 10 ? 0.02 : 0.1));
    b.number.push_back(u32(i));
  }
  return b;
}

template <int D>
void compare(const Vec<D>& edges, const char* what) {
  u64 seed = 1;
  for (const Real ratio : {1.0, 3.0, 30.0})
    for (const Real shear : {0.0, 0.3, 1.7})
      for (int periodic = 0; periodic < 1 << D; ++periodic, ++seed) {
        const Balls<D> b = random_balls<D>(120, ratio, edges, shear, periodic, seed);
        const auto expected = found_by_looking_everywhere(b, 0.03);
        const auto found = found_by_grid(b, 0.03);
        ASSERT_FALSE(expected.empty());
        EXPECT_TRUE(!(found < expected) && !(expected < found))
            << what << ": ratio " << ratio << ", shear " << shear << ", periodic bits " << periodic << ", seed " << seed
            << ": " << found.size() << " pairs instead of " << expected.size();
      }
}

}  // namespace

TEST(Grid, FindsThePairsOfSpheresThatLookingEverywhereFinds) { compare<3>({2, 1.5, 2.5}, "space"); }
TEST(Grid, FindsThePairsOfDiscsThatLookingEverywhereFinds) { compare<2>({4, 5}, "plane"); }
TEST(Grid, FindsPairsAcrossColumnsOfCells) {  // a column is at most 12 cells across
  compare<3>({4, 0.6, 0.6}, "space, columns side by side");
  compare<3>({0.6, 4, 0.6}, "space, columns one behind the other");
}
TEST(Grid, FindsAllImagesInACellSmallerThanABall) {
  compare<3>({0.3, 2, 0.7}, "space");
  compare<2>({0.3, 6}, "plane");
}

TEST(Grid, LooksAtAFixedNumberOfBallsEachInAMixtureOfVeryDifferentSizes) {
  // Ratio 20, half of the volume in large balls: 8000 small ones to a large one. The number of balls in the cells that a
  // search walks through, per ball, must not grow with the sample.
  const auto looked_at = [](std::size_t n) {
    Balls<3> b;
    const Real small = 0.05, large = 1;
    const std::size_t big = std::max<std::size_t>(1, n / 8000);
    const Real edge = std::cbrt(Real(n) * 2 * 8 * small * small * small);
    for (int k = 0; k < 3; ++k) {
      b.cell.h(k, k) = edge;
      b.cell.periodic[k] = 1;
    }
    Rng rng{8, 0, 0};
    for (std::size_t i = 0; i < n; ++i) {
      b.position.push_back({edge * rng.uniform(), edge * rng.uniform(), edge * rng.uniform()});
      b.radius.push_back(i < big ? large : small);
      b.number.push_back(u32(i));
    }
    Column<u64> keys;
    Column<u32> start;
    const Real skin = 0.1 * small;
    const GridView<3> g = sort_into_grid(b, skin, keys, start);
    // The same cells as visit_near: those within reach along each edge, wrapped into the box.
    Real sum = 0;
    for (u32 i = 0; i < n; ++i) {
      const Vec3 s = g.fraction(b.position[i]);
      for (int l = g.level_of(b.radius[i]); l < g.levels; ++l) {
        const GridLevel<3>& level = g.level[l];
        Vec<3, i32> low, high;
        for (int k = 0; k < 3; ++k) {
          const Real half = (b.radius[i] + level.radius + skin) / g.width[k];
          low[k] = i32(std::floor((s[k] - half) * level.cells[k]));
          high[k] = i32(std::floor((s[k] + half) * level.cells[k]));
        }
        for (i32 x = low.x; x <= high.x; ++x)
          for (i32 y = low.y; y <= high.y; ++y)
            for (i32 z = low.z; z <= high.z; ++z) {
              const auto wrap = [&](i32 c, int k) { return (c % level.cells[k] + level.cells[k]) % level.cells[k]; };
              const u32 cell = level.number({wrap(x, 0), wrap(y, 1), wrap(z, 2)});
              sum += g.start[cell + 1] - g.start[cell];
            }
      }
    }
    return sum / Real(n);
  };
  const Real few = looked_at(8000), many = looked_at(64000);
  // About 3^3 cells of one or two small balls each, and the large balls near by; one grid for all sizes would look at
  // some thousands. The large sample may differ by what is left of a cell at its edges.
  EXPECT_LT(few, 60);
  EXPECT_LT(many, 1.2 * few);
}
