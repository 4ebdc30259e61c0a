#include <talus/contact/three_phase.hpp>

#include <cmath>

namespace talus {

Real wright_omega(Real z) {
  if (z < -700) return 0;  // exp(z), below the smallest double or near it
  // From the left Newton's method rises to the root of the concave w + ln w - z without passing it.
  Real w = z > 1 ? z - std::log(z) : std::exp(z) / (1 + std::exp(z));
  for (int k = 0; k < 30; ++k) {
    const Real next = w * (1 + z - std::log(w)) / (1 + w);
    const Real change = std::abs(next - w);
    w = next;
    if (change <= 1e-16 * w) break;
  }
  return w;
}

ThreePhase::ThreePhase(const Test& test)
    : test_(test),
      km_(test.constants.maxwell_stiffness * test.scale),
      cm_(test.constants.maxwell_viscosity * test.scale),
      kk_(test.constants.kelvin_stiffness * test.scale),
      ck_(test.constants.kelvin_viscosity * test.scale) {
  const Real sum = km_ / cm_ + (kk_ + km_) / ck_, product = kk_ / ck_ * (km_ / cm_);
  fast_ = 0.5 * (sum + std::sqrt(sum * sum - 4 * product));
  slow_ = product / fast_;
  const Real c = test.overlap / test.force - 1 / km_ - 1 / kk_;
  t1_ = cm_ * c + ck_ / kk_ * wright_omega(std::log(cm_ / ck_) - kk_ * cm_ * c / ck_);
  // The force goes on continuously where the speed jumps, its rate jumps by km times as much.
  const Real speed = test.force * (1 / cm_ + std::exp(-kk_ * t1_ / ck_) / ck_);
  at_t1_ = {test.force, -km_ * speed};
  at_t2_ = later(at_t1_, 0, test.t2 - t1_);
  at_t2_.rate += km_ * test.speed;
}

ThreePhase::Answer ThreePhase::later(const Answer& start, Real speed, Real time) const {
  const Real apart = fast_ - slow_, steady = cm_ * speed, over = start.force - steady;
  const Real quick = (start.rate + slow_ * over) / apart * std::exp(-fast_ * time);
  const Real lasting = (start.rate + fast_ * over) / apart * std::exp(-slow_ * time);
  return {steady - quick + lasting, fast_ * quick - slow_ * lasting};
}

Real ThreePhase::overlap_at(Real time) const {
  if (time <= t1_) return test_.force * (1 / km_ + time / cm_ - std::expm1(-kk_ * time / ck_) / kk_);
  return time <= test_.t2 ? test_.overlap : test_.overlap + test_.speed * (time - test_.t2);
}

Real ThreePhase::force_at(Real time) const {
  if (time <= t1_) return test_.force;
  return time <= test_.t2 ? later(at_t1_, 0, time - t1_).force : later(at_t2_, test_.speed, time - test_.t2).force;
}

}  // namespace talus
