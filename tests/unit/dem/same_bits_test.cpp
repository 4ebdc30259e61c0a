// The promise of equal bits: threads, skin, reordering, moments of rebuild and a dropped Scratch leave no trace.
// Sample: 300 balls of two materials in a periodic cell that is sheared and squeezed; three laws act at once.
#include <gtest/gtest.h>

#include <cstring>

#include <talus/core/rng.hpp>
#include <talus/exec/host.hpp>
#include <talus/measure/state_hash.hpp>

#include "../../support/mixed_sample.hpp"
#include "../../support/with_threads.hpp"

using namespace talus;
using namespace talus::test;
using dem::usual_ring;

namespace {

constexpr int steps = 500;
constexpr u64 seed = 20;

struct Way {
  int threads = 1;
  Real skin = 0.2, random_rebuilds = 0;
  Real drop = 0;  // probability per step of losing the Scratch
  MultiContactKind multi_contact = MultiContactKind::independent;
  bool iterate = false, tangential = false;
};

template <int D>
Sample<D> run(const Way& way) {
  Sample<D> s = mixed_sample<D>();
  s.model.options.skin = way.skin;
  s.model.options.random_rebuilds = way.random_rebuilds;
  s.model.options.random_rebuild_seed = 5;
  s.model.multi_contact.kind = way.multi_contact;
  s.model.multi_contact.iterate = way.iterate;
  s.model.multi_contact.tangential = way.tangential;
  s.model.multi_contact.reach = 0.3;
  s.model.multi_contact.tolerance = 1e-7;
  s.model.multi_contact.prepare(s.model.materials);
  const WithThreads guard(way.threads);
  s.prepare();
  Rng rng{seed, 1, 0};
  for (int n = 0; n < steps; ++n) {
    s.step();
    if (rng.uniform() < way.drop) s.scratch = {};
  }
  return s;
}

template <int D>
void expect_same_bits(const Sample<D>& p, const Sample<D>& q, const std::string& what) {
  ASSERT_EQ(p.state.bodies.size(), q.state.bodies.size());
  std::vector<std::string> different;
  std::vector<std::size_t> in_p(p.state.bodies.size()), in_q(in_p);
  for (std::size_t i = 0; i < in_p.size(); ++i) {
    in_p[p.state.bodies.uid[i]] = i;
    in_q[q.state.bodies.uid[i]] = i;
  }
  // Columns of both are laid out as bytes in uid order, in the one order that `visit` lists them.
  const auto bytes = [](const Bodies<D>& bodies, const std::vector<std::size_t>& order) {
    std::vector<std::pair<std::string, std::vector<unsigned char>>> out;
    Bodies<D>::visit(bodies, [&](const About& about, const auto& column) {
      std::vector<unsigned char> all;
      if (column.empty()) return;  // this run does not keep it
      for (const std::size_t i : order) {
        const auto* first = reinterpret_cast<const unsigned char*>(&column[i]);
        all.insert(all.end(), first, first + sizeof column[i]);
      }
      out.emplace_back(about.name, all);
    });
    return out;
  };
  const auto a = bytes(p.state.bodies, in_p), b = bytes(q.state.bodies, in_q);
  for (std::size_t c = 0; c < a.size(); ++c) EXPECT_TRUE(a[c].second == b[c].second) << a[c].first << ": " << what;
  EXPECT_EQ(std::memcmp(&p.state.globals.virial, &q.state.globals.virial, sizeof p.state.globals.virial), 0) << what;
  EXPECT_EQ(p.state.globals.boundary_work, q.state.globals.boundary_work) << what;
  EXPECT_EQ(state_hash(p.state), state_hash(q.state)) << what;
}

template <int D>
class SameBits : public ::testing::Test {
 protected:
  static const Sample<D>& reference() {
    static const Sample<D> s = run<D>({});
    return s;
  }
};
using SameBitsInSpace = SameBits<3>;
using SameBitsInThePlane = SameBits<2>;

}  // namespace

