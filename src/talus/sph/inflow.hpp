#pragma once
// Matter that is poured in: sheets of particles leave a mouth one after another, [inflow.NAME]. How many have left is a function of the time
// alone: a run that is resumed pours as one that was never stopped. docs/design/049-soils-change-volume-as-liquids.md (15);
// mouths that are lifted: 061-poured-gently.md.
#include <string>
#include <vector>

#include <talus/core/input.hpp>
#include <talus/state/model.hpp>
#include <talus/state/state.hpp>

namespace talus::sph {

template <int D>
struct Inflow {
  std::string name;
  u32 material = 0;
  Vec<D> low{}, size{};  // m, of the mouth; no size along the flow
  int axis = 0;          // of the flow
  Real velocity = 0;     // m/s, along it; either sign
  Real start = 0, end = 0;  // s
  Real above = 0;        // m, that the mouth is kept away from what lies before it, against the flow; 0: it stays where it is

  // Sheets that have left by a time.
  i64 sheets(Real time, Real spacing) const {
    const Real open = min(time, end) - start;
    return open > 0 ? i64(std::floor(open * std::abs(velocity) / spacing)) : 0;
  }
  Vec<D, i64> rows(Real spacing) const {
    Vec<D, i64> n;
    for (int k = 0; k < D; ++k) n[k] = k == axis ? 1 : max(i64(1), i64(std::llround(size[k] / spacing)));
    return n;
  }
  Real sheet_volume(Real spacing) const {  // m^D
    Real v = spacing;
    for (int k = 0; k < D; ++k)
      if (k != axis) v *= size[k];
    return v;
  }
};

// `materials`: names in the order of the scene.
template <int D>
Inflow<D> read_inflow(Input& in, const std::string& name, const std::vector<std::string>& materials);

template <int D>
struct Options;

// kg, that has been poured by a time.
template <int D>
Real poured(const Options<D>& options, Real time);

// Adds the sheets that leave between two times. Particles come at the density of rest, without stress.
template <int D>
bool pour(const Options<D>& options, const Model<D>& model, State<D>& state, Real from, Real to);

}  // namespace talus::sph
