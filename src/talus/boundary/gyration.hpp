#pragma once
// A mould whose axis goes round a cone while the mould itself does not spin (docs/design/033-gyratory-mould.md):
//   g = W t,   turning R = Rz(g) Rx(tilt) Rz(-g),   axis a = (sin tilt sin g, -sin tilt cos g, cos tilt),   spin W (ez - a).
// It turns about its position, the pivot. First it tilts, smoothly, then it gyrates.
#include <talus/core/quat.hpp>
#include <talus/core/vec.hpp>

namespace talus {

struct Gyration {
  Real tilt = 0;       // rad
  Real period = 1;     // s, of one gyration
  Real since = 0;      // s, when it began to tilt
  Real tilt_time = 0;  // s, that it takes

  Real tilt_at(Real time) const {
    const Real share = tilt_time > 0 ? clamp((time - since) / tilt_time, Real(0), Real(1)) : Real(time >= since);
    return tilt * share * share * (3 - 2 * share);
  }
  // Gyrations done.
  Real turns_at(Real time) const { return max((time - since - tilt_time) / period, Real(0)); }
  Quat orientation(Real time) const {
    const Real half = tilt_at(time) / 2, g = phase(time), s = std::sin(half);
    return {std::cos(half), s * std::cos(g), s * std::sin(g), 0};
  }
  // rad/s: what turns the mould from where it is at one time to where it is at the next.
  Vec3 spin(Real time, Real dt) const {
    const Quat change = orientation(time + dt) * orientation(time).conjugate();
    return (2 / (dt * change.w)) * change.vector();  // 2 tan(angle / 2) for the angle, which is small
  }
  // m, from the pivot to the place where the axis has this height above it, without the height.
  Vec3 axis_at(Real height, Real time) const {
    const Real lean = height * std::tan(tilt_at(time)), g = phase(time);
    return {lean * std::sin(g), -lean * std::cos(g), 0};
  }

 private:
  Real phase(Real time) const {
    const Real turns = turns_at(time);
    return 2 * pi * (turns - std::floor(turns));
  }
};

}  // namespace talus
