// A law on lanes gives every lane the bits of the scalar call, whatever the contacts beside it do: other constants,
// other histories, one sliding while another is new. Run over the list in laws.hpp.
// A NaN counts as a NaN: its sign and payload are the compiler's choice, in scalars too.
#include <gtest/gtest.h>

#include <bit>
#include <span>

#include <talus/contact/laws.hpp>
#include <talus/core/rng.hpp>

#include "../../support/every_law.hpp"
#include "../../support/sample.hpp"

using namespace talus;
using namespace talus::test;

namespace {

constexpr u64 seed = 11;
constexpr Real radius = 1e-3, mass = 1e-5, deepest = 2e-5;

// The words of a record, of numbers or of lanes.
template <class R>
auto words_of(R& record) {
  using Word = std::conditional_t<std::is_const_v<R>, const Real, Real>;
  return std::span<Word, sizeof(R) / sizeof(Real)>(reinterpret_cast<Word*>(&record), sizeof(R) / sizeof(Real));
}

// Word w of lane k lies at w N + k.
template <int N, class L, class R>
void put(L& lanes, int k, const R& record) {
  static_assert(sizeof(L) == N * sizeof(R));
  const auto from = words_of(record);
  const auto to = words_of(lanes);
  for (std::size_t w = 0; w < from.size(); ++w) to[w * N + std::size_t(k)] = from[w];
}
// The name of the first word in which lane k differs from the record, or nothing.
template <int N, class L, class R>
std::string difference(const char* what, const L& lanes, int k, const R& record) {
  static_assert(sizeof(L) == N * sizeof(R));
  const auto one = words_of(record);
  const auto all = words_of(lanes);
  for (std::size_t w = 0; w < one.size(); ++w) {
    const Real a = one[w], b = all[w * N + std::size_t(k)];
    if (std::bit_cast<u64>(a) == std::bit_cast<u64>(b) || (a != a && b != b)) continue;
    std::ostringstream text;
    text.precision(17);
    text << what << ", word " << w << ": " << a << " alone, " << b << " in lane " << k;
    return text.str();
  }
  return {};
}

// Numbers and words of a law's constants at random, so that no law need be known here.
class AnyInput : public PlausibleInput {
 public:
  explicit AnyInput(Rng& rng) : rng_(rng) {}
  Real number(std::string_view key, Dimension dimension, Range range, std::optional<Real> fallback,
              std::string_view about) override {
    return rng_.uniform(0.1, 1) * PlausibleInput::number(key, dimension, range, fallback, about);
  }
  std::string choice(std::string_view, const std::vector<std::string>& allowed, std::optional<std::string>,
                     std::string_view) override {
    return allowed[rng_.below(allowed.size())];
  }

 private:
  Rng& rng_;
};

// Constants of a pair. Coefficients are often at their ends: no friction, no damping, no rolling resistance.
template <class Law>
typename Law::Params any_params(Rng& rng) {
  const auto often = [&](Real at_end, Real low, Real high) {
    return rng.below(3) == 0 ? at_end : rng.uniform(low, high);
  };
  Material a = sand(), b = sand();
  a.young *= rng.uniform(0.1, 1);
  b.poisson = rng.uniform(0, 0.4);
  const PairCoefficients c{often(0, 0.1, 0.8), often(1, 0.2, 0.95), often(0, 0.01, 0.5)};
  AnyInput in(rng);
  return Law::mix(in, a, b, c);
}

template <int D>
Vec<D> any_direction(Rng& rng) {
  Vec<D> v;
  if (rng.below(4) == 0) {  // along an axis: exact zeros
    v[int(rng.below(D))] = rng.below(2) == 0 ? 1 : -1;
    return v;
  }
  do {
    for (int k = 0; k < D; ++k) v[k] = rng.uniform(-1, 1);
  } while (!(dot(v, v) > 0.01 && dot(v, v) < 1));
  return (1 / length(v)) * v;
}

// One contact that goes its way: pressed and released, sheared a little or dragged along, now and then at rest.
template <class Law>
struct Path {
  static constexpr int D = Law::dimension;
  typename Law::Params params;
  typename Law::History history{};
  Touch<D> touch{};
  Slip<D> slip{};

  Path(Rng& rng, const typename Law::Params& p) : params(p) { touch.normal = any_direction<D>(rng); }

