#pragma once
// SimdVec: a vector in space in one register of four numbers, the last of which means nothing. Code that is written for a
// vector type V runs with Vec (the device; the plane) and with SimdVec, and gives the same bits: the same operations in the
// same order.
#include <talus/core/lanes.hpp>
#include <talus/core/vec.hpp>

namespace talus {

template <int D>
TALUS_HD const Vec<D>& to_vec(const Vec<D>& a) {
  return a;
}

#if !defined(__CUDACC__)

struct SimdVec {
  Lanes<4> v;

  SimdVec() = default;
  TALUS_HD explicit SimdVec(const Vec<3>& a) : v(Lanes<4>::Vector{a.x, a.y, a.z, 0}) {}
  TALUS_HD explicit SimdVec(const Lanes<4>& a) : v(a) {}
  TALUS_HD Real operator[](int k) const { return v.v[k]; }

  TALUS_HD friend SimdVec operator+(const SimdVec& a, const SimdVec& b) { return SimdVec(a.v + b.v); }
  TALUS_HD friend SimdVec operator-(const SimdVec& a, const SimdVec& b) { return SimdVec(a.v - b.v); }
  TALUS_HD friend SimdVec operator*(Real s, const SimdVec& a) { return SimdVec(Lanes<4>(s) * a.v); }
  TALUS_HD SimdVec& operator+=(const SimdVec& b) { return v += b.v, *this; }
  TALUS_HD SimdVec& operator-=(const SimdVec& b) { return v -= b.v, *this; }
  TALUS_HD friend Real dot(const SimdVec& a, const SimdVec& b) {
    const Lanes<4> p = a.v * b.v;
    return p.v[0] + p.v[1] + p.v[2];
  }
  // Of each number: 1, 0 or -1; its size.
  TALUS_HD friend SimdVec sign_of(const SimdVec& a) {
    const Lanes<4> zero = 0;
    return SimdVec(select(a.v > zero, Lanes<4>(1), select(a.v < zero, Lanes<4>(-1), zero)));
  }
  TALUS_HD friend SimdVec size_of(const SimdVec& a) { return SimdVec(max(a.v, -a.v)); }
  TALUS_HD friend SimdVec times(const SimdVec& a, const SimdVec& b) { return SimdVec(a.v * b.v); }  // number by number
};
TALUS_HD Vec<3> to_vec(const SimdVec& a) { return {a[0], a[1], a[2]}; }

// A vector of a column or a record. Reads the number after it too: columns have slack.
template <class V>
TALUS_HD V load_as(const Vec<3>& a) requires std::is_same_v<V, SimdVec> {
  return SimdVec(Lanes<4>(four_at(&a.x)));
}

// A matrix that is multiplied with many SimdVecs.
struct Columns {
  SimdVec of[3];
  explicit Columns(const Mat<3>& m) {
    for (int k = 0; k < 3; ++k) of[k] = SimdVec(Lanes<4>(Lanes<4>::Vector{m(0, k), m(1, k), m(2, k), 0}));
  }
  TALUS_HD friend SimdVec operator*(const Columns& m, const SimdVec& a) {
    return a[0] * m.of[0] + a[1] * m.of[1] + a[2] * m.of[2];
  }
};
#endif

// The same for Vec.
template <class V, int D>
TALUS_HD const V& load_as(const Vec<D>& a) requires std::is_same_v<V, Vec<D>> {
  return a;
}
template <int D>
TALUS_HD Vec<D> sign_of(Vec<D> a) {
  for (int k = 0; k < D; ++k) a[k] = a[k] > 0 ? Real(1) : a[k] < 0 ? Real(-1) : Real(0);
  return a;
}
template <int D>
TALUS_HD Vec<D> size_of(Vec<D> a) {
  for (int k = 0; k < D; ++k) a[k] = std::abs(a[k]);
  return a;
}
template <int D>
TALUS_HD Vec<D> times(Vec<D> a, const Vec<D>& b) {
  for (int k = 0; k < D; ++k) a[k] = a[k] * b[k];
  return a;
}

}  // namespace talus
