// Distances to a convex solid of revolution: its sides, corners and ends, and what is no profile.
#include <gtest/gtest.h>

#include <talus/core/rng.hpp>
#include <talus/geometry/wall_shape.hpp>


using namespace talus;

namespace {

// Points down: tip at the origin, 45 degrees, 1 m wide from 1 m on, flat at 3 m.
WallShape<3> cone() { return WallRevolution<3>::about_axis({0, 0, 2}, {0, 1, 3}, {0, 1, 1}); }
void expect_near(const Surface<3>& s, Real gap, const Vec3& normal, u32 feature) {
  EXPECT_NEAR(s.gap, gap, 1e-15);
  EXPECT_NEAR(length(s.normal - normal), 0, 1e-15);
  EXPECT_EQ(s.feature, feature);
}

}  // namespace

TEST(WallRevolution, GapAndNormalAreThoseOfTheNearestPointOfTipSideShoulderAndEnd) {
  const Real s = std::sqrt(0.5);
  expect_near(cone().at({0, 0, -2}), 2, {0, 0, -1}, 0);                 // below the tip
  expect_near(cone().at({1.5, 0, 0.5}), s, {s, 0, -s}, 0);              // beside the cone
  expect_near(cone().at({0, 1.25, 2}), 0.25, {0, 1, 0}, 1);             // beside the sleeve
  expect_near(cone().at({0.5, 0, 3.5}), 0.5, {0, 0, 1}, 2);             // above the end
  expect_near(cone().at({4, 0, 7}), 5, {0.6, 0, 0.8}, 1);               // off the rim: 3 m out and 4 m up
  expect_near(cone().at({0, -0.9, 2}), -0.1, {0, -1, 0}, 1);            // inside
  expect_near(cone().at({0, 0, 2.9}), -0.1, {0, 0, 1}, 2);              // on the axis
}

TEST(WallRevolution, ACylinderOfItIsTheCylinderSeenFromOutside) {
  const WallShape<3> rod = WallRevolution<3>::about_axis({0, 1, 0}, {-100, 100}, {0.5, 0.5});
  const WallShape<3> mould = WallCylinder<3>::around({0, 1, 0}, 0.5);
  for (const Vec3& x : {Vec3{0.7, 3, 0.2}, {0.1, -20, 0.3}, {-4, 0, 5}}) {
    const auto a = rod.at(x), b = mould.at(x);
    EXPECT_NEAR(a.gap, -b.gap, 1e-14);
    EXPECT_NEAR(length(a.normal + b.normal), 0, 1e-14);
  }
}

TEST(WallRevolution, TheSearchNeverMissesABallThatTouches) {
  Rng rng{5, 0, 0};
  for (int n = 0; n < 2000; ++n) {
    const Vec3 x{rng.uniform(-2, 2), rng.uniform(-2, 2), rng.uniform(-1, 4)};
    EXPECT_EQ(cone().is_within(x, 0.3), cone().at(x).gap < 0.3);
  }
}

TEST(WallRevolution, ItsTipIsWhatFacesAgainstTheAxis) {
  EXPECT_TRUE(cone().is_tip(0));
  EXPECT_FALSE(cone().is_tip(1));
  EXPECT_FALSE(cone().is_tip(2));
  EXPECT_EQ(cone().widest(), 1);
  EXPECT_EQ(cone().turns_about(), (Vec3{0, 0, 1}));
}

TEST(WallRevolution, AProfileThatIsNotConvexIsNone) {
  EXPECT_TRUE((WallRevolution<3>::about_axis({0, 0, 1}, {0, 1, 3}, {0, 1, 1}).is_convex()));
  EXPECT_TRUE((WallRevolution<3>::about_axis({0, 0, 1}, {0, 1, 2}, {0, 1, 0}).is_convex()));
  EXPECT_FALSE((WallRevolution<3>::about_axis({0, 0, 1}, {0, 1, 2}, {0, 0.2, 1}).is_convex()));
  EXPECT_FALSE((WallRevolution<3>::about_axis({0, 0, 1}, {0, 1}, {0, 0}).is_convex()));
}
