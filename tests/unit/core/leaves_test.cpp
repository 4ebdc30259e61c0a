#include <talus/core/leaves.hpp>
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

TEST(Leaves, AreFoundThroughNestedRecords) {
  static_assert(std::is_same_v<leaf_of<Real>, Real> && leaf_count<Real> == 1);
  static_assert(std::is_same_v<leaf_of<Record>, Real> && leaf_count<Record> == 8);
  static_assert(std::is_same_v<leaf_of<Vec<3, i32>>, i32> && leaf_count<Vec<3, i32>> == 3);
  static_assert(std::is_same_v<leaf_of<i64[4]>, i64> && leaf_count<i64[4]> == 4);
  static_assert(std::is_same_v<leaf_of<float[2][3]>, float> && leaf_count<float[2][3]> == 6);
}

TEST(Leaves, PaddingIsNoticed) {
  static_assert(!MadeOfLeaves<Mixed> && !WithoutPadding<Mixed>);
  static_assert(!MadeOfLeaves<Dense> && WithoutPadding<Dense>);
  static_assert(WithoutPadding<Record> && WithoutPadding<Real[8]>);
}
