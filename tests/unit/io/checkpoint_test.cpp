#include <talus/io/checkpoint.hpp>

#include <csignal>
#include <cstring>

#include <sys/resource.h>

#include <talus/core/hash.hpp>
#include <talus/io/checkpoint_envelope.hpp>
#include <talus/io/hdf5.hpp>
#include <talus/measure/state_hash.hpp>
#include <talus/contact/laws.hpp>

#include "../random_state.hpp"
#include "scratch_folder.hpp"

using namespace talus;
using namespace talus::testing;
using talus::law_index;

namespace {

const Provenance provenance{hash_text("a scene"), "1.2.3", R"({"stage": "shear"})"};

class Checkpoint : public ScratchFolder {};

// Every byte of every column, in the order of the file.
template <int D>
std::string all_bytes(const State<D>& state) {
  std::string out;
  const auto add = [&](const auto& value) { out.append(reinterpret_cast<const char*>(&value), sizeof value); };
  Globals<D>::visit(state.globals, [&](const About&, const auto& value) { add(value); });
  State<D>::visit_tables(state, [&](const AboutTable&, const auto& table) {
    std::remove_cvref_t<decltype(table)>::visit(table, [&](const About&, const auto& column) {
      for (const auto& value : column) add(value);
    });
  });
  return out;
}

template <int D>
void expect_round_trip(const std::filesystem::path& folder, bool ledger) {
  const auto state = random_state<D>(20, 2, 12, 1, ledger);
  const auto path = folder / "a.h5";
  write_checkpoint(path, state, provenance);
  State<D> back;
  const Provenance found = read_checkpoint(path, back, {provenance.scene_hash, provenance.version});

  EXPECT_EQ(found.extra, provenance.extra);
  EXPECT_EQ(state_hash(back), state_hash(state));
  EXPECT_EQ(back.globals.hash, state.globals.hash);
  EXPECT_EQ(back.globals.hashes, state.globals.hashes);
  EXPECT_EQ(back.walls, 2u);
  EXPECT_EQ(back.bodies.turn.size(), 22u);
  EXPECT_EQ(back.patches.size(), 12u);
  EXPECT_EQ(back.springs.size(), 12u);
  EXPECT_EQ(back.bodies.work.size(), ledger ? 22u : 0u);
  EXPECT_EQ(back.template rows_of<law_index<HertzMindlin<D>>>().size(), 8u);  // every third of the twelve remembers nothing
  for (std::size_t i = 1; i < 20; ++i) EXPECT_LT(back.bodies.uid[i - 1], back.bodies.uid[i]);
  const auto& rolling = back.template rows_of<law_index<Rolling<HertzMindlin<D>>>>();
  for (std::size_t r = 1; r < 8; ++r) EXPECT_TRUE(rolling.key[r - 1] < rolling.key[r]);

  // What was read is in the order of the file: written and read again it is the same to the byte.
  write_checkpoint(folder / "b.h5", back, provenance);
  State<D> again;
  read_checkpoint(folder / "b.h5", again);
  EXPECT_EQ(all_bytes(again), all_bytes(back));
  EXPECT_EQ(bytes_of(folder / "a.h5"), bytes_of(folder / "b.h5"));
  EXPECT_EQ(count_files(folder), 2u);
}

}  // namespace

TEST_F(Checkpoint, GivesTheSamePlaneStateBack) { expect_round_trip<2>(folder, true); }
TEST_F(Checkpoint, GivesTheSameSpatialStateBack) { expect_round_trip<3>(folder, true); }
TEST_F(Checkpoint, GivesAStateWithoutLedgerBack) { expect_round_trip<3>(folder, false); }

TEST_F(Checkpoint, KeepsUnusualNumbers) {
  auto state = random_state<3>(2, 0, 0, 2);
  u64 bits = 0x7ff4000000000123;  // a signalling NaN with a message inside
  std::memcpy(&state.bodies.mass[0], &bits, sizeof bits);
  state.bodies.mass[1] = -0.0;
  state.bodies.radius[0] = 5e-324;
  write_checkpoint(folder / "a.h5", state, provenance);
  State<3> back;
  read_checkpoint(folder / "a.h5", back);
  EXPECT_EQ(state_hash(back), state_hash(state));
}

