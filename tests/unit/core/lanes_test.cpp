// Every lane of Lanes<N> gets the bits that the scalar gets: arithmetic, choices, masks, and records that come and go.
// One exception: a NaN that arithmetic makes has a sign and a payload that are the compiler's choice, in scalars too.
#include <gtest/gtest.h>

#include <bit>
#include <limits>
#include <vector>

#include <talus/core/lanes.hpp>
#include <talus/core/rng.hpp>

using namespace talus;

namespace {

constexpr u64 seed = 7;
constexpr int rounds = 20000;

u64 bits_of(Real x) { return std::bit_cast<u64>(x); }
bool is_same(Real a, Real b) { return bits_of(a) == bits_of(b) || (a != a && b != b); }

// Any double: everyday numbers, those at the ends of the range, and those that are no numbers.
Real draw(Rng& rng) {
  using Limits = std::numeric_limits<Real>;
  static const Real special[] = {0.0,
                                 -0.0,
                                 1.0,
                                 -1.0,
                                 Limits::infinity(),
                                 -Limits::infinity(),
                                 Limits::quiet_NaN(),
                                 -Limits::quiet_NaN(),
                                 Limits::denorm_min(),
                                 -Limits::denorm_min(),
                                 Limits::min(),
                                 -Limits::min(),
                                 Limits::max(),
                                 -Limits::max(),
                                 Limits::epsilon(),
                                 0x1p-1060};
  switch (rng.below(4)) {
    case 0:
      return special[rng.below(std::size(special))];
    case 1:
      return rng.uniform(-10, 10);
    case 2:
      return Real(i64(rng.below(7)) - 3);  // often equal, often zero
    default: {
      const Real x = std::bit_cast<Real>(rng.bits());
      return x == x ? x : 1;  // signalling NaNs turn quiet wherever they pass through a register
    }
  }
}

template <int N>
Lanes<N> lanes_of(const Real (&x)[N]) {
  Lanes<N> out;
  for (int k = 0; k < N; ++k) out.v[k] = x[k];
  return out;
}

// N numbers for each of three operands.
template <int N>
struct Operands {
  Real x[N], y[N], z[N];
  Lanes<N> a, b, c;
  explicit Operands(Rng& rng) {
    for (int k = 0; k < N; ++k) {
      x[k] = draw(rng);
      y[k] = rng.below(4) == 0 ? x[k] : draw(rng);
      z[k] = draw(rng);
    }
    a = lanes_of<N>(x);
    b = lanes_of<N>(y);
    c = lanes_of<N>(z);
  }
};

template <class Width>
class LanesOf : public ::testing::Test {
 protected:
  static constexpr int width = Width::value;
  // f(operands) gives lanes, g(x, y, z) the scalar.
  template <class F, class G>
  static void expect_same(const char* what, bool exact, const F& f, const G& g) {
    Rng rng{seed, 0, 0};
    for (int n = 0; n < rounds; ++n) {
      const Operands<width> o(rng);
      const Lanes<width> out = f(o.a, o.b, o.c);
      for (int k = 0; k < width; ++k) {
        const Real one = g(o.x[k], o.y[k], o.z[k]), lane = out.v[k];
        ASSERT_TRUE(exact ? bits_of(one) == bits_of(lane) : is_same(one, lane))
            << what << " of " << o.x[k] << ", " << o.y[k] << ", " << o.z[k] << " is " << one << " but " << lane
            << " in lane " << k << "; seed " << seed << ", round " << n;
      }
    }
  }
  template <class F, class G>
  static void expect_same_mask(const char* what, const F& f, const G& g) {
    Rng rng{seed, 1, 0};
    for (int n = 0; n < rounds; ++n) {
      const Operands<width> o(rng);
      const Mask<width> out = f(o.a, o.b, o.c);
      unsigned expected = 0;
      for (int k = 0; k < width; ++k) expected |= unsigned(bool(g(o.x[k], o.y[k], o.z[k]))) << k;
      ASSERT_EQ(bits(out), expected) << what << "; seed " << seed << ", round " << n;
      ASSERT_EQ(any(out), expected != 0) << what;
      for (int k = 0; k < width; ++k) ASSERT_EQ(i64(out.v[k]), (expected >> k & 1u) ? i64(-1) : i64(0)) << what;
    }
  }
};

template <int N>
struct Width {
  static constexpr int value = N;
};
struct WidthName {
  template <class W>
  static std::string GetName(int) {
    return std::to_string(W::value);
  }
};
using Widths = ::testing::Types<Width<2>, Width<4>, Width<8>>;
TYPED_TEST_SUITE(LanesOf, Widths, WidthName);

// A record of W words, of numbers or of lanes.
template <std::size_t W, class T = Real>
struct Record {
  T word[W];
};
template <class T>
struct Nested {  // as a history in a history: seven words
  Record<4, T> inner;
  Record<2, T> pair;
  T last;
};

template <int N>
Places<N> places_in(Rng& rng, u32 size) {
  Places<N> places;
  for (u32& at : places.at) at = u32(rng.below(size));
  if (rng.below(3) == 0) places.at[rng.below(N)] = places.at[rng.below(N)];  // twice the same
  if (rng.below(8) == 0)
    for (u32& at : places.at) at = size - 1;
  return places;
}

template <class R>
std::vector<R> column_of(Rng& rng, u32 size) {
  std::vector<R> column(size);
  auto* words = reinterpret_cast<Real*>(column.data());
  for (std::size_t w = 0; w < size * sizeof(R) / sizeof(Real); ++w) words[w] = draw(rng);
  return column;
}

// Records of `column` (R) in lanes (L): loaded, and stored elsewhere as a loop over the lanes would.
template <int N, class R, class L>
void expect_records_travel() {
  constexpr std::size_t words = sizeof(R) / sizeof(Real);
  constexpr u32 size = 13;
  Rng rng{seed, 2, words};
  for (int n = 0; n < 500; ++n) {
    const auto column = column_of<R>(rng, size);
    const Places<N> from = places_in<N>(rng, size), to = places_in<N>(rng, size);
    const L loaded = load<L>(column.data(), from);
    const auto* lanes = reinterpret_cast<const Lanes<N>*>(&loaded);
    const auto word_of = [](const std::vector<R>& c, u32 at, std::size_t w) {
      return bits_of(reinterpret_cast<const Real*>(&c[at])[w]);
    };
    for (std::size_t w = 0; w < words; ++w)
      for (int k = 0; k < N; ++k)
        ASSERT_EQ(bits_of(lanes[w].v[k]), word_of(column, from.at[k], w)) << "word " << w << " of " << words;

    auto target = column_of<R>(rng, size), expected = target;
    for (int k = 0; k < N; ++k) store(expected.data(), to.at[k], load<R>(column.data(), from.at[k]));  // the last stays
    store(target.data(), to, loaded);
    for (u32 at = 0; at < size; ++at)
      for (std::size_t w = 0; w < words; ++w)
        ASSERT_EQ(word_of(target, at, w), word_of(expected, at, w)) << "word " << w << " of " << words << " at " << at;
  }
}

}  // namespace