  void move(Rng& rng, Real dt, Real friction_scale) {
    if (rng.below(20) == 0) history = {};  // a new contact
    if (rng.below(3) == 0) {
      touch.normal = touch.normal + Real(0.05) * any_direction<D>(rng);
      touch.normal = (1 / length(touch.normal)) * touch.normal;
    }
    touch.overlap = deepest * std::pow(10, rng.uniform(-3, 0));
    touch.radius = radius * rng.uniform(0.5, 1);
    touch.mass = mass * rng.uniform(0.5, 1);
    const Real speed = rng.below(8) == 0 ? 0 : std::pow(10, rng.uniform(-5, 1));
    slip.velocity = speed * any_direction<D>(rng);
    if (rng.below(8) == 0) slip.velocity = reject(slip.velocity, touch.normal);
    for (int k = 0; k < Spin<D>::size; ++k) slip.rolling[k] = speed * rng.uniform(-1e3, 1e3);
    if (rng.below(8) == 0) slip.rolling = {};
    slip.dt = dt;
    slip.friction_scale = friction_scale;
  }
};

// What a test wants to have met on the way.
struct Met {
  int fresh = 0, kept = 0, slid = 0, unloaded = 0, undamped = 0, pulled = 0;
};

enum class Constants { equal, different, changing };

// N contacts in lanes beside the same N contacts one by one.
template <class Law, int N>
void go(Constants constants, Met& met) {
  constexpr int D = Law::dimension;
  using T = Lanes<N>;
  for (u64 sample = 0; sample < 40; ++sample) {
    Rng rng{seed, u64(N), sample << 32};
    const auto common = any_params<Law>(rng);
    std::vector<Path<Law>> paths;
    for (int k = 0; k < N; ++k) paths.emplace_back(rng, constants == Constants::equal ? common : any_params<Law>(rng));
    typename Law::template HistoryOf<T> history{};
    for (int step = 0; step < 200; ++step) {
      const Real dt = rng.below(20) == 0 ? 0 : 1e-7, scale = rng.below(10) == 0 ? 0 : rng.uniform(0.5, 1);
      typename Law::template ParamsOf<T> params;
      Touch<D, T> touch;
      Slip<D, T> slip;
      slip.dt = dt;
      slip.friction_scale = scale;
      for (int k = 0; k < N; ++k) {
        Path<Law>& path = paths[std::size_t(k)];
        if (constants == Constants::changing && rng.below(10) == 0) path.params = any_params<Law>(rng);
        path.move(rng, dt, scale);
        put<N>(params, k, path.params);
        put<N>(touch, k, path.touch);
        put<N>(history, k, path.history);
        put<N>(slip.velocity, k, path.slip.velocity);
        put<N>(slip.rolling, k, path.slip.rolling);
      }
      Audit<D, T> audit;
      const T stiffness = Law::stiffness(params, touch);
      const Push<D, T> push = Law::act(params, touch, slip, history, audit);
      const StoredOf<T> stored = Law::stored(params, touch, history);
      for (int k = 0; k < N; ++k) {
        Path<Law>& path = paths[std::size_t(k)];
        const bool fresh = all_zero(path.history);
        Audit<D> alone;
        const Real k_n = Law::stiffness(path.params, path.touch);
        const Push<D> pushed = Law::act(path.params, path.touch, path.slip, path.history, alone);
        const Stored held = Law::stored(path.params, path.touch, path.history);
        for (const std::string& found :
             {difference<N>("stiffness", stiffness, k, k_n), difference<N>("push", push, k, pushed),
              difference<N>("history", history, k, path.history), difference<N>("audit", audit, k, alone),
              difference<N>("stored", stored, k, held)})
          ASSERT_EQ(found, "") << Law::name << ", seed " << seed << ", sample " << sample << ", step " << step;
        met.fresh += fresh;
        met.kept += !fresh && alone.friction == 0;
        met.slid += alone.friction > 0;
        met.unloaded += alone.stiffness != 0;
        met.undamped += dot(alone.viscous, alone.viscous) == 0;
        met.pulled += dot(pushed.force, path.touch.normal) < 0;
      }
    }
  }
}
template <class Law>
Met go_in_all_widths(Constants constants) {
  Met met;
  go<Law, 2>(constants, met);
  go<Law, 4>(constants, met);
  go<Law, 8>(constants, met);
  return met;
}

template <class Law>
class LawOnLanes : public ::testing::Test {};
TYPED_TEST_SUITE(LawOnLanes, EveryLaw, LawName);

}  // namespace

TYPED_TEST(LawOnLanes, GivesTheBitsOfTheScalarToLanesOfOnePair) {
  const Met met = go_in_all_widths<TypeParam>(Constants::equal);
  EXPECT_GT(met.fresh, 1000);
  EXPECT_GT(met.kept, 1000);
  EXPECT_GT(met.slid, 1000);
  EXPECT_GT(met.undamped, 1000);
  EXPECT_GT(met.pulled, 1000);
}
TYPED_TEST(LawOnLanes, GivesTheBitsOfTheScalarToLanesOfDifferentPairs) {
  go_in_all_widths<TypeParam>(Constants::different);
}
// A run that is resumed with other constants keeps the histories that were made with the old ones.
TYPED_TEST(LawOnLanes, GivesTheBitsOfTheScalarWhenTheHistoryIsOfOtherConstants) {
  const Met met = go_in_all_widths<TypeParam>(Constants::changing);
  EXPECT_GT(met.slid, 1000);
}
