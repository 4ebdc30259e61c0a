// Vectors and matrices: what their operations mean, in closed form and by the identities that hold for any input.
#include <gtest/gtest.h>

#include <cmath>

#include <talus/core/rng.hpp>
#include <talus/core/vec.hpp>

using namespace talus;

namespace {

constexpr Real rounding = 1e-15;  // some units in the last place (2.2e-16) of sums of two or three products of numbers below 1

template <int D>
Vec<D> random_vector(Rng& rng) {
  Vec<D> v;
  for (int k = 0; k < D; ++k) v[k] = rng.uniform(-1, 1);
  return v;
}
template <int D>
Vec<D> random_direction(Rng& rng) {
  Vec<D> v;
  do v = random_vector<D>(rng);
  while (dot(v, v) < 0.01 || dot(v, v) > 1);
  return (1 / length(v)) * v;
}
template <int D>
Mat<D> random_matrix(Rng& rng) {  // far from singular: a strong diagonal
  Mat<D> a;
  for (int i = 0; i < D; ++i)
    for (int j = 0; j < D; ++j) a(i, j) = rng.uniform(-0.3, 0.3) + (i == j);
  return a;
}
template <int D>
void expect_near(const Mat<D>& a, const Mat<D>& b, Real tolerance) {
  for (int i = 0; i < D; ++i)
    for (int j = 0; j < D; ++j) EXPECT_NEAR(a(i, j), b(i, j), tolerance) << i << j;
}

template <class N>
class Vectors : public ::testing::Test {};
using Dimensions = ::testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(Vectors, Dimensions);

}  // namespace

TYPED_TEST(Vectors, WhatIsLeftAcrossADirectionIsPerpendicularToIt) {
  constexpr int D = TypeParam::value;
  Rng rng{1, 0, 0};
  for (int n = 0; n < 100; ++n) {
    const Vec<D> v = random_vector<D>(rng), e = random_direction<D>(rng), across = reject(v, e);
    EXPECT_NEAR(dot(across, e), 0, rounding);
    EXPECT_NEAR(dot(across, across) + dot(v, e) * dot(v, e), dot(v, v), 3 * rounding);  // Pythagoras
    EXPECT_LE(length(reject(across, e) - across), rounding);                            // a second time changes nothing
  }
}

TYPED_TEST(Vectors, TurningIntoAPlaneKeepsLengthAndSense) {
  constexpr int D = TypeParam::value;
  Rng rng{2, 0, 0};
  for (int n = 0; n < 100; ++n) {
    const Vec<D> v = random_vector<D>(rng), e = random_direction<D>(rng), flat = reject(v, e), turned = turn_into_plane(v, e);
    // The rounding of `flat` along e stays while it is stretched to the length of v.
    EXPECT_NEAR(dot(turned, e), 0, rounding * length(v) / length(flat));
    EXPECT_NEAR(length(turned) / length(v), 1, rounding);
    EXPECT_NEAR(dot(turned, flat) / (length(turned) * length(flat)), 1, rounding);  // the same direction in the plane
    EXPECT_LE(length(turn_into_plane(-v, e) + turned), 0);                          // odd: exactly
    const Vec<D> doubled = turn_into_plane(Real(2) * v, e);
    EXPECT_EQ(doubled, Real(2) * turned);                                           // a power of two is exact
  }
}

TYPED_TEST(Vectors, AVectorInThePlaneStaysAndOneAcrossItVanishes) {
  constexpr int D = TypeParam::value;
  Vec<D> e, along;
  e[0] = 1;
  along[1] = 0.75;
  EXPECT_EQ(turn_into_plane(along, e), along);
  EXPECT_EQ(turn_into_plane(Real(-3) * e, e), Vec<D>{});
  EXPECT_EQ(turn_into_plane(Vec<D>{}, e), Vec<D>{});
}

TEST(TurnIntoPlane, FollowsAContactThatRolls) {
  // A force of 5 in the plane across x; the normal turns by an angle in the plane of force and normal: so does the force.
  for (const Real angle : {1e-6, 0.1, 1.0, 1.5}) {
    const Vec3 normal{std::cos(angle), std::sin(angle), 0}, turned = turn_into_plane(Vec3{0, 5, 0}, normal);
    EXPECT_NEAR(turned.x, -5 * std::sin(angle), 5 * rounding / std::cos(angle));  // what is left of it before stretching: cos
    EXPECT_NEAR(turned.y, 5 * std::cos(angle), 5 * rounding / std::cos(angle));
    EXPECT_EQ(turned.z, 0);
  }
}

