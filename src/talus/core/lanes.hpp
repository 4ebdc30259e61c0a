#pragma once
// Lanes<N>: N numbers that go through the same arithmetic together, one contact in each. Code that is written for a
// scalar type T runs with Real (one contact; the device) and with Lanes (as many as a vector register holds), and every
// lane gets the bits the scalar would: the operations are those of IEEE 754, nothing is fused, nothing reordered.
//
// Such code does not branch on values: it computes both sides and says `select`. `any` tells whether a side is needed.
#include <array>
#include <bit>
#include <cmath>
#include <type_traits>
#include <utility>

#include <talus/core/real.hpp>

#if defined(__AVX__) && !defined(__CUDACC__)
#include <immintrin.h>
#endif

namespace talus {

// The words for one number; a mask is a bool.
TALUS_HD Real sqrt(Real x) { return std::sqrt(x); }
TALUS_HD Real floor(Real x) { return std::floor(x); }
TALUS_HD Real select(bool which, Real yes, Real no) { return which ? yes : no; }
TALUS_HD bool any(bool mask) { return mask; }

// A first guess of 1 / sqrt(x): the bits of a number are nearly its logarithm.
inline constexpr u64 inverse_root_seed = 0x5febe00000000000;
TALUS_HD Real guess_inverse_root(Real x) {
#if defined(__CUDA_ARCH__)
  return __longlong_as_double(i64(inverse_root_seed - (u64(__double_as_longlong(x)) >> 1)));
#else
  return std::bit_cast<Real>(inverse_root_seed - (std::bit_cast<u64>(x) >> 1));
#endif
}

// 1 / sqrt(x) to five units of the last place, by multiplications: roots and divisions of lanes wait for one another. The
// constants of the first step are the best ones for the guess (error 7e-4 then); the second is of fifth order. Infinite unless
// x is positive.
template <class T>
TALUS_HD T inverse_root(const T& x) {
  T y = guess_inverse_root(x);
  y = y * (T(1.195492357835705) - T(0.2527975545072932) * x * (y * y));
  const T off = T(1) - x * (y * y);
  const T more = off * (T(0.5) + off * (T(0.375) + off * (T(0.3125) + off * T(0.2734375))));
  return select(x > T(0), y + y * more, T(Real(HUGE_VAL)));
}

#if !defined(__CUDACC__)

// The compiler's vector types; wider ones than the registers are cut into pieces.
template <int N>
struct VectorOf;
template <>
struct VectorOf<2> {
  typedef Real Reals __attribute__((vector_size(16)));
  typedef i64 Flags __attribute__((vector_size(16)));
  typedef u64 Words __attribute__((vector_size(16)));
  typedef i32 Ints __attribute__((vector_size(8)));
};
template <>
struct VectorOf<4> {
  typedef Real Reals __attribute__((vector_size(32)));
  typedef i64 Flags __attribute__((vector_size(32)));
  typedef u64 Words __attribute__((vector_size(32)));
  typedef i32 Ints __attribute__((vector_size(16)));
};
template <>
struct VectorOf<8> {
  typedef Real Reals __attribute__((vector_size(64)));
  typedef i64 Flags __attribute__((vector_size(64)));
  typedef u64 Words __attribute__((vector_size(64)));
  typedef i32 Ints __attribute__((vector_size(32)));
};

template <int N>
struct Mask {
  using Vector = typename VectorOf<N>::Flags;
  Vector v;
  TALUS_HD friend Mask operator&(const Mask& a, const Mask& b) { return {a.v & b.v}; }
  TALUS_HD friend Mask operator|(const Mask& a, const Mask& b) { return {a.v | b.v}; }
  TALUS_HD friend Mask operator!(const Mask& a) { return {~a.v}; }
};

template <int N>
struct Lanes {
  using Vector = typename VectorOf<N>::Reals;
  static constexpr int count = N;
  Vector v{};

  Lanes() = default;
  TALUS_HD static Lanes of(const typename VectorOf<N>::Ints& whole) {  // exact
    return Lanes(__builtin_convertvector(whole, Vector));
  }
  TALUS_HD Lanes(Real x) : v(x - Vector{}) {}
  TALUS_HD explicit Lanes(const Vector& x) : v(x) {}

