#pragma once
// What drives a step: plans made by a lab stage, constant while it runs, and functions of them that may run on a device.
// Compression is positive in stresses and forces; extension is positive in velocity gradients.
#include <talus/boundary/gyration.hpp>

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

enum class WallControl : u32 { fixed, velocity, servo, free, away, gyrate };

// How a wall moves in one step: what contacts ask for the velocity of its surface.
template <int D>
struct WallMotion {
  Vec<D> velocity{};  // m/s, of the wall's position
  Spin<D> spin{};     // rad/s, about the wall's position
  Real radius_rate =
      0;  // m/s, of the surface along its own normal everywhere: a cylinder grows, or closes in from outside

  // At a point of the surface. `from_wall`: m, from the wall's position; normal out of the wall. A wall that neither turns nor
  // grows has one velocity: not a bit of it changes.
  TALUS_HD Vec<D> at(const Vec<D>& from_wall, const Vec<D>& normal) const {
    Vec<D> v = velocity;
    if (!(spin == Spin<D>{})) v += cross(spin, from_wall);
    if (radius_rate != 0) v += radius_rate * normal;
    return v;
  }
  TALUS_HD friend WallMotion operator*(Real share, const WallMotion& m) {
    return {share * m.velocity, share * m.spin, share * m.radius_rate};
  }
};

// What drives one wall. A servo moves it into the sample until the sample pushes back with the target, and may slide it along its
// plane meanwhile. A
// free wall is a body with a mass that moves but does not turn, and the target pushes it into the sample: contact dynamics
// only, where the force on a driven wall of rigid grains may be anything.
template <int D>
struct WallDrive {
  WallControl control = WallControl::fixed;
  Vec<D> velocity{};     // m/s, under velocity control; of a servo what it moves with along its plane
  Spin<D> spin{};        // rad/s, under velocity control; soft contacts only
  Real radius_rate = 0;  // m/s, likewise, of the surface along its own normal: a cylinder closes in; soft contacts only
  i32 radial = 0;        // 1: a servo that moves the surface so; it hears the sum of normal forces
  Real since = 0;        // s, when it began
  Real ramp = 0;         // s, how long it takes to reach these from nothing
  Real until =
      1e300;  // s, velocity control ends here (prescribed displacement); in a scene counted from the stage's start
  Real target = 0;     // Pa or N, of a servo or a free wall, compression positive
  i32 by_force = 0;    // 1: it is a force
  Real speed_max = 0;  // m/s, fastest answer of the servo
  Real gain = 0.05;    // relative error at which the servo runs at full speed
  Real mass = 0;       // kg, of a free wall
  Real drag = 0;           // N s/m, by which its guide resists its speed; of a free wall in space
  Real target_from = 0;    // where a load that rises over `ramp` from `since` on begins; of a free wall in space
  Gyration gyration{};     // of a wall that gyrates
  i32 follows = -1;        // in space: a free wall moves along its direction alone, and across it with the axis of this wall; -1: not at all
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

  // N, at a time.
  TALUS_HD Real load_at(Real area_now, Real time) const {
    const Real share = ramp > 0 ? clamp((time - since) / ramp, Real(0), Real(1)) : Real(1);
    const Real now = target_from + share * (target - target_from);
    return by_force ? now : now * area_now;
  }

  // Does its surface move along its own normal?
  TALUS_HD bool closes() const {
    return (control == WallControl::servo && radial) || (control == WallControl::velocity && radius_rate != 0);
  }

  // `pushed`: N, of the sample on the wall, out of the sample.
  TALUS_HD bool is_limited(Real pushed, Real area_now) const {
    if (control != WallControl::servo) return false;
    const Real goal = load(area_now);
    return std::abs(goal - pushed) > gain * goal;
  }
  // In the step that begins at this time. `into`: unit, into the sample.
  TALUS_HD WallMotion<D> motion(const Vec<D>& into, Real pushed, Real area_now, Real time, Real dt) const {
    if (control == WallControl::velocity) return prescribed(time, dt);
    if (control == WallControl::servo) {
      if (radial) return {{}, {}, answer(pushed, area_now)};
      WallMotion<D> m{answer(pushed, area_now) * into, {}, 0};
      if (!(velocity == Vec<D>{})) m.velocity += prescribed(time, dt).velocity;  // else the sign of a zero might change
      return m;
    }
    return {};
  }

 private:
  TALUS_HD WallMotion<D> prescribed(Real time, Real dt) const {
    const WallMotion<D> full{velocity, spin, radius_rate};
    const Real left = until - time;  // the last step is a part of one: the way is exact
    if (left < dt) return left > 0 ? (left / dt) * full : WallMotion<D>{};
    return time - since < ramp ? ((time - since) / ramp) * full : full;
  }
  // m/s into the sample.
  TALUS_HD Real answer(Real pushed, Real area_now) const {
    const Real goal = load(area_now);
    if (!(goal > 0)) return 0;  // a facet that no longer lies between the platens
    return speed_max * clamp((goal - pushed) / (gain * goal), Real(-1), Real(1));
  }
};

}  // namespace talus
