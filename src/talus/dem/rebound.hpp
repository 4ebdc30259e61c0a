#pragma once
// How well a time step gives back the restitution that dashpots are made for.
//
// A contact begins and ends between two steps, and forces see the velocity of half a step ago. The error of a rebound, whatever its
// place within the step, is at most
//   linear law   h w max(d / 0.85, 1 / 20)      Hertz   h w max(d / 2.2, 1 / 40)
// of e, from 0.2 on: w the frequency of the pair in contact (Hertz: at its deepest overlap), d = c / sqrt(k m), c the dashpot. Found by
// integration of single impacts from every place within a step; test `Rebound`.
#include <talus/state/model.hpp>
#include <talus/state/state.hpp>

namespace talus::dem {

struct ReboundError {
  Real linear = 0;      // 1/s: error over step
  Real hertz = 0;       // of Hertz' pairs: the tenth power of error over step is 15/8 of its fourth power times speed squared
  Real weakest = 1;     // restitution below 0.2: by how much errors are larger
  bool some() const { return linear > 0 || hertz > 0; }
  // Is the error of a step h, s, below a bound at this speed of two bodies against one another, m/s?
  bool is_below(Real bound, Real h, Real speed) const;
  // The largest of the steps h, 0.9 h, 0.81 h ... for which it is.
  Real step_below(Real bound, Real h, Real speed) const;
  // For a word to the user: the error itself.
  Real error(Real h, Real speed) const;
};

// Of the lightest grains of each pair of materials.
template <int D>
ReboundError rebound_error(const Model<D>& model, const State<D>& state);

// Twice the speed of the fastest body, m/s.
template <int D>
Real closing_speed(const State<D>& state);

}  // namespace talus::dem