TEST_F(SameBitsInSpace, TheSampleIsALivelyOne) {
  const Sample<3>& s = reference();
  EXPECT_EQ(s.status, 0u);
  EXPECT_GT(s.scratch.rebuilds, 5);
  int rows = 0;
  for_each_law([&]<std::size_t L>() {
    std::size_t remembering = 0;
    for (std::size_t r = 0; r < s.state.rows_of<L>().size(); ++r) remembering += s.state.rows_of<L>().remembers(r);
    rows += remembering > 20;
  });
  EXPECT_EQ(rows, 3);  // three laws with contacts that remember
}
TEST_F(SameBitsInSpace, ForAnyNumberOfThreads) {
  for (const int threads : {2, 3, 7})
    expect_same_bits(reference(), run<3>({.threads = threads}), "threads " + std::to_string(threads));
}
TEST_F(SameBitsInSpace, ForAnySkin) {
  for (const Real skin : {0.05, 0.5})
    expect_same_bits(reference(), run<3>({.skin = skin}), "skin " + std::to_string(skin));
}
TEST_F(SameBitsInSpace, WhenRebuiltAndReorderedAtRandomSteps) {
  for (const Real skin : {0.05, 0.2, 0.5})
    expect_same_bits(reference(), run<3>({.threads = 2, .skin = skin, .random_rebuilds = 0.2}),
                     "random rebuilds, skin " + std::to_string(skin));
}
TEST_F(SameBitsInSpace, WhenTheScratchIsDroppedAtRandomSteps) {
  expect_same_bits(reference(), run<3>({.drop = 0.1}), "dropped");
  expect_same_bits(reference(), run<3>({.threads = 3, .skin = 0.5, .random_rebuilds = 0.1, .drop = 0.1}),
                   "dropped scratch and random rebuilds");
}
TEST_F(SameBitsInSpace, WhenContactsOfAGrainFeelOneAnother) {
  const Way ways[] = {{.multi_contact = MultiContactKind::multi_contact},
                      {.multi_contact = MultiContactKind::sphere_to_sphere},
                      {.multi_contact = MultiContactKind::sphere_to_sphere, .iterate = true},
                      {.multi_contact = MultiContactKind::half_space, .tangential = true}};
  for (const Way& way : ways) {
    const Sample<3> plain = run<3>(way);
    const std::string what = multi_contact_names()[std::size_t(way.multi_contact)] + (way.iterate ? ", iterated" : "") +
                             (way.tangential ? ", friction" : "");
    EXPECT_EQ(plain.status, 0u) << what;
    ASSERT_NE(state_hash(plain.state), state_hash(reference().state));
    Way other = way;
    if (!way.iterate) {
      other.threads = 3;
      expect_same_bits(plain, run<3>(other), what + ", threads");
    }
    other.skin = 0.5;
    other.random_rebuilds = 0.2;
    other.drop = 0.1;
    expect_same_bits(plain, run<3>(other), what + ", random rebuilds and dropped scratch");
  }
}
TEST_F(SameBitsInThePlane, ForThreadsSkinsReordersAndDroppedScratch) {
  EXPECT_EQ(reference().status, 0u);
  expect_same_bits(reference(), run<2>({.threads = 7}), "threads");
  expect_same_bits(reference(), run<2>({.skin = 0.05}), "skin");
  expect_same_bits(reference(), run<2>({.threads = 2, .skin = 0.5, .random_rebuilds = 0.2, .drop = 0.1}),
                   "all at once");
}
TEST(SameBitsOfChunks, WhenThreadsTakeThoseOfOthers) {  // 2,400 balls: shares of several chunks
  const auto after = [](int threads) {
    Sample<3> s = mixed_sample<3>(8);
    const WithThreads guard(threads);
    s.prepare();
    s.run(60);
    return s;
  };
  const Sample<3> reference = after(1);
  EXPECT_EQ(reference.status, 0u);
  for (const int threads : {2, 3, 4})
    for (int again = 0; again < 3; ++again)
      expect_same_bits(reference, after(threads), "threads " + std::to_string(threads));
}
// Results of rows in slots that are used again, or one slot for each row: the same bits, and the same forces to look at.
template <int D>
void compare_rings(const Sample<D>& sample, u32 small, std::vector<int> threads, const char* what) {
  const auto after = [&](u32 ring, int n) {
    Sample<D> s = sample;
    s.scratch.ring = ring;
    const WithThreads guard(n);
    s.prepare();
    EXPECT_EQ(s.scratch.plan.ring, ring == usual_ring ? 0u : ring) << what;
    s.note(dem::step(s.model, s.options, s.state, s.scratch, 60));
    return s;
  };
  const auto forces = [](const Sample<D>& s) {
    std::vector<Vec<D>> out;
    for (const auto& c : dem::contacts(s.model, s.state, s.scratch)) out.push_back(c.force);
    return out;
  };
  const Sample<D> reference = after(usual_ring, 1);
  EXPECT_EQ(reference.status, 0u);
  EXPECT_GT(reference.scratch.rebuilds, 1);
  for (const int n : threads) {
    const Sample<D> s = after(small, n);
    expect_same_bits(reference, s, std::string(what) + ", threads " + std::to_string(n));
    EXPECT_TRUE(forces(reference) == forces(s)) << what << ", threads " << n;
    EXPECT_LT(s.scratch.push.size(), s.scratch.marks.size()) << what;
  }
}
TEST(SameBitsOfRings, WhereverResultsLie) {
  compare_rings(mixed_sample<3>(64), 64, {1, 2, 3}, "periodic, in space");
  compare_rings(mixed_sample<2>(64), 32, {1, 2, 3}, "periodic, in the plane");
  compare_rings(walled_sample<3>(32), 64, {1, 2}, "walls, in space");
}
TEST(SameBitsOfSteps, InOneCallOrInMany) {
  const auto compare = [](const auto& sample, const std::string& what) {
    auto one_by_one = sample, at_once = sample, in_turns = sample;
    const auto run = [](auto& s, i64 steps) { s.note(dem::step(s.model, s.options, s.state, s.scratch, steps)); };
    for (auto* s : {&one_by_one, &at_once, &in_turns}) s->prepare();
    one_by_one.run(200);
    run(at_once, 200);
    Rng rng{seed, 2, 0};
    for (i64 left = 200; left > 0;) {
      const i64 turn = std::min(left, 1 + i64(rng.below(20)));
      run(in_turns, turn);
      left -= turn;
    }
    EXPECT_EQ(one_by_one.status | at_once.status | in_turns.status, 0u) << what;
    expect_same_bits(one_by_one, at_once, what);
    expect_same_bits(in_turns, at_once, what + ", in turns");
  };
  // A wall that goes along an axis has zeros with a sign in its velocity.
  const auto with_plate = [](auto sample) {
    sample.model.drives[3].control = WallControl::velocity;
    auto down = sample.model.drives[3].velocity;
    down[1] = 1;
    sample.model.drives[3].velocity = Real(-0.05) * down;
    return sample;
  };
  compare(mixed_sample<3>(), "periodic, in space");
  compare(mixed_sample<2>(), "periodic, in the plane");
  compare(with_plate(walled_sample<3>()), "walls, in space");
  compare(with_plate(walled_sample<2>()), "walls, in the plane");
  for (const bool iterate : {false, true}) {
    Sample<3> gel = with_plate(walled_sample<3>());
    gel.model.multi_contact.kind = MultiContactKind::multi_contact;
    gel.model.multi_contact.iterate = iterate;
    gel.model.multi_contact.reach = 0.3;
    gel.model.multi_contact.tolerance = 1e-7;
    gel.model.multi_contact.prepare(gel.model.materials);
    compare(gel, iterate ? "contacts that feel one another, iterated" : "contacts that feel one another");
  }
}
