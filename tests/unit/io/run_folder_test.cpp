#include <talus/io/run_folder.hpp>

#include <set>
#include <thread>

#include "scratch_folder.hpp"

using namespace talus;
using namespace talus::testing;

namespace {
class RunFolderTest : public ScratchFolder {};
}  // namespace

TEST_F(RunFolderTest, IsClaimedByTheOneWhoMadeIt) {
  const auto holder = RunFolder::create(folder / "a", "drop");
  EXPECT_TRUE(says(complaint([&] { RunFolder::create(folder / "a", "drop"); }), "another process is writing"));
  put_bytes(holder.scene(), "x = 1\n");
  EXPECT_TRUE(says(complaint([&] { RunFolder::open(folder / "a").claim(); }), "another process is writing"));
  EXPECT_EQ(RunFolder::open(folder / "a").path(), folder / "a");  // reading needs no claim
}

TEST_F(RunFolderTest, IsMadeWithItsParents) {
  const auto run = RunFolder::create(folder / "a" / "b", "drop");
  EXPECT_EQ(run.path(), folder / "a" / "b");
  EXPECT_TRUE(std::filesystem::is_directory(run.path()));
  EXPECT_EQ(run.series(), folder / "a" / "b" / "series.csv");
}

TEST_F(RunFolderTest, MayBeThereWhenEmpty) {
  std::filesystem::create_directory(folder / "a");
  EXPECT_EQ(RunFolder::create(folder / "a", "drop").path(), folder / "a");
}

TEST_F(RunFolderTest, IsRefusedWhenNotEmpty) {
  put_bytes(folder / "old.txt", "");
  EXPECT_TRUE(says(complaint([&] { RunFolder::create(folder, "drop"); }),
                   folder.string() + ": the folder is not empty; choose another folder or remove it"));
  EXPECT_EQ(count_files(folder), 1u);
}

TEST_F(RunFolderTest, IsRefusedWithTheReasonWhereItCannotBeMade) {
  put_bytes(folder / "file", "");
  EXPECT_TRUE(says(complaint([&] { RunFolder::create(folder / "file", "drop"); }), "is a file, not a folder"));
  EXPECT_TRUE(says(complaint([&] { RunFolder::create(folder / "file" / "a", "drop"); }), "Not a directory"));
  EXPECT_TRUE(says(complaint([&] { RunFolder::create({}, "drop", folder / "file"); }), "Not a directory"));
  EXPECT_TRUE(says(complaint([&] { RunFolder::create({}, "a/b", folder); }), "cannot be the name of a run"));
}

TEST_F(RunFolderTest, CountsUp) {
  EXPECT_EQ(RunFolder::create({}, "drop", folder).path(), folder / "runs" / "drop-0001");
  EXPECT_EQ(RunFolder::create({}, "drop", folder).path(), folder / "runs" / "drop-0002");
  EXPECT_EQ(RunFolder::create({}, "shear", folder).path(), folder / "runs" / "shear-0001");
}

TEST_F(RunFolderTest, IsNeverGivenTwice) {
  std::vector<std::string> taken(40);
  std::vector<std::thread> askers;
  for (std::size_t t = 0; t < 4; ++t)
    askers.emplace_back([&, t] {
      for (std::size_t i = 0; i < 10; ++i) taken[10 * t + i] = RunFolder::create({}, "drop", folder).path().string();
    });
  for (auto& asker : askers) asker.join();
  EXPECT_EQ(std::set<std::string>(taken.begin(), taken.end()).size(), 40u);
}

TEST_F(RunFolderTest, OfAnEarlierRunHoldsItsScene) {
  EXPECT_TRUE(says(complaint([&] { RunFolder::open(folder / "none"); }), "there is no such folder"));
  EXPECT_TRUE(says(complaint([&] { RunFolder::open(folder); }), "holds no scene.toml"));
  put_bytes(folder / "scene.toml", "");
  EXPECT_EQ(RunFolder::open(folder).path(), folder);
}