  TALUS_HD friend Lanes operator+(const Lanes& a, const Lanes& b) { return Lanes(a.v + b.v); }
  TALUS_HD friend Lanes operator-(const Lanes& a, const Lanes& b) { return Lanes(a.v - b.v); }
  TALUS_HD friend Lanes operator*(const Lanes& a, const Lanes& b) { return Lanes(a.v * b.v); }
  TALUS_HD friend Lanes operator/(const Lanes& a, const Lanes& b) { return Lanes(a.v / b.v); }
  TALUS_HD friend Lanes operator-(const Lanes& a) { return Lanes(-a.v); }
  TALUS_HD Lanes& operator+=(const Lanes& b) { return v += b.v, *this; }
  TALUS_HD Lanes& operator-=(const Lanes& b) { return v -= b.v, *this; }

  TALUS_HD friend Mask<N> operator<(const Lanes& a, const Lanes& b) { return {a.v < b.v}; }
  TALUS_HD friend Mask<N> operator>(const Lanes& a, const Lanes& b) { return {a.v > b.v}; }
  TALUS_HD friend Mask<N> operator<=(const Lanes& a, const Lanes& b) { return {a.v <= b.v}; }
  TALUS_HD friend Mask<N> operator==(const Lanes& a, const Lanes& b) { return {a.v == b.v}; }

  TALUS_HD friend Lanes select(const Mask<N>& which, const Lanes& yes, const Lanes& no) {
    return Lanes(which.v ? yes.v : no.v);
  }
  // The instructions have the rule of the two scalar functions, for zeros and NaN too.
  TALUS_HD friend Lanes min(const Lanes& a, const Lanes& b) {
#if defined(__AVX512F__)
    if constexpr (N == 8) return Lanes(Vector(_mm512_maskz_min_pd(__mmask8(-1), __m512d(b.v), __m512d(a.v))));
#endif
#if defined(__AVX__)
    if constexpr (N == 4) return Lanes(Vector(_mm256_min_pd(__m256d(b.v), __m256d(a.v))));
#endif
    return select(b < a, b, a);
  }
  TALUS_HD friend Lanes max(const Lanes& a, const Lanes& b) {
#if defined(__AVX512F__)
    if constexpr (N == 8) return Lanes(Vector(_mm512_maskz_max_pd(__mmask8(-1), __m512d(b.v), __m512d(a.v))));
#endif
#if defined(__AVX__)
    if constexpr (N == 4) return Lanes(Vector(_mm256_max_pd(__m256d(b.v), __m256d(a.v))));
#endif
    return select(a < b, b, a);
  }

