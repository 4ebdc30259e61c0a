#include <gtest/gtest.h>

#include <talus/core/rng.hpp>
#include <talus/measure/porosity.hpp>
#include <talus/sampling/placement.hpp>

#include "../../support/sample.hpp"

using namespace talus;
using namespace talus::test;

// Tolerance 1e-14: rounding of a sum of a few volumes over the cell's.

namespace {

template <int D>
Sample<D> lattice(const char* kind, int repeats) {
  const auto l = [&] {
    Vec<D, i32> n;
    for (int k = 0; k < D; ++k) n[k] = repeats;
    return sampling::lattice<D>(kind, 2, n);
  }();
  Sample<D> s;
  s.model.options.spheres_in_plane = true;
  s.template set_law<HertzMindlin<D>>();
  s.set_box(l.edges);
  std::vector<Ball<D>> balls;
  for (const auto& p : l.points) balls.push_back({p, 1, 0, {}, {}});
  s.assemble(balls);
  return s;
}

}  // namespace

TEST(SharedVolume, OfTwoBallsMatchesItsClosedFormAndItsLimits) {
  EXPECT_NEAR(measure::shared_volume(0.3, 1, 0.95), 0.0642253, 1e-7);  // the reference, one unit of its last digit
  // The same as two caps: the plane of the circle of intersection lies at x from the large ball's centre.
  const Real x = (0.95 * 0.95 + 1 - 0.09) / (2 * 0.95), h = 1 - x, k = 0.3 - (0.95 - x);
  const Real caps = pi * h * h * (3 - h) / 3 + pi * k * k * (0.9 - k) / 3;
  EXPECT_NEAR(measure::shared_volume(0.3, 1, 0.95) / caps, 1, 1e-13);
  EXPECT_DOUBLE_EQ(measure::shared_volume(0.3, 1, 0.7), ball_volume<3>(0.3));  // inside
  EXPECT_EQ(measure::shared_volume(0.3, 1, 1.3), 0);                           // apart
  EXPECT_NEAR(measure::shared_volume(1, 1, 1), 5 * pi / 12, 1e-14);            // lens of two unit balls
  EXPECT_DOUBLE_EQ(measure::shared_volume(0.3, 1, 0.95), measure::shared_volume(1, 0.3, 0.95));
}

TEST(SharedArea, OfTwoDiscsMatchesItsClosedFormAndItsLimits) {
  EXPECT_NEAR(measure::shared_area(1, 1, 1), 2 * pi / 3 - std::sqrt(3.0) / 2, 1e-14);  // lens of two unit discs
  EXPECT_DOUBLE_EQ(measure::shared_area(0.3, 1, 0.7), ball_volume<2>(0.3));
  EXPECT_EQ(measure::shared_area(0.3, 1, 1.3), 0);
}

TEST(Porosity, OfLatticesIsTheTextbookValue) {
  const Sample<3> sc = lattice<3>("sc", 2), bcc = lattice<3>("bcc", 2), fcc = lattice<3>("fcc", 2);
  EXPECT_NEAR(measure::porosity(sc.model, sc.state), 1 - pi / 6, 1e-14);
  EXPECT_NEAR(measure::porosity(bcc.model, bcc.state), 1 - std::sqrt(3.0) * pi / 8, 1e-14);
  EXPECT_NEAR(measure::porosity(fcc.model, fcc.state), 1 - std::sqrt(2.0) * pi / 6, 1e-14);
  const Sample<2> hexagonal = lattice<2>("hexagonal", 3);
  EXPECT_NEAR(measure::porosity(hexagonal.model, hexagonal.state), 1 - pi / (2 * std::sqrt(3.0)), 1e-14);
}

TEST(Porosity, InABallCountsPartsAndPeriodicImagesExactly) {
  // A region of radius 2 around a ball of the simple cubic lattice holds that ball and the halves of its six neighbours
  // that lie at distance 2, cut by the region, and corners of the twelve at 2 sqrt 2.
  const Sample<3> s = lattice<3>("sc", 2);
  const Real solid =
      ball_volume<3>(1) + 6 * measure::shared_volume(1, 2, 2) + 12 * measure::shared_volume(1, 2, 2 * std::sqrt(2.0));
  for (const Vec3& centre : {Vec3{2, 2, 2}, Vec3{0, 0, 0}, Vec3{0, 2, 4}})  // the same around any ball
    EXPECT_NEAR(measure::porosity_in_ball(s.model, s.state, centre, 2.0), 1 - solid / ball_volume<3>(2), 1e-13);
}

TEST(Porosity, InALargeBallTendsToThatOfTheWhole) {
  const Sample<3> s = lattice<3>("fcc", 4);
  const Sample<2> p = lattice<2>("hexagonal", 8);
  // The region spans many cells of the lattice; what it cuts at its surface is a share radius / region of a ball.
  EXPECT_NEAR(measure::porosity_in_ball(s.model, s.state, Vec3{1.3, 2.1, 0.4}, 40.0),
              measure::porosity(s.model, s.state), 2e-3);
  EXPECT_NEAR(measure::porosity_in_ball(p.model, p.state, Vec2{1.3, 2.1}, 60.0), measure::porosity(p.model, p.state),
              5e-3);
}

TEST(Porosity, GrowsWithTheRadiusScale) {
  Sample<3> s = lattice<3>("sc", 2);
  s.state.globals.radius_scale = 0.5;
  EXPECT_NEAR(measure::porosity(s.model, s.state), 1 - pi / 48, 1e-14);
}
