#pragma once
// The cell: a box spanned by the columns of `h`, its lower corner at the origin, with the rate at which it deforms.
// Orthogonal and sheared boxes are one code. Along a periodic edge the sample repeats; bodies are not wrapped,
// contacts know through which image they touch. Along an open edge the cell only says how large the domain is.
#include <talus/core/vec.hpp>

namespace talus {

template <int D>
struct Cell {
  Mat<D> h = Mat<D>::identity();  // m; edges are columns
  Mat<D> rate{};                  // 1/s; velocity gradient, extension positive
  Vec<D, i32> periodic{};         // 1 where the edge repeats

  TALUS_HD Vec<D> edge(int k) const {
    Vec<D> e;
    for (int i = 0; i < D; ++i) e[i] = h(i, k);
    return e;
  }
  // Translation that belongs to a whole number of edges.
  TALUS_HD Vec<D> translation(const Vec<D, i32>& image) const {
    Vec<D> t;
    for (int i = 0; i < D; ++i) {
      Real sum = h(i, 0) * Real(image[0]);
      for (int k = 1; k < D; ++k) sum += h(i, k) * Real(image[k]);
      t[i] = sum;
    }
    return t;
  }
  TALUS_HD Real volume() const { return determinant(h); }  // m^3, or m^2 in the plane
  // Distance between the two faces across edge k.
  TALUS_HD Real width(int k, const Mat<D>& inverse_h) const {
    Real sum = 0;
    for (int j = 0; j < D; ++j) sum += inverse_h(k, j) * inverse_h(k, j);
    return 1 / std::sqrt(sum);
  }
  TALUS_HD void deform(Real dt) { h = h + dt * (rate * h); }
};

}  // namespace talus
