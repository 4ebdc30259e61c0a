// How values that a method tells of its steps become columns of the series.
#include <gtest/gtest.h>

#include <talus/method/diagnostics.hpp>

using namespace talus;

namespace {

const Diagnostics all{{"largest", "1", "", Reduce::most, "largest_of_all", ""},
                      {"count", "1", "", Reduce::sum, "counts", ""},
                      {"rate", "1", "", Reduce::mean, "mean_rate", ""},
                      {"looked", "1", "", Reduce::last, "looked_most", ""},
                      {"unnamed", "1", "", Reduce::most}};

}  // namespace

TEST(Diagnostics, AreReducedOverStepsAsDeclared) {
  SinceRow since;
  since.add(all, {fine, 0.1, {3, 1, 20, 0, 0}}, 10);
  since.add(all, {fine, 0.2, {2, 4, 40, 0, 0}}, 30);
  EXPECT_EQ(since.overlap, 0.2);
  EXPECT_EQ(since.value(0, all[0].reduce), 3);
  EXPECT_EQ(since.value(1, all[1].reduce), 5);
  EXPECT_EQ(since.value(2, all[2].reduce), 60.0 / 40);
}

TEST(Diagnostics, BeginAnewWithEachRowAndAreKeptInAll) {
  SinceRow since;
  since.add(all, {fine, 0.1, {3, 1, 20, 0, 0}}, 10);
  since.begin_row();
  for (std::size_t k = 0; k < all.size(); ++k) EXPECT_EQ(since.value(k, all[k].reduce), 0) << all[k].name;  // no steps yet
  since.add(all, {fine, 0, {2, 4, 40, 0, 0}}, 30);
  EXPECT_EQ(since.value(0, all[0].reduce), 2);
  EXPECT_EQ(since.in_all[0], 3);
  EXPECT_EQ(since.in_all[1], 5);
}
