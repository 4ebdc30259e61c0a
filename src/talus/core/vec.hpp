#pragma once
// Small vectors and matrices of fixed size. Vec<D> holds positions and forces in D dimensions; Spin<D> holds what
// rotates: one number in the plane, three in space. Sums are written out in index order, so bits never depend on a
// compiler's choice.
#include <talus/core/lanes.hpp>
#include <talus/core/real.hpp>

namespace talus {

template <int D, class T = Real>
struct Vec;

template <class T>
struct Vec<1, T> {
  T x{};
  static constexpr int size = 1;
  TALUS_HD T& operator[](int) { return x; }
  TALUS_HD const T& operator[](int) const { return x; }
};

template <class T>
struct Vec<2, T> {
  T x{}, y{};
  static constexpr int size = 2;
  TALUS_HD T& operator[](int i) { return i == 0 ? x : y; }
  TALUS_HD const T& operator[](int i) const { return i == 0 ? x : y; }
};

template <class T>
struct Vec<3, T> {
  T x{}, y{}, z{};
  static constexpr int size = 3;
  TALUS_HD T& operator[](int i) { return i == 0 ? x : i == 1 ? y : z; }
  TALUS_HD const T& operator[](int i) const { return i == 0 ? x : i == 1 ? y : z; }
};

using Vec2 = Vec<2>;
using Vec3 = Vec<3>;
template <int D, class T = Real>
using Spin = Vec<D == 2 ? 1 : 3, T>;
template <class V>
inline constexpr bool is_vec = false;
template <int D, class T>
inline constexpr bool is_vec<Vec<D, T>> = true;

template <int D, class T>
TALUS_HD Vec<D, T> operator+(Vec<D, T> a, const Vec<D, T>& b) {
  for (int k = 0; k < D; ++k) a[k] += b[k];
  return a;
}
template <int D, class T>
TALUS_HD Vec<D, T> operator-(Vec<D, T> a, const Vec<D, T>& b) {
  for (int k = 0; k < D; ++k) a[k] -= b[k];
  return a;
}
template <int D, class T>
TALUS_HD Vec<D, T> operator-(Vec<D, T> a) {
  for (int k = 0; k < D; ++k) a[k] = -a[k];
  return a;
}
template <int D, class T>
TALUS_HD Vec<D, T> operator*(const std::type_identity_t<T>& s, Vec<D, T> a) {
  for (int k = 0; k < D; ++k) a[k] = s * a[k];
  return a;
}
template <int D, class T>
TALUS_HD Vec<D, T>& operator+=(Vec<D, T>& a, const Vec<D, T>& b) {
  for (int k = 0; k < D; ++k) a[k] += b[k];
  return a;
}
template <int D, class T>
TALUS_HD Vec<D, T>& operator-=(Vec<D, T>& a, const Vec<D, T>& b) {
  for (int k = 0; k < D; ++k) a[k] -= b[k];
  return a;
}
template <int D, class T>
TALUS_HD bool operator==(const Vec<D, T>& a, const Vec<D, T>& b) {
  for (int k = 0; k < D; ++k)
    if (!(a[k] == b[k])) return false;
  return true;
}

template <class Mask, int D, class T>
TALUS_HD Vec<D, T> select(const Mask& which, Vec<D, T> yes, const Vec<D, T>& no) {
  for (int k = 0; k < D; ++k) yes[k] = select(which, yes[k], no[k]);
  return yes;
}

template <class T>
TALUS_HD T dot(const Vec<1, T>& a, const Vec<1, T>& b) {
  return a.x * b.x;
}
template <class T>
TALUS_HD T dot(const Vec<2, T>& a, const Vec<2, T>& b) {
  return a.x * b.x + a.y * b.y;
}
template <class T>
TALUS_HD T dot(const Vec<3, T>& a, const Vec<3, T>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <int D, class T>
TALUS_HD T length(const Vec<D, T>& a) {
  return sqrt(dot(a, a));
}

// Velocity of a point at arm r of a body that spins with w.
template <class T>
TALUS_HD Vec<3, T> cross(const Vec<3, T>& w, const Vec<3, T>& r) {
  return {w.y * r.z - w.z * r.y, w.z * r.x - w.x * r.z, w.x * r.y - w.y * r.x};
}
template <class T>
TALUS_HD Vec<2, T> cross(const Vec<1, T>& w, const Vec<2, T>& r) {
  return {-w.x * r.y, w.x * r.x};
}
// Moment of a force at arm r.
template <class T>
TALUS_HD Vec<3, T> moment(const Vec<3, T>& r, const Vec<3, T>& f) {
  return cross(r, f);
}
template <class T>
TALUS_HD Vec<1, T> moment(const Vec<2, T>& r, const Vec<2, T>& f) {
  return {r.x * f.y - r.y * f.x};
}

// Part of v across the unit vector n.
template <int D, class T>
TALUS_HD Vec<D, T> reject(const Vec<D, T>& v, const Vec<D, T>& n) {
  return v - dot(v, n) * n;
}
// v laid into the plane across n with its length kept: the contact has turned, its spring has not stretched.
// A vector that was wholly along n has no direction left and becomes zero.
template <int D, class T>
TALUS_HD Vec<D, T> turn_into_plane(const Vec<D, T>& v, const Vec<D, T>& n) {
  const Vec<D, T> flat = reject(v, n);
  const T now = dot(flat, flat);
  return select(now > T(0), sqrt(dot(v, v) / now), T(0)) * flat;
}

// Row-major D x D matrix; a.m[i][j] multiplies component j into component i.
template <int D, class T = Real>
struct Mat {
  T m[D][D]{};
  TALUS_HD T& operator()(int i, int j) { return m[i][j]; }
  TALUS_HD const T& operator()(int i, int j) const { return m[i][j]; }
  TALUS_HD static Mat identity() {
    Mat one;
    for (int i = 0; i < D; ++i) one.m[i][i] = T(1);
    return one;
  }
};
using Mat3 = Mat<3>;

template <int D, class S, class T>
TALUS_HD Vec<D, T> operator*(const Mat<D, S>& a, const Vec<D, T>& v) {
  Vec<D, T> r;
  for (int i = 0; i < D; ++i) {
    T sum = a.m[i][0] * v[0];
    for (int j = 1; j < D; ++j) sum += a.m[i][j] * v[j];
    r[i] = sum;
  }
  return r;
}
template <int D, class T>
TALUS_HD Mat<D, T> operator*(const Mat<D, T>& a, const Mat<D, T>& b) {
  Mat<D, T> r;
  for (int i = 0; i < D; ++i)
    for (int j = 0; j < D; ++j) {
      T sum = a.m[i][0] * b.m[0][j];
      for (int k = 1; k < D; ++k) sum += a.m[i][k] * b.m[k][j];
      r.m[i][j] = sum;
    }
  return r;
}
template <int D, class T>
TALUS_HD Mat<D, T> operator*(const std::type_identity_t<T>& s, Mat<D, T> a) {
  for (int i = 0; i < D; ++i)
    for (int j = 0; j < D; ++j) a.m[i][j] = s * a.m[i][j];
  return a;
}
template <int D, class T>
TALUS_HD Mat<D, T> operator+(Mat<D, T> a, const Mat<D, T>& b) {
  for (int i = 0; i < D; ++i)
    for (int j = 0; j < D; ++j) a.m[i][j] += b.m[i][j];
  return a;
}
template <int D, class T>
TALUS_HD Mat<D, T> operator-(Mat<D, T> a, const Mat<D, T>& b) {
  for (int i = 0; i < D; ++i)
    for (int j = 0; j < D; ++j) a.m[i][j] -= b.m[i][j];
  return a;
}
template <int D, class T>
TALUS_HD Mat<D, T>& operator+=(Mat<D, T>& a, const Mat<D, T>& b) {
  a = a + b;
  return a;
}
// a (x) b
template <int D, class T>
TALUS_HD Mat<D, T> outer(const Vec<D, T>& a, const Vec<D, T>& b) {
  Mat<D, T> r;
  for (int i = 0; i < D; ++i)
    for (int j = 0; j < D; ++j) r.m[i][j] = a[i] * b[j];
  return r;
}
template <int D, class T>
TALUS_HD T trace(const Mat<D, T>& a) {
  T sum = a.m[0][0];
  for (int i = 1; i < D; ++i) sum += a.m[i][i];
  return sum;
}
// Sum of products of all components, a : b.
template <int D, class T>
TALUS_HD T contract(const Mat<D, T>& a, const Mat<D, T>& b) {
  T sum{};
  for (int i = 0; i < D; ++i)
    for (int j = 0; j < D; ++j) sum += a.m[i][j] * b.m[i][j];
  return sum;
}
template <class T>
TALUS_HD T determinant(const Mat<2, T>& a) {
  return a.m[0][0] * a.m[1][1] - a.m[0][1] * a.m[1][0];
}
template <class T>
TALUS_HD T determinant(const Mat<3, T>& a) {
  return a.m[0][0] * (a.m[1][1] * a.m[2][2] - a.m[1][2] * a.m[2][1]) -
         a.m[0][1] * (a.m[1][0] * a.m[2][2] - a.m[1][2] * a.m[2][0]) +
         a.m[0][2] * (a.m[1][0] * a.m[2][1] - a.m[1][1] * a.m[2][0]);
}
template <class T>
TALUS_HD Mat<2, T> inverse(const Mat<2, T>& a) {
  const T d = determinant(a);
  return {{{a.m[1][1] / d, -a.m[0][1] / d}, {-a.m[1][0] / d, a.m[0][0] / d}}};
}
template <class T>
TALUS_HD Mat<3, T> inverse(const Mat<3, T>& a) {
  const T d = determinant(a);
  Mat<3, T> r;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const int p = (j + 1) % 3, q = (j + 2) % 3, s = (i + 1) % 3, t = (i + 2) % 3;
      r.m[i][j] = (a.m[p][s] * a.m[q][t] - a.m[p][t] * a.m[q][s]) / d;
    }
  return r;
}

}  // namespace talus
