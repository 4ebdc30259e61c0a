#pragma once
// Speed of loading a cell: stated as a strain rate or as an inertial number.
#include <cmath>

#include <talus/core/input.hpp>
#include <talus/measure/averages.hpp>

namespace talus::lab {

// Rate that gives an inertial number at a pressure: I sqrt(p / rho) / D50.
template <int D>
Real rate_of(const Model<D>& model, const State<D>& state, Real inertial, Real pressure) {
  return inertial * std::sqrt(pressure / measure::mean_density(model, state)) / measure::median_diameter(state);
}

struct Speed {
  Real rate = 0, inertial = 0;  // 1/s; 1
  static Speed read(Input& in, Real fallback) {
    if (in.has("rate") && in.has("inertial_number"))
      in.fail("rate", "both rate and inertial_number are given", "keep one of them");
    Speed s;
    if (in.has("rate"))
      s.rate = in.number("rate", dim::rate, Range::positive(), std::nullopt, "strain rate (or give inertial_number)");
    else
      s.inertial = in.number("inertial_number", dim::none, {0, 0.1, true, false}, fallback,
                             "speed as inertial number at the target pressure (or give rate)");
    return s;
  }
  template <int D>
  Real at(const Model<D>& model, const State<D>& state, Real pressure) const {
    return rate > 0 ? rate : rate_of(model, state, inertial, pressure);
  }
};

}  // namespace talus::lab
