#pragma once
// Appendices D and E of the thesis beside a contact solved inside the step: friction that is cut near rest, and a stiff spring with
// critical damping on the way out in place of a rigid contact. docs/results/gyratory/contact.md
#include <talus/core/real.hpp>

namespace talus::lab {

// A block that slides, and is then pulled by a force across: velocities at the end of a step.
struct SlidingBlock {
  Real mass = 0, normal = 0, friction = 0, pull = 0;  // kg, N, 1, N
  // Friction mu N against the motion, whatever the speed.
  Real plain(Real v, Real dt) const;
  // (D.5): at most what stops the block in the step.
  Real stopped(Real v, Real dt) const;
  // (D.9): falls with the speed below three times the critical one.
  Real faded(Real v, Real dt) const;
  // Found together with the velocity: sticks when it can.
  Real solved(Real v, Real dt) const;

 private:
  Real cut(Real v, Real dt, Real friction_force) const;
};

// A mass runs into a stop of stiffness k = ratio m / dt^2: speed of rebound over that of impact, more than 1 from nothing.
struct StiffStop {
  Real ratio = 0;   // k dt^2 / m
  Real place = 0;   // where in a step the stop is met, 0 to 1
  Real spring() const;    // explicit, undamped: a mass that is in it for one step leaves with ratio - 1
  Real damped() const;    // (E.2), (E.3): the same with c = 2 sqrt(k m) on the way out
  Real solved() const;    // at the end of the step, with that dashpot both ways
  Real deepest() const;   // overlap of `damped` over the way of a step

 private:
  Real run(bool dashpot, Real& depth) const;
};

}  // namespace talus::lab
