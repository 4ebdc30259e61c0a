#include <talus/core/scalars.hpp>
#include <talus/core/vec.hpp>

#include <gtest/gtest.h>

using namespace talus;

namespace {

struct Record {
  Vec<3> vector;
  Mat<2> matrix;
  Real number = 1;
};
struct Mixed {
  u32 a;
  Real b;  // after four bytes of padding
};
struct Dense {
  u32 a, b;
  u64 c;
};

}  // namespace

TEST(Scalars, AreFoundThroughNestedRecords) {
  static_assert(std::is_same_v<scalar_of<Real>, Real> && scalar_count<Real> == 1);
  static_assert(std::is_same_v<scalar_of<Record>, Real> && scalar_count<Record> == 8);
  static_assert(std::is_same_v<scalar_of<Vec<3, i32>>, i32> && scalar_count<Vec<3, i32>> == 3);
  static_assert(std::is_same_v<scalar_of<i64[4]>, i64> && scalar_count<i64[4]> == 4);
  static_assert(std::is_same_v<scalar_of<float[2][3]>, float> && scalar_count<float[2][3]> == 6);
}

TEST(Scalars, PaddingIsNoticed) {
  static_assert(!MadeOfScalars<Mixed> && !WithoutPadding<Mixed>);
  static_assert(!MadeOfScalars<Dense> && WithoutPadding<Dense>);
  static_assert(WithoutPadding<Record> && WithoutPadding<Real[8]>);
}
