#pragma once
// Porosity and stress on a grid of boxes: maps and profiles of a sample that is not the same everywhere.
#include <talus/measure/partial_volume.hpp>
#include <talus/state/contact_sample.hpp>
#include <talus/state/model.hpp>
#include <talus/state/state.hpp>

namespace talus::measure {

template <int D>
struct Grid {
  Box<D> box;
  Vec<D, i32> count{};  // boxes along each axis

  std::size_t size() const {
    std::size_t n = 1;
    for (int k = 0; k < D; ++k) n *= std::size_t(count[k]);
    return n;
  }
  std::size_t index(const Vec<D, i32>& at) const {  // x fastest
    std::size_t i = 0;
    for (int k = D - 1; k >= 0; --k) i = i * std::size_t(count[k]) + std::size_t(at[k]);
    return i;
  }
  Vec<D, i32> place(std::size_t index) const;
  Box<D> at(const Vec<D, i32>& place) const;
};

// Porosity of each box, grains by the part of their volume in it. Images of a periodic cell are not moved.
template <int D>
std::vector<Real> porosities(const Model<D>& model, const State<D>& state, const Grid<D>& grid);

// Stress of each box, Pa, compression positive: the solid share times the mean, by volume, of the stresses of the grains with centres in it that are
// not held. Not a number in boxes without grains.
template <int D>
std::vector<Mat<D>> stresses(const Model<D>& model, const State<D>& state, const ContactList<D>& contacts, const Grid<D>& grid,
                             const std::vector<Real>& porosity);

}  // namespace talus::measure