  TALUS_HD friend Lanes sqrt(const Lanes& a) {
#if defined(__AVX512F__)
    if constexpr (N == 8) return Lanes(Vector(_mm512_maskz_sqrt_pd(__mmask8(-1), __m512d(a.v))));
#endif
#if defined(__AVX__)
    if constexpr (N == 4) return Lanes(Vector(_mm256_sqrt_pd(__m256d(a.v))));
#endif
    Lanes r;
    for (int k = 0; k < N; ++k) r.v[k] = std::sqrt(a.v[k]);
    return r;
  }
};

// One bit per lane.
template <int N>
TALUS_HD unsigned bits(const Mask<N>& m) {
#if defined(__AVX512DQ__)
  if constexpr (N == 8) return unsigned(_mm512_movepi64_mask(__m512i(m.v)));
#endif
#if defined(__AVX__)
  if constexpr (N == 4) return unsigned(_mm256_movemask_pd(__m256d(m.v)));
#endif
  unsigned b = 0;
  for (int k = 0; k < N; ++k) b |= unsigned(m.v[k] & 1) << k;
  return b;
}
template <int N>
TALUS_HD bool any(const Mask<N>& mask) {
  return bits(mask) != 0;
}
template <int N>
TALUS_HD Real largest(const Lanes<N>& a) {
  Real most = a.v[0];
  for (int k = 1; k < N; ++k) most = max(most, Real(a.v[k]));
  return most;
}

template <int N>
TALUS_HD Lanes<N> guess_inverse_root(const Lanes<N>& x) {
  using Words = typename VectorOf<N>::Words;
  return Lanes<N>(typename Lanes<N>::Vector(inverse_root_seed - (Words(x.v) >> 1)));
}

template <int N>
TALUS_HD Lanes<N> floor(const Lanes<N>& a) {
  Lanes<N> r;
  for (int k = 0; k < N; ++k) r.v[k] = std::floor(a.v[k]);
  return r;
}

// As many lanes as this build's registers hold.
#if defined(__AVX512F__)
inline constexpr int native_lanes = 8;
#elif defined(__AVX__)
inline constexpr int native_lanes = 4;
#else
inline constexpr int native_lanes = 2;
#endif

#endif

// Where N rows or bodies lie in their columns.
template <int N>
struct Places {
  u32 at[N];
};

// A record is a struct of Reals alone; Record<Lanes> is the same struct with lanes in their place.
template <class To, class From>
TALUS_HD To load(const From* column, u32 at) {
  static_assert(std::is_same_v<To, From>);
  return column[at];
}
template <class Value>
TALUS_HD void store(Value* column, u32 at, const Value& value) {
  column[at] = value;
}

#if !defined(__CUDACC__)
// Four words of one record; records lie anywhere.
typedef Real FourWords __attribute__((vector_size(32), aligned(8), may_alias));
TALUS_HD VectorOf<4>::Reals four_at(const Real* p) { return *reinterpret_cast<const FourWords*>(p); }
TALUS_HD void put_four(Real* p, const VectorOf<4>::Reals& v) { *reinterpret_cast<FourWords*>(p) = v; }

// Four words of N records, as N lanes of four numbers, and back: a transposition in registers. Written out, since
// compilers keep small arrays that they do not unroll early in memory.
TALUS_HD void transpose(const VectorOf<4>::Reals& p, const VectorOf<4>::Reals& q, const VectorOf<4>::Reals& r,
                        const VectorOf<4>::Reals& s, VectorOf<4>::Reals& x, VectorOf<4>::Reals& y,
                        VectorOf<4>::Reals& z, VectorOf<4>::Reals& w) {
  const auto a = __builtin_shufflevector(p, q, 0, 4, 2, 6), b = __builtin_shufflevector(p, q, 1, 5, 3, 7);
  const auto c = __builtin_shufflevector(r, s, 0, 4, 2, 6), d = __builtin_shufflevector(r, s, 1, 5, 3, 7);
  x = __builtin_shufflevector(a, c, 0, 1, 4, 5);
  y = __builtin_shufflevector(b, d, 0, 1, 4, 5);
  z = __builtin_shufflevector(a, c, 2, 3, 6, 7);
  w = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}
template <int N>
TALUS_HD void load_four(const Real* const (&from)[N], std::size_t word, Lanes<N>& x, Lanes<N>& y, Lanes<N>& z,
                        Lanes<N>& w) {
  if constexpr (N == 4) {
    transpose(four_at(from[0] + word), four_at(from[1] + word), four_at(from[2] + word), four_at(from[3] + word), x.v,
              y.v, z.v, w.v);
  } else if constexpr (N == 8) {
    VectorOf<4>::Reals lx, ly, lz, lw, hx, hy, hz, hw;
    transpose(four_at(from[0] + word), four_at(from[1] + word), four_at(from[2] + word), four_at(from[3] + word), lx,
              ly, lz, lw);
    transpose(four_at(from[4] + word), four_at(from[5] + word), four_at(from[6] + word), four_at(from[7] + word), hx,
              hy, hz, hw);
    x.v = __builtin_shufflevector(lx, hx, 0, 1, 2, 3, 4, 5, 6, 7);
    y.v = __builtin_shufflevector(ly, hy, 0, 1, 2, 3, 4, 5, 6, 7);
    z.v = __builtin_shufflevector(lz, hz, 0, 1, 2, 3, 4, 5, 6, 7);
    w.v = __builtin_shufflevector(lw, hw, 0, 1, 2, 3, 4, 5, 6, 7);
  } else {
    x.v = typename Lanes<N>::Vector{from[0][word], from[1][word]};
    y.v = typename Lanes<N>::Vector{from[0][word + 1], from[1][word + 1]};
    z.v = typename Lanes<N>::Vector{from[0][word + 2], from[1][word + 2]};
    w.v = typename Lanes<N>::Vector{from[0][word + 3], from[1][word + 3]};
  }
}
template <int N>
TALUS_HD void store_four(Real* const (&to)[N], std::size_t word, const Lanes<N>& x, const Lanes<N>& y,
                         const Lanes<N>& z, const Lanes<N>& w) {
  VectorOf<4>::Reals p, q, r, s;
  if constexpr (N == 4) {
    transpose(x.v, y.v, z.v, w.v, p, q, r, s);
    put_four(to[0] + word, p);
    put_four(to[1] + word, q);
    put_four(to[2] + word, r);
    put_four(to[3] + word, s);
  } else if constexpr (N == 8) {
    const auto low = [](const Lanes<8>& a) { return __builtin_shufflevector(a.v, a.v, 0, 1, 2, 3); };
    const auto high = [](const Lanes<8>& a) { return __builtin_shufflevector(a.v, a.v, 4, 5, 6, 7); };
    transpose(low(x), low(y), low(z), low(w), p, q, r, s);
    put_four(to[0] + word, p);
    put_four(to[1] + word, q);
    put_four(to[2] + word, r);
    put_four(to[3] + word, s);
    transpose(high(x), high(y), high(z), high(w), p, q, r, s);
    put_four(to[4] + word, p);
    put_four(to[5] + word, q);
    put_four(to[6] + word, r);
    put_four(to[7] + word, s);
  } else {
    put_four(to[0] + word, VectorOf<4>::Reals{x.v[0], y.v[0], z.v[0], w.v[0]});
    put_four(to[1] + word, VectorOf<4>::Reals{x.v[1], y.v[1], z.v[1], w.v[1]});
  }
}

template <int N, std::size_t... K>
TALUS_HD Lanes<N> load_one(const Real* const (&from)[N], std::size_t word, std::index_sequence<K...>) {
  return Lanes<N>(typename Lanes<N>::Vector{from[K][word]...});
}
template <int N, std::size_t... K>
TALUS_HD void store_one(Real* const (&to)[N], std::size_t word, const Lanes<N>& x, std::index_sequence<K...>) {
  ((to[K][word] = x.v[K]), ...);
}

// One record in every lane.
template <class To, class From>
TALUS_HD To spread(const From& record) {
  constexpr std::size_t words = sizeof(From) / sizeof(Real);
  To out;
  using Word = Lanes<sizeof(To) / sizeof(From)>;
  const auto* from = reinterpret_cast<const Real*>(&record);
  auto* lanes = reinterpret_cast<Word*>(&out);
  for (std::size_t w = 0; w < words; ++w) lanes[w] = Word(from[w]);
  return out;
}

// Records of N places of a column, one in each lane, and back.
template <class To, class From, int N>
TALUS_HD To load(const From* column, const Places<N>& places) {
  constexpr std::size_t words = sizeof(From) / sizeof(Real), fours = words / 4;
  static_assert(sizeof(To) == words * sizeof(Lanes<N>));
  To out;
  auto* lanes = reinterpret_cast<Lanes<N>*>(&out);
  [&]<std::size_t... K>(std::index_sequence<K...>) TALUS_INLINED {
    const Real* const from[N] = {reinterpret_cast<const Real*>(column + places.at[K])...};
    [&]<std::size_t... F>(std::index_sequence<F...>) TALUS_INLINED {
      (load_four<N>(from, 4 * F, lanes[4 * F], lanes[4 * F + 1], lanes[4 * F + 2], lanes[4 * F + 3]), ...);
    }
    (std::make_index_sequence<fours>{});
    [&]<std::size_t... W>(std::index_sequence<W...>) TALUS_INLINED {
      ((lanes[4 * fours + W] = load_one<N>(from, 4 * fours + W, std::make_index_sequence<N>{})), ...);
    }
    (std::make_index_sequence<words - 4 * fours>{});
  }
  (std::make_index_sequence<N>{});
  return out;
}
template <class To, class Value, int N>
TALUS_HD void store(To* column, const Places<N>& places, const Value& value) {
  constexpr std::size_t words = sizeof(To) / sizeof(Real), fours = words / 4;
  static_assert(sizeof(Value) == words * sizeof(Lanes<N>));
  const auto* lanes = reinterpret_cast<const Lanes<N>*>(&value);
  [&]<std::size_t... K>(std::index_sequence<K...>) TALUS_INLINED {
    Real* const to[N] = {reinterpret_cast<Real*>(column + places.at[K])...};
    [&]<std::size_t... F>(std::index_sequence<F...>) TALUS_INLINED {
      (store_four<N>(to, 4 * F, lanes[4 * F], lanes[4 * F + 1], lanes[4 * F + 2], lanes[4 * F + 3]), ...);
    }
    (std::make_index_sequence<fours>{});
    [&]<std::size_t... W>(std::index_sequence<W...>) TALUS_INLINED {
      (store_one<N>(to, 4 * fours + W, lanes[4 * fours + W], std::make_index_sequence<N>{}), ...);
    }
    (std::make_index_sequence<words - 4 * fours>{});
  }
  (std::make_index_sequence<N>{});
}
#endif

}  // namespace talus