TEST_F(Checkpoint, HoldsAnEmptyState) {
  write_checkpoint(folder / "a.h5", State<2>{}, {});
  State<2> back = random_state<2>(3, 1, 3, 3);
  read_checkpoint(folder / "a.h5", back);
  EXPECT_EQ(back.bodies.size(), 0u);
  EXPECT_EQ(state_hash(back), state_hash(State<2>{}));
}

TEST_F(Checkpoint, IsTheSameFileForTheSameStateInAnotherOrder) {
  auto state = random_state<3>(30, 2, 9, 4);
  write_checkpoint(folder / "a.h5", state, provenance);
  Rng rng{5};
  auto order = shuffled(30, rng);
  order.insert(order.end(), {30, 31});
  permute(state.bodies, order);
  for_each_law([&]<std::size_t L>() { permute(state.rows_of<L>(), shuffled(9, rng)); });
  write_checkpoint(folder / "b.h5", state, provenance);
  EXPECT_EQ(bytes_of(folder / "a.h5"), bytes_of(folder / "b.h5"));
}

TEST_F(Checkpoint, CutShortAnywhereIsRefused) {
  write_checkpoint(folder / "a.h5", random_state<2>(5, 1, 6, 6), provenance);
  const std::string whole = bytes_of(folder / "a.h5");
  for (std::size_t i = 0; i < 64; ++i) {
    const std::size_t length = i < 32 ? i * 17 : i == 63 ? whole.size() - 1 : i * whole.size() / 64;
    put_bytes(folder / "b.h5", whole.substr(0, length));
    State<2> back;
    EXPECT_TRUE(says(complaint([&] { read_checkpoint(folder / "b.h5", back); }), "b.h5: ")) << length;
    EXPECT_EQ(back.bodies.size(), 0u);
  }
}

TEST_F(Checkpoint, WithAFlippedBitAnywhereIsRefused) {
  write_checkpoint(folder / "a.h5", random_state<2>(3, 1, 3, 7), provenance);
  const std::string whole = bytes_of(folder / "a.h5");
  for (std::size_t at = 0; at < whole.size(); at += at < 600 ? 1 : 97) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << at % 8));
    put_bytes(folder / "b.h5", damaged);
    State<2> back;
    EXPECT_TRUE(says(complaint([&] { read_checkpoint(folder / "b.h5", back); }), "b.h5: ")) << at;
  }
}

TEST_F(Checkpoint, OfAnotherKindIsRefusedWithTheReason) {
  write_checkpoint(folder / "a.h5", random_state<2>(3, 1, 3, 8), provenance);
  State<2> plane;
  State<3> space;
  const auto read = [&](const char* name, const Expected& expected = {}) {
    return complaint([&] { read_checkpoint(folder / name, plane, expected); });
  };
  EXPECT_TRUE(says(read("none.h5"), "No such file"));
  EXPECT_TRUE(says(read("a.h5", {hash_text("another scene"), {}}), "belongs to another scene"));
  EXPECT_TRUE(says(read("a.h5", {{}, "1.2.4"}), "written by Talus 1.2.3, this is 1.2.4"));
  EXPECT_TRUE(says(complaint([&] { read_checkpoint(folder / "a.h5", space); }), "in 2 dimensions, this one has 3"));
  EXPECT_EQ(checkpoint_dimension(folder / "a.h5"), 2);

  put_bytes(folder / "b.h5", "\x89HDF\r\n\x1a\n and so on");
  EXPECT_TRUE(says(read("b.h5"), "is not a Talus checkpoint"));
  put_bytes(folder / "b.h5", "");
  EXPECT_TRUE(says(read("b.h5"), "is empty"));
  std::string earlier = bytes_of(folder / "a.h5");
  earlier.replace(earlier.find("format 3"), 8, "format 2");
  put_bytes(folder / "b.h5", earlier);
  EXPECT_TRUE(says(read("b.h5"), "has format 2, this program reads format 3"));
}

