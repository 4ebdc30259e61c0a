#pragma once
// A symmetric tensor of space. Stress has all of it in the plane too: in plane strain a solid pushes along z.
#include <talus/core/vec.hpp>

namespace talus {

struct Sym3 {
  Real xx = 0, yy = 0, zz = 0, yz = 0, xz = 0, xy = 0;

  TALUS_HD Real operator()(int i, int j) const { return i == j ? (i == 0 ? xx : i == 1 ? yy : zz) : i + j == 3 ? yz : i + j == 2 ? xz : xy; }
};

TALUS_HD Sym3 operator+(const Sym3& a, const Sym3& b) {
  return {a.xx + b.xx, a.yy + b.yy, a.zz + b.zz, a.yz + b.yz, a.xz + b.xz, a.xy + b.xy};
}
TALUS_HD Sym3 operator-(const Sym3& a, const Sym3& b) {
  return {a.xx - b.xx, a.yy - b.yy, a.zz - b.zz, a.yz - b.yz, a.xz - b.xz, a.xy - b.xy};
}
TALUS_HD Sym3 operator*(Real s, const Sym3& a) { return {s * a.xx, s * a.yy, s * a.zz, s * a.yz, s * a.xz, s * a.xy}; }
TALUS_HD Real trace(const Sym3& a) { return a.xx + a.yy + a.zz; }
TALUS_HD Sym3 ball(Real s) { return {s, s, s, 0, 0, 0}; }  // s times the unit tensor
TALUS_HD Sym3 deviator(const Sym3& a) { return a - ball(trace(a) / 3); }
// a : b
TALUS_HD Real contract(const Sym3& a, const Sym3& b) {
  return a.xx * b.xx + a.yy * b.yy + a.zz * b.zz + 2 * (a.yz * b.yz + a.xz * b.xz + a.xy * b.xy);
}
TALUS_HD Real length(const Sym3& a) { return std::sqrt(contract(a, a)); }  // Frobenius

// (L + L^T)/2
TALUS_HD Sym3 symmetric(const Mat3& l) {
  return {l(0, 0), l(1, 1), l(2, 2), Real(0.5) * (l(1, 2) + l(2, 1)), Real(0.5) * (l(0, 2) + l(2, 0)), Real(0.5) * (l(0, 1) + l(1, 0))};
}
TALUS_HD Mat3 full(const Sym3& a) { return {{{a.xx, a.xy, a.xz}, {a.xy, a.yy, a.yz}, {a.xz, a.yz, a.zz}}}; }
// R a R^T
TALUS_HD Sym3 turned(const Sym3& a, const Mat3& r) {
  const Mat3 b = r * full(a);
  const auto at = [&](int i, int j) { return b(i, 0) * r(j, 0) + b(i, 1) * r(j, 1) + b(i, 2) * r(j, 2); };
  return {at(0, 0), at(1, 1), at(2, 2), at(1, 2), at(0, 2), at(0, 1)};
}
// a times a vector of the plane or of space
template <int D>
TALUS_HD Vec<D> operator*(const Sym3& a, const Vec<D>& v) {
  Vec<D> out;
  for (int i = 0; i < D; ++i) {
    Real sum = a(i, 0) * v[0];
    for (int j = 1; j < D; ++j) sum += a(i, j) * v[j];
    out[i] = sum;
  }
  return out;
}

}  // namespace talus
