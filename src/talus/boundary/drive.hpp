#pragma once
// What drives a step: plans made by a lab stage, constant while it runs, with an `apply` that may run on a device.
// Compression is positive in stresses and forces; extension is positive in velocity gradients.
#include <talus/core/vec.hpp>

namespace talus {

// Deformation of the cell, component by component: a given rate, or a stress to be held.
template <int D>
struct CellDrive {
  Mat<D, i32> holds_stress{};  // 1: target is a stress; 0: target is a rate
  Mat<D> target{};             // Pa (compression positive) or 1/s (extension positive)
  Real rate_max = 0;           // 1/s, fastest answer of the servo
  Real gain = 0.05;            // relative stress error at which the servo runs at full rate
  Real reference = 0;          // Pa, what errors are relative to

  TALUS_HD Mat<D> rate(const Mat<D>& stress) const {
    Mat<D> r;
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D; ++j)
        r(i, j) = holds_stress(i, j)
                      ? -rate_max * clamp((target(i, j) - stress(i, j)) / (gain * reference), Real(-1), Real(1))
                      : target(i, j);
    return r;
  }
  // Does a held component ask for more than the servo may give?
  TALUS_HD bool is_limited(const Mat<D>& stress) const {
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D; ++j)
        if (holds_stress(i, j) && std::abs(target(i, j) - stress(i, j)) > gain * reference) return true;
    return false;
  }
  bool needs_stress() const {
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D; ++j)
        if (holds_stress(i, j)) return true;
    return false;
  }
};

enum class WallControl : u32 { fixed, velocity, servo, free, away };

// Motion of one wall. A servo moves it along its normal (into the sample) until the sample pushes back with the target. A
// free wall is a body with a mass that moves but does not turn, and the target pushes it into the sample: contact dynamics
// only, where the force on a driven wall of rigid grains may be anything.
template <int D>
struct WallDrive {
  WallControl control = WallControl::fixed;
  Vec<D> velocity{};  // m/s, under velocity control
  Real since = 0;     // s, when it began
  Real ramp = 0;      // s, how long it takes to reach this velocity from nothing
  Real until =
      1e300;  // s, velocity control ends here (prescribed displacement); in a scene counted from the stage's start
  Real target = 0;     // Pa or N, of a servo or a free wall, compression positive
  i32 by_force = 0;    // 1: it is a force
  Real speed_max = 0;  // m/s, fastest answer of the servo
  Real gain = 0.05;    // relative error at which the servo runs at full speed
  Real mass = 0;       // kg, of a free wall
  Real area = 0;       // m^2 (m x thickness in the plane); 0: spanned by the other walls of its box
  // Box walls: along each other axis the two walls that bound it; -1 takes the cell's edge.
  Vec<D, i32> low = none(), high = none();
  i32 axis = 0;

  static Vec<D, i32> none() {
    Vec<D, i32> v;
    for (int k = 0; k < D; ++k) v[k] = -1;
    return v;
  }

  TALUS_HD bool is_loaded() const { return control == WallControl::servo || control == WallControl::free; }
  TALUS_HD bool holds_stress() const { return is_loaded() && !by_force; }
  // N, what is to push the wall into the sample.
  TALUS_HD Real load(Real area_now) const { return by_force ? target : target * area_now; }

  TALUS_HD bool is_limited(const Vec<D>& normal, const Vec<D>& force, Real area_now) const {
    if (control != WallControl::servo) return false;
    const Real goal = load(area_now);
    return std::abs(goal + dot(force, normal)) > gain * goal;
  }
  TALUS_HD Vec<D> move(const Vec<D>& normal, const Vec<D>& force, Real area_now, Real time, Real dt) const {
    if (control == WallControl::velocity) {  // the last step is a part of one: the way is exact
      const Real left = until - time;
      if (left < dt) return left > 0 ? (left / dt) * velocity : Vec<D>{};
      return time - since < ramp ? ((time - since) / ramp) * velocity : velocity;
    }
    if (control != WallControl::servo) return {};
    const Real goal = load(area_now);
    const Real error = (goal + dot(force, normal)) / (gain * goal);  // grains push a wall against its normal
    return (speed_max * clamp(error, Real(-1), Real(1))) * normal;
  }
};

}  // namespace talus
