#pragma once
// What a picture shows of each grain beyond the columns of its state.
#include <vector>

#include <talus/io/test_start.hpp>
#include <talus/state/contact_sample.hpp>
#include <talus/state/model.hpp>

namespace talus {

// What a picture is made of.
template <int D>
struct Moment {
  const Model<D>& model;
  const State<D>& state;
  const ContactList<D>& contacts;
  const TestStart<D>& start;
};

// Single precision: it is for the eye. Vectors have three numbers, in the plane z = 0 and rotations along z.
struct GrainValues {
  std::vector<u32> coordination;    // contacts
  std::vector<float> mean_stress;   // Pa, trace over dimension, compression positive
  std::vector<float> displacement;  // m, since the test began; zero before
  std::vector<float> rotation;      // rad, likewise: in the plane with full turns, in space at most half of one; empty where nobody sees how grains are turned
};
// Of grains, by their indices in the order that is wanted.
template <int D>
GrainValues grain_values(const Moment<D>& seen, const std::vector<std::size_t>& order);

// By how many periods a position lies outside of the cell; 0 along open directions.
template <int D>
Vec<D> periods_of(const Cell<D>& cell, const Mat<D>& inverse_h, const Vec<D>& position) {
  Vec<D> periods = inverse_h * position;
  for (int k = 0; k < D; ++k) periods[k] = cell.periodic[k] ? std::floor(periods[k]) : 0;
  return periods;
}
// The position inside of it.
template <int D>
Vec<D> wrap(const Cell<D>& cell, const Mat<D>& inverse_h, const Vec<D>& position) {
  return position - cell.h * periods_of(cell, inverse_h, position);
}

// As pictures have it.
inline Vec3 in_space(const Vec<3>& v) { return v; }
inline Vec3 in_space(const Vec<2>& v) { return {v.x, v.y, 0}; }
inline Vec3 in_space(const Vec<1>& v) { return {0, 0, v.x}; }  // what rotates in the plane points out of it

template <class T>
void append(std::vector<T>& to, const Vec3& v) {
  to.insert(to.end(), {T(v.x), T(v.y), T(v.z)});
}

// Indices of the first `count`, by uid.
std::vector<std::size_t> by_uid(const Column<u32>& uid, std::size_t count);

}  // namespace talus
