#pragma once
// The background grid: nodes a cell apart around the domain, and the quadratic B-spline that joins a particle with the three nodes nearest to it
// along each axis. docs/design/062-mpm.md (1), (2).
#include <cmath>

#include <talus/exec/column.hpp>
#include <talus/geometry/cell.hpp>

namespace talus::mpm {

template <int D>
struct Grid {
  Vec<D, i64> count{};  // nodes along each axis; two of them before the domain and two behind
  Real width = 0, inverse = 0;  // m, 1/m

  static Grid of(const Cell<D>& cell, Real width) {
    Grid g;
    g.width = width;
    g.inverse = 1 / width;
    for (int k = 0; k < D; ++k) g.count[k] = i64(std::ceil(cell.h(k, k) / width - Real(1e-9))) + 5;
    return g;
  }
  std::size_t size() const {
    std::size_t n = 1;
    for (int k = 0; k < D; ++k) n *= std::size_t(count[k]);
    return n;
  }
  // The node nearest to x; those of a particle within the domain have two neighbours at either side.
  Vec<D, i64> near(const Vec<D>& x) const {
    Vec<D, i64> n;
    for (int k = 0; k < D; ++k) n[k] = i64(std::floor(x[k] * inverse + Real(0.5))) + 2;
    return n;
  }
  bool holds(const Vec<D, i64>& node) const {
    for (int k = 0; k < D; ++k)
      if (node[k] < 1 || node[k] + 1 >= count[k]) return false;
    return true;
  }
  std::size_t number(const Vec<D, i64>& node) const {
    i64 n = 0;
    for (int k = D - 1; k >= 0; --k) n = n * count[k] + node[k];
    return std::size_t(n);
  }
  std::size_t beside(const Vec<D, i64>& near, const Vec<D, i64>& off) const {  // off: 0, 1 or 2 along each axis
    Vec<D, i64> at;
    for (int k = 0; k < D; ++k) at[k] = near[k] + off[k] - 1;
    return number(at);
  }
  Vec<D, i64> node(std::size_t number) const {
    Vec<D, i64> at;
    for (int k = 0; k < D; ++k) {
      at[k] = i64(number) % count[k];
      number /= std::size_t(count[k]);
    }
    return at;
  }
  Vec<D> place(const Vec<D, i64>& node) const {  // m
    Vec<D> x;
    for (int k = 0; k < D; ++k) x[k] = width * Real(node[k] - 2);
    return x;
  }
};

// Weights of the nodes around the nearest one of a particle, and their slopes, along each axis: [0] before it, [1] itself, [2] behind it.
template <int D>
struct Spline {
  Real weight[D][3], slope[D][3];  // 1, 1/m

  static Spline of(const Grid<D>& g, const Vec<D>& x, const Vec<D, i64>& near) {
    Spline s;
    for (int k = 0; k < D; ++k) {
      const Real f = x[k] * g.inverse - Real(near[k] - 2), before = Real(0.5) - f, behind = Real(0.5) + f;
      s.weight[k][0] = Real(0.5) * before * before;
      s.weight[k][1] = Real(0.75) - f * f;
      s.weight[k][2] = Real(0.5) * behind * behind;
      s.slope[k][0] = -before * g.inverse;
      s.slope[k][1] = -2 * f * g.inverse;
      s.slope[k][2] = behind * g.inverse;
    }
    return s;
  }
  // `off`: 0, 1 or 2 along each axis.
  Real at(const Vec<D, i64>& off) const {
    Real w = 1;
    for (int k = 0; k < D; ++k) w *= weight[k][off[k]];
    return w;
  }
  Vec<D> gradient_at(const Vec<D, i64>& off) const {
    Vec<D> g;
    for (int k = 0; k < D; ++k) {
      g[k] = slope[k][off[k]];
      for (int l = 0; l < D; ++l)
        if (l != k) g[k] *= weight[l][off[l]];
    }
    return g;
  }
};

// Calls f(off) for the 3^D places around a node, x fastest; off: 0, 1 or 2 along each axis.
template <int D, class F>
void each_around(F&& f) {
  for (Vec<D, i64> off{}; off[D - 1] < 3;) {
    f(off);
    for (int k = 0; ++off[k] == 3 && k + 1 < D; ++k) off[k] = 0;
  }
}

}  // namespace talus::mpm
