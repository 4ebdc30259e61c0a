#pragma once
// Triple: a vector in space in one register of four numbers, the last of which means nothing. Code that is written for a
// vector type V runs with Vec (the device; the plane) and with Triple, and gives the same bits: the same operations in the
// same order.
#include <talus/core/lanes.hpp>
#include <talus/core/vec.hpp>

namespace talus {

template <int D>
TALUS_HD const Vec<D>& to_vec(const Vec<D>& a) {
  return a;
}

#if !defined(__CUDACC__)

struct Triple {
  Lanes<4> v;

  Triple() = default;
  TALUS_HD explicit Triple(const Vec<3>& a) : v(Lanes<4>::Vector{a.x, a.y, a.z, 0}) {}
  TALUS_HD explicit Triple(const Lanes<4>& a) : v(a) {}
  TALUS_HD Real operator[](int k) const { return v.v[k]; }

  TALUS_HD friend Triple operator+(const Triple& a, const Triple& b) { return Triple(a.v + b.v); }
  TALUS_HD friend Triple operator-(const Triple& a, const Triple& b) { return Triple(a.v - b.v); }
  TALUS_HD friend Triple operator*(Real s, const Triple& a) { return Triple(Lanes<4>(s) * a.v); }
  TALUS_HD Triple& operator+=(const Triple& b) { return v += b.v, *this; }
  TALUS_HD Triple& operator-=(const Triple& b) { return v -= b.v, *this; }
  TALUS_HD friend Real dot(const Triple& a, const Triple& b) {
    const Lanes<4> p = a.v * b.v;
    return p.v[0] + p.v[1] + p.v[2];
  }
  // Of each number: 1, 0 or -1; its size.
  TALUS_HD friend Triple sign_of(const Triple& a) {
    const Lanes<4> zero = 0;
    return Triple(select(a.v > zero, Lanes<4>(1), select(a.v < zero, Lanes<4>(-1), zero)));
  }
  TALUS_HD friend Triple size_of(const Triple& a) { return Triple(max(a.v, -a.v)); }
  TALUS_HD friend Triple times(const Triple& a, const Triple& b) { return Triple(a.v * b.v); }  // number by number
};
TALUS_HD Vec<3> to_vec(const Triple& a) { return {a[0], a[1], a[2]}; }

// A vector of a column or a record. Reads the number after it too: columns have slack.
template <class V>
TALUS_HD V lying(const Vec<3>& a) requires std::is_same_v<V, Triple> {
  return Triple(Lanes<4>(four_at(&a.x)));
}

// A matrix that is multiplied with many Triples.
struct Columns {
  Triple of[3];
  explicit Columns(const Mat<3>& m) {
    for (int k = 0; k < 3; ++k) of[k] = Triple(Lanes<4>(Lanes<4>::Vector{m(0, k), m(1, k), m(2, k), 0}));
  }
  TALUS_HD friend Triple operator*(const Columns& m, const Triple& a) {
    return a[0] * m.of[0] + a[1] * m.of[1] + a[2] * m.of[2];
  }
};
#endif

// The same for Vec.
template <class V, int D>
TALUS_HD const V& lying(const Vec<D>& a) requires std::is_same_v<V, Vec<D>> {
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
