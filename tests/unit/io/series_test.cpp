#include <talus/io/series.hpp>

#include <sys/resource.h>

#include <cmath>
#include <csignal>
#include <limits>

#include <talus/core/csv.hpp>
#include <talus/core/rng.hpp>
#include <talus/io/text_file.hpp>

#include "scratch_folder.hpp"

using namespace talus;
using namespace talus::testing;

namespace {

class SeriesTest : public ScratchFolder {};

std::vector<SeriesValue> row(Real time, Real stress) {
  return {{"time", "s", time}, {"stress", "Pa", stress}, {"z", "1", 4}};
}

}  // namespace

TEST_F(SeriesTest, HasAHeaderWithUnits) {
  Series series(folder / "series.csv");
  series.write(0, row(0, 1e5));
  series.write(100, row(0.1, -0.25));
  EXPECT_EQ(bytes_of(folder / "series.csv"),  // complete after each row, without closing
            "step,time [s],stress [Pa],z [1]\n0,0,1e+05,4\n100,0.1,-0.25,4\n");
}

TEST_F(SeriesTest, GivesTheSameDoublesBack) {
  Series series(folder / "series.csv");
  std::vector<Real> values{5e-324, 1.7976931348623157e308, 0.1, 1.0 / 3, -0.0};
  Rng rng{1};
  for (int i = 0; i < 1000; ++i) values.push_back(std::ldexp(rng.uniform(-1, 1), int(rng.below(600)) - 300));
  for (std::size_t i = 0; i < values.size(); ++i) series.write(i64(i), {{"x", "", values[i]}});
  const auto table = parse_csv(read_text(folder / "series.csv"), "series.csv");
  EXPECT_EQ(table.values("x", dim::none), values);
}

TEST_F(SeriesTest, WritesWhatDoesNotExistAsNan) {
  Series series(folder / "series.csv");
  series.write(1, {{"x", "m", -std::numeric_limits<Real>::quiet_NaN()}});
  EXPECT_EQ(bytes_of(folder / "series.csv"), "step,x [m]\n1,nan\n");
}

TEST_F(SeriesTest, RefusesOtherColumns) {
  Series series(folder / "series.csv");
  series.write(0, row(0, 1));
  EXPECT_TRUE(says(complaint([&] { series.write(1, {{"time", "s", 1}}); }), "holds other columns"));
  auto resumed = Series::resume(folder / "series.csv", 0);
  EXPECT_TRUE(says(complaint([&] { resumed.write(1, {{"time", "ms", 1}}); }), "holds other columns"));
}

TEST_F(SeriesTest, ResumedIsTheSameFileAsUninterrupted) {
  Series whole(folder / "whole.csv");
  for (const i64 step : {0, 10, 20, 30, 40}) whole.write(step, row(Real(step), 1));
  const std::string expected = bytes_of(folder / "whole.csv");

  // Stopped at any byte after the checkpoint of step 20.
  for (std::size_t length = expected.find("\n30,") + 1; length <= expected.size(); ++length) {
    put_bytes(folder / "cut.csv", expected.substr(0, length));
    auto series = Series::resume(folder / "cut.csv", 20);
    for (const i64 step : {30, 40}) series.write(step, row(Real(step), 1));
    EXPECT_EQ(bytes_of(folder / "cut.csv"), expected) << length;
  }
}

TEST_F(SeriesTest, ThatWasCutOrDamagedBeforeTheCheckpointIsRefused) {
  FileRecord held;
  {
    Series series(folder / "series.csv");
    for (const i64 step : {0, 10, 20}) series.write(step, row(Real(step), 1));
    held = series.record();
    series.write(30, row(30, 1));
  }
  const std::string whole = bytes_of(folder / "series.csv");
  EXPECT_EQ(FileRecord::of(whole.substr(0, held.bytes)), held);
  EXPECT_EQ(FileRecord::read(held.text()), held);
  const auto resume = [&] { (void)Series::resume(folder / "series.csv", 20, held); };
  for (std::size_t k = 0; k < held.bytes; ++k) {  // one byte changed, or all from it on cut off
    std::string other = whole;
    other[k] ^= 1;
    put_bytes(folder / "series.csv", other);
    EXPECT_TRUE(says(complaint(resume), "is damaged")) << k;
    put_bytes(folder / "series.csv", whole.substr(0, k));
    EXPECT_TRUE(says(complaint(resume), "is cut short")) << k;
  }
  put_bytes(folder / "series.csv", whole);
  auto series = Series::resume(folder / "series.csv", 20, held);
  EXPECT_EQ(series.record(), held);
  series.write(30, row(30, 1));
  EXPECT_EQ(bytes_of(folder / "series.csv"), whole);
}

TEST_F(SeriesTest, DoesNotFollowALinkThatSomebodyPutThere) {
  put_bytes(folder / "precious", "keep me");
  std::filesystem::create_symlink(folder / "precious", folder / "series.csv");
  Series series(folder / "series.csv");
  series.write(0, row(0, 1));
  EXPECT_EQ(bytes_of(folder / "precious"), "keep me");
  EXPECT_FALSE(std::filesystem::is_symlink(folder / "series.csv"));
}

TEST_F(SeriesTest, ResumedWithoutAFileIsBegun) {
  auto series = Series::resume(folder / "series.csv", 20);
  series.write(30, {{"x", "m", 1}});
  EXPECT_EQ(bytes_of(folder / "series.csv"), "step,x [m]\n30,1\n");
}

TEST_F(SeriesTest, OfSomebodyElseIsNotTouched) {
  put_bytes(folder / "series.csv", "time,x\n1,2\n");
  EXPECT_TRUE(says(complaint([&] { Series::resume(folder / "series.csv", 20); }), "is not a series"));
  put_bytes(folder / "series.csv", "step,x\nfirst,2\n");
  EXPECT_TRUE(says(complaint([&] { Series::resume(folder / "series.csv", 20); }), "series.csv:2: step: "));
  EXPECT_EQ(bytes_of(folder / "series.csv"), "step,x\nfirst,2\n");
}

TEST_F(SeriesTest, ThatMayNotGrowIsAFileError) {
  Series series(folder / "series.csv");
  const auto before = std::signal(SIGXFSZ, SIG_IGN);  // as the program does
  rlimit limit{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &limit), 0);
  const rlimit small{10, limit.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const std::string said = complaint<FileError>([&] { series.write(0, row(0, 1)); });
  ::setrlimit(RLIMIT_FSIZE, &limit);
  std::signal(SIGXFSZ, before);
  EXPECT_TRUE(says(said, "cannot be written: File too large"));
}
