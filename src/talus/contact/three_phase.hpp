#pragma once
// The test of two coats without inertia, in closed form: pressed by a constant force until the grains touch at t1, held there until
// t2, drawn apart at a constant speed until t3. Equations: docs/laws/burgers.md (13)-(17).
#include <talus/contact/mortar.hpp>

namespace talus {

// Wright's omega: w + ln w = z, for any finite z.
Real wright_omega(Real z);

class ThreePhase {
 public:
  struct Test {
    MortarConstants constants{};
    Real scale = 0;        // m, area over thickness
    Real force = 0;        // N, that presses
    Real overlap = 0;      // m, at which the grains touch: 2 tau
    Real speed = 0;        // m/s, of closing in the third phase; negative
    Real t2 = 0, t3 = 0;   // s
  };
  explicit ThreePhase(const Test& test);

  Real t1() const { return t1_; }
  Real overlap_at(Real time) const;  // m
  Real force_at(Real time) const;    // N, of the coats, compression positive

 private:
  // Force and its rate after a time at constant closing speed.
  struct Answer {
    Real force, rate;
  };
  Answer later(const Answer& start, Real speed, Real time) const;

  Test test_;
  Real km_, cm_, kk_, ck_;  // N/m, N s/m
  Real fast_, slow_;        // 1/s
  Real t1_;
  Answer at_t1_, at_t2_;
};

}  // namespace talus