TYPED_TEST(LanesOf, AddSubtractMultiplyAndDivideAsOneNumberDoes) {
  this->expect_same(
      "+", false, [](auto a, auto b, auto) { return a + b; }, [](Real a, Real b, Real) { return a + b; });
  this->expect_same(
      "-", false, [](auto a, auto b, auto) { return a - b; }, [](Real a, Real b, Real) { return a - b; });
  this->expect_same(
      "*", false, [](auto a, auto b, auto) { return a * b; }, [](Real a, Real b, Real) { return a * b; });
  this->expect_same(
      "/", false, [](auto a, auto b, auto) { return a / b; }, [](Real a, Real b, Real) { return a / b; });
  this->expect_same(
      "+=", false, [](auto a, auto b, auto) { return a += b; }, [](Real a, Real b, Real) { return a + b; });
  this->expect_same(
      "-=", false, [](auto a, auto b, auto) { return a -= b; }, [](Real a, Real b, Real) { return a - b; });
}
TYPED_TEST(LanesOf, NeverFuseAMultiplicationWithAnAddition) {
  this->expect_same(
      "a b + c", false, [](auto a, auto b, auto c) { return a * b + c; },
      [](Real a, Real b, Real c) {
        const volatile Real product = a * b;
        return product + c;
      });
  this->expect_same(
      "c - a b", false, [](auto a, auto b, auto c) { return c - a * b; },
      [](Real a, Real b, Real c) {
        const volatile Real product = a * b;
        return c - product;
      });
}
TYPED_TEST(LanesOf, NegateAndTakeRootsAsOneNumberDoes) {
  this->expect_same(
      "negation", true, [](auto a, auto, auto) { return -a; }, [](Real a, Real, Real) { return -a; });
  this->expect_same(
      "root", false, [](auto a, auto, auto) { return sqrt(a); }, [](Real a, Real, Real) { return std::sqrt(a); });
  this->expect_same(
      "root of a square", false, [](auto a, auto, auto) { return sqrt(a * a); },
      [](Real a, Real, Real) { return talus::sqrt(a * a); });
}
TYPED_TEST(LanesOf, ChooseAsOneNumberDoes) {
  const auto smaller = [](auto a, auto b, auto) { return min(a, b); };
  const auto larger = [](auto a, auto b, auto) { return max(a, b); };
  this->expect_same("min", true, smaller, [](Real a, Real b, Real) { return talus::min(a, b); });
  this->expect_same("max", true, larger, [](Real a, Real b, Real) { return talus::max(a, b); });
  this->expect_same(
      "select", true, [](auto a, auto b, auto c) { return select(a < b, b, c); },
      [](Real a, Real b, Real c) { return select(a < b, b, c); });
  this->expect_same(
      "select by a mask of masks", true, [](auto a, auto b, auto c) { return select((a < b) & !(b <= c), c, a); },
      [](Real a, Real b, Real c) { return select(bool((a < b) & !(b <= c)), c, a); });
}
TYPED_TEST(LanesOf, HideWhatTheSideNotChosenComputes) {
  this->expect_same(
      "guarded quotient", false, [](auto a, auto b, auto c) { return select(b > decltype(b)(0), a / b, c); },
      [](Real a, Real b, Real c) { return b > 0 ? a / b : c; });
  this->expect_same(
      "guarded root", false, [](auto a, auto, auto c) { return select(a > decltype(a)(0), sqrt(a), c); },
      [](Real a, Real, Real c) { return a > 0 ? std::sqrt(a) : c; });
}
TYPED_TEST(LanesOf, CompareAsOneNumberDoes) {
  this->expect_same_mask(
      "<", [](auto a, auto b, auto) { return a < b; }, [](Real a, Real b, Real) { return a < b; });
  this->expect_same_mask(
      ">", [](auto a, auto b, auto) { return a > b; }, [](Real a, Real b, Real) { return a > b; });
  this->expect_same_mask(
      "<=", [](auto a, auto b, auto) { return a <= b; }, [](Real a, Real b, Real) { return a <= b; });
  this->expect_same_mask(
      "==", [](auto a, auto b, auto) { return a == b; }, [](Real a, Real b, Real) { return a == b; });
  this->expect_same_mask(
      "not", [](auto a, auto b, auto) { return !(a <= b); }, [](Real a, Real b, Real) { return !(a <= b); });
  this->expect_same_mask(
      "and", [](auto a, auto b, auto c) { return (a < b) & (b < c); },
      [](Real a, Real b, Real c) { return a < b && b < c; });
  this->expect_same_mask(
      "or", [](auto a, auto b, auto c) { return (a < b) | (b < c); },
      [](Real a, Real b, Real c) { return a < b || b < c; });
}
TYPED_TEST(LanesOf, AllHoldTheOneNumberTheyAreMadeOf) {
  this->expect_same(
      "a constant", true, [](auto a, auto, auto) { return decltype(a)(Real(-0.0)); },
      [](Real, Real, Real) { return Real(-0.0); });
  Rng rng{seed, 3, 0};
  for (int n = 0; n < rounds; ++n) {
    const Real x = draw(rng);
    const Lanes<TypeParam::value> all = x;
    for (int k = 0; k < TypeParam::value; ++k) ASSERT_EQ(bits_of(all.v[k]), bits_of(x)) << x;
  }
  for (int k = 0; k < TypeParam::value; ++k) ASSERT_EQ(bits_of(Lanes<TypeParam::value>().v[k]), 0u);
}
TYPED_TEST(LanesOf, GiveTheLargestAsALoopDoes) {
  Rng rng{seed, 4, 0};
  for (int n = 0; n < rounds; ++n) {
    const Operands<TypeParam::value> o(rng);
    Real most = o.x[0];
    for (const Real x : o.x) most = talus::max(most, x);
    ASSERT_EQ(bits_of(largest(o.a)), bits_of(most)) << "seed " << seed << ", round " << n;
  }
}
TYPED_TEST(LanesOf, TakeWholeNumbersExactly) {
  constexpr int N = TypeParam::value;
  Rng rng{seed, 5, 0};
  for (int n = 0; n < rounds; ++n) {
    typename VectorOf<N>::Ints whole;
    for (int k = 0; k < N; ++k) {
      const u64 kind = rng.below(4);
      whole[k] = kind == 0   ? i32(u32(rng.bits()))
                 : kind == 1 ? std::numeric_limits<i32>::min()
                 : kind == 2 ? std::numeric_limits<i32>::max()
                             : i32(rng.below(7)) - 3;
    }
    const Lanes<N> out = Lanes<N>::of(whole);
    for (int k = 0; k < N; ++k) ASSERT_EQ(bits_of(out.v[k]), bits_of(Real(whole[k]))) << whole[k];
  }
}
TYPED_TEST(LanesOf, CarryRecordsFromAnywhereToAnywhere) {
  constexpr int N = TypeParam::value;
  expect_records_travel<N, Real, Lanes<N>>();
  [&]<std::size_t... W>(std::index_sequence<W...>) {
    (expect_records_travel<N, Record<W + 1>, Record<W + 1, Lanes<N>>>(), ...);
  }
  (std::make_index_sequence<12>{});
  expect_records_travel<N, Nested<Real>, Nested<Lanes<N>>>();
}

TEST(InverseRoot, IsGoodToFiveUnitsOfTheLastPlaceAndTheSameInLanes) {
  Rng rng{seed, 3, 0};
  for (int n = 0; n < rounds; ++n) {
    Lanes<4> wide;
    for (int k = 0; k < 4; ++k) wide.v[k] = std::exp(rng.uniform(-300, 300)) * rng.uniform(0.5, 2);
    const Lanes<4> roots = inverse_root(wide);
    for (int k = 0; k < 4; ++k) {
      const Real x = wide.v[k], y = inverse_root(x);
      EXPECT_TRUE(is_same(y, roots.v[k]));
      const long double exact = 1 / std::sqrt(static_cast<long double>(x));
      ASSERT_LT(std::abs(static_cast<double>((y - exact) / exact)), 1.2e-15) << x;
    }
  }
  for (const Real x : {0.0, -1.0}) EXPECT_EQ(inverse_root(x), HUGE_VAL);
}