TEST(TurnIntoPlane, LanesGiveWhatSingleVectorsGive) {
  Rng rng{3, 0, 0};
  Vec<3, Lanes<4>> v, e;
  Vec3 each_v[4], each_e[4];
  for (int l = 0; l < 4; ++l) {
    each_e[l] = random_direction<3>(rng);
    each_v[l] = l == 1 ? Vec3{} : random_vector<3>(rng);  // one of them has nothing to turn
    for (int k = 0; k < 3; ++k) {
      v[k].v[l] = each_v[l][k];
      e[k].v[l] = each_e[l][k];
    }
  }
  const Vec<3, Lanes<4>> turned = turn_into_plane(v, e);
  for (int l = 0; l < 4; ++l)
    for (int k = 0; k < 3; ++k) EXPECT_EQ(turned[k].v[l], turn_into_plane(each_v[l], each_e[l])[k]) << l;
}

TEST(Vec, CrossProductIsTheVelocityOfASpinningBody) {
  EXPECT_EQ(cross(Vec3{0, 0, 2}, Vec3{3, 0, 0}), (Vec3{0, 6, 0}));
  EXPECT_EQ(cross(Vec<1>{2}, Vec2{3, 0}), (Vec2{0, 6}));  // the plane is space seen along z
  Rng rng{4, 0, 0};
  for (int n = 0; n < 100; ++n) {
    const Vec3 a = random_vector<3>(rng), b = random_vector<3>(rng), c = random_vector<3>(rng);
    EXPECT_NEAR(dot(cross(a, b), a), 0, rounding);
    EXPECT_EQ(cross(a, b), -cross(b, a));
    // a x (b x c) = b (a.c) - c (a.b)
    EXPECT_LE(length(cross(a, cross(b, c)) - (dot(a, c) * b - dot(a, b) * c)), 4 * rounding);
  }
}

TEST(Vec, AMomentDoesTheWorkOfItsForce) {
  // f . (w x r) = w . (r x f), in the plane and in space.
  Rng rng{5, 0, 0};
  for (int n = 0; n < 100; ++n) {
    const Vec3 f = random_vector<3>(rng), w = random_vector<3>(rng), r = random_vector<3>(rng);
    EXPECT_NEAR(dot(f, cross(w, r)), dot(w, moment(r, f)), 2 * rounding);
    const Vec2 f2{f.x, f.y}, r2{r.x, r.y};
    const Vec<1> spin{w.z};
    EXPECT_NEAR(dot(f2, cross(spin, r2)), dot(spin, moment(r2, f2)), 2 * rounding);
    EXPECT_EQ(moment(r2, f2).x, moment(Vec3{r.x, r.y, 0}, Vec3{f.x, f.y, 0}).z);
  }
}

TYPED_TEST(Vectors, AMatrixTimesItsInverseIsOne) {
  constexpr int D = TypeParam::value;
  Rng rng{6, 0, 0};
  for (int n = 0; n < 100; ++n) {
    // The condition number of these matrices is below 20: 20 times the rounding of a product of two of them.
    const Mat<D> a = random_matrix<D>(rng), b = random_matrix<D>(rng);
    expect_near(a * inverse(a), Mat<D>::identity(), 20 * rounding);
    expect_near(inverse(a) * a, Mat<D>::identity(), 20 * rounding);
    EXPECT_NEAR(determinant(a * b), determinant(a) * determinant(b), 20 * rounding);
    EXPECT_NEAR(determinant(inverse(a)) * determinant(a), 1, 20 * rounding);
    const Vec<D> v = random_vector<D>(rng);
    EXPECT_LE(length((a * b) * v - a * (b * v)), 8 * rounding);
  }
}

TYPED_TEST(Vectors, OuterProductsHaveTheTraceAndTheActionOfTheirFactors) {
  constexpr int D = TypeParam::value;
  Rng rng{7, 0, 0};
  for (int n = 0; n < 100; ++n) {
    const Vec<D> a = random_vector<D>(rng), b = random_vector<D>(rng), v = random_vector<D>(rng);
    const Mat<D> m = random_matrix<D>(rng);
    EXPECT_EQ(trace(outer(a, b)), dot(a, b));                               // the same sum in the same order
    EXPECT_LE(length(outer(a, b) * v - dot(b, v) * a), 3 * rounding);
    EXPECT_NEAR(contract(outer(a, b), m), dot(a, m * b), 4 * rounding);
    EXPECT_NEAR(contract(m, Mat<D>::identity()), trace(m), rounding);
  }
}

TEST(Mat, ProductsAndDeterminantsOfKnownMatrices) {
  const Mat3 a{{{2, 0, 1}, {0, 3, 0}, {1, 0, 1}}};
  EXPECT_EQ(determinant(a), 3);
  EXPECT_EQ(a * (Vec3{1, 2, 3}), (Vec3{5, 6, 4}));
  const Mat<2> turn{{{0, -1}, {1, 0}}};
  EXPECT_EQ(turn * (Vec2{1, 0}), (Vec2{0, 1}));
  EXPECT_EQ(determinant(turn), 1);
  expect_near(turn * turn, Real(-1) * Mat<2>::identity(), 0);
}