// The seal is right but HDF5 finds nothing it knows: an error, not a crash and not a line on stderr.
TEST_F(Checkpoint, WithForeignContentUnderAGoodSealIsRefused) {
  const std::string content(5000, 'x');
  put_bytes(folder / "b.h5", Envelope::around(content, 3).text() + content);
  State<2> state;
  ::testing::internal::CaptureStderr();
  EXPECT_TRUE(says(complaint([&] { read_checkpoint(folder / "b.h5", state); }), "cannot open the file as HDF5"));
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

// Damage that the seal does not tell reaches HDF5. What was opened until then is closed.
TEST_F(Checkpoint, DamagedUnderAGoodSealLeavesNothingOpen) {
  write_checkpoint(folder / "a.h5", random_state<2>(20, 2, 12, 1, true), provenance);
  const std::string content = bytes_of(folder / "a.h5").substr(Envelope::size);
  int refused = 0;
  for (std::size_t at = 0; at < 4096; at += 7) {
    std::string damaged = content;
    if (damaged[at] == 0) continue;
    damaged[at] = char(at % 256);
    put_bytes(folder / "b.h5", Envelope::around(damaged, 3).text() + damaged);
    State<2> state;
    try {
      read_checkpoint(folder / "b.h5", state);
    } catch (const InputError&) {
      ++refused;
    }
    ASSERT_EQ(hdf5::open_handles(), 0) << "byte " << at;
  }
  EXPECT_GT(refused, 50);
}

TEST_F(Checkpoint, ThatCannotBeWrittenLeavesTheOldOne) {
  put_bytes(folder / "file", "");
  const auto state = random_state<3>(2000, 0, 0, 9);
  EXPECT_TRUE(says(complaint<FileError>([&] { write_checkpoint(folder / "file" / "a.h5", state, provenance); }),
                   "Not a directory"));

  write_checkpoint(folder / "a.h5", random_state<3>(2, 0, 0, 10), provenance);
  const std::string before = bytes_of(folder / "a.h5");
  rlimit old{};
  ::getrlimit(RLIMIT_FSIZE, &old);
  const rlimit small{100'000, old.rlim_max};
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  ::setrlimit(RLIMIT_FSIZE, &small);  // a disk that is full after 100 kB
  const auto message = complaint<FileError>([&] { write_checkpoint(folder / "a.h5", state, provenance); });
  ::setrlimit(RLIMIT_FSIZE, &old);
  std::signal(SIGXFSZ, handler);
  EXPECT_TRUE(says(message, "cannot be written: File too large"));
  EXPECT_EQ(bytes_of(folder / "a.h5"), before);
  EXPECT_EQ(count_files(folder), 2u);
}

TEST_F(Checkpoint, LastTwoAreKept) {
  put_bytes(folder / "checkpoint-000000000900.h5", "left over from before a fall-back");
  put_bytes(folder / "checkpoint-000000000005.h5.part", "unfinished");
  put_bytes(folder / "checkpoint-notes.h5", "the user's");
  auto state = random_state<2>(2, 0, 0, 11);
  for (const i64 step : {10, 20, 30}) {
    state.globals.step = step;
    save_checkpoint(folder, state, provenance);
  }
  EXPECT_TRUE(std::filesystem::exists(folder / "checkpoint-000000000020.h5"));
  EXPECT_TRUE(std::filesystem::exists(folder / "checkpoint-000000000030.h5"));
  EXPECT_TRUE(std::filesystem::exists(folder / "checkpoint-notes.h5"));
  EXPECT_EQ(count_files(folder), 3u);
}

TEST_F(Checkpoint, NewestWholeOneIsFound) {
  EXPECT_FALSE(newest_checkpoint(folder));
  auto state = random_state<2>(2, 0, 0, 12);
  for (const i64 step : {999'999'999'999, 1'000'000'000'000}) {  // the second has one digit more
    state.globals.step = step;
    save_checkpoint(folder, state, provenance);
  }
  auto found = newest_checkpoint(folder);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->step, 1'000'000'000'000);
  EXPECT_EQ(found->message, "");

  std::filesystem::resize_file(found->path, 1000);
  found = newest_checkpoint(folder);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->step, 999'999'999'999);
  EXPECT_TRUE(says(found->message, "checkpoint-1000000000000.h5: the checkpoint is cut short"));
  EXPECT_TRUE(says(found->message, "going on from the one before"));

  std::filesystem::resize_file(found->path, 0);
  EXPECT_TRUE(says(complaint([&] { newest_checkpoint(folder); }), "no checkpoint of the run is whole"));
  EXPECT_TRUE(says(complaint([&] { newest_checkpoint(folder / "none"); }), "cannot be read"));
}
