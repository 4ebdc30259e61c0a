// Figures of samples made of copies: correlation between copies, scatter of q.
#include <cmath>

#include <gtest/gtest.h>

#include <talus/core/rng.hpp>
#include <talus/lab/replica_analysis.hpp>

using namespace talus;

namespace {

constexpr i64 copies = 4;
constexpr std::size_t cell_grains = 500;

// 500 grains in 4 copies in a cell that was strained since shear began. Each copy moves as its cell does by `share`, and on its own for the rest.
State<3> moved_copies(Real share) {
  State<3> s;
  s.bodies.resize(cell_grains * copies, kept::start);
  s.globals.stage.start_h = Mat<3>::identity();
  s.globals.cell.h = Mat<3>::identity();
  s.globals.cell.h(2, 2) = 0.998;
  s.globals.cell.h(0, 0) = 1.001;
  Rng rng{3, 0, 0};
  std::vector<Vec3> common(cell_grains);
  const auto draw = [&] { return Vec3{rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)}; };
  for (auto& u : common) u = draw();
  for (std::size_t i = 0; i < s.bodies.size(); ++i) {
    s.bodies.uid[i] = u32(s.bodies.size() - 1 - i);  // not in order
    s.bodies.start[i] = Vec3{rng.uniform(0, 1), rng.uniform(0, 1), rng.uniform(0, 1)};
    const Vec3 drift{5, 5, 5};  // of all: no fluctuation
    const Vec3 u = std::sqrt(share) * common[s.bodies.uid[i] / copies] + std::sqrt(1 - share) * draw() + drift;
    s.bodies.position[i] = s.globals.cell.h * s.bodies.start[i] + 1e-4 * u;
  }
  return s;
}

}  // namespace

TEST(ReplicaCorrelation, IsTheShareOfTheMotionThatCopiesHaveInCommon) {
  EXPECT_NEAR(lab::replica_correlation(moved_copies(1), copies), 1, 1e-9);  // rounding of positions near 1, of 1e-16, over 1e-4
  // 500 grains of 6 pairs and 3 components: a scatter of 1/sqrt(9000) = 0.011 about the share.
  EXPECT_NEAR(lab::replica_correlation(moved_copies(0.5), copies), 0.5, 0.04);
  EXPECT_NEAR(lab::replica_correlation(moved_copies(0), copies), 0, 0.04);
}

TEST(ReplicaCorrelation, IsNoNumberForOneCopyAndBeforeShear) {
  EXPECT_TRUE(std::isnan(lab::replica_correlation(moved_copies(1), 1)));
  State<3> s = moved_copies(1);
  s.bodies.start.clear();
  EXPECT_TRUE(std::isnan(lab::replica_correlation(s, copies)));
}

TEST(Fluctuation, IsTheScatterOfBinsWithoutTheirTrend) {
  std::vector<Real> strain, steady, alternating;
  for (int k = 0; k < 2000; ++k) {
    strain.push_back(1e-4 * (k + 0.5));
    const int bin = int((strain.back() - 0.05) / 0.002);
    steady.push_back(2e5 + 1e5 * strain.back());
    alternating.push_back(steady.back() + (bin % 2 == 0 ? 1e3 : -1e3));
  }
  // Equal steps from bin to bin: no scatter but rounding, 1e-11 of q.
  EXPECT_NEAR(*lab::fluctuation(strain, steady), 0, 1e-4);
  // Differences of +-2 kPa, 2000/sqrt(2); 73 of them, whose mean is 27 Pa: below 2 % in all.
  EXPECT_NEAR(*lab::fluctuation(strain, alternating), 2e3 / std::sqrt(2.0), 0.02 * 1414);
  strain.resize(560);  // up to 5.6 %: fewer than four full bins
  EXPECT_FALSE(lab::fluctuation(strain, steady));
}
