#pragma once
// [impulse]: what contact dynamics asks of a scene.
#include <memory>
#include <string>

#include <talus/core/real.hpp>

namespace talus::impulse {

class CoatModel;

// Do sweeps of the contact solver go on the way that earlier ones went? Rigid grains may have several answers: `careful` stays
// near the impulses it starts from, as plain sweeps do; `momentum` goes farther when that comes to a halt.
enum class Acceleration : u32 { none, careful, momentum };

struct StepOptions {
  Real tolerance = 1e-6;   // residual at which a step is solved
  i64 max_sweeps = 20000;  // and where it stops without convergence; reported, never silent
  Acceleration acceleration = Acceleration::momentum;
  Real reach = 0.01;         // gaps up to this share of the smallest radius are watched from the start of a step
  std::shared_ptr<const CoatModel> coat{};  // mortar between hulls; none: bare grains
  bool elastic = false;          // contacts follow the law of their pair, solved inside the step; else they are rigid
  bool solid_coats = false;      // coats are as hard as grains: their law rests
  bool from_rest = false;        // grains forget their velocities at each step: without inertia
  Real contact_give = 0.01;      // of the smallest radius: how far coated grains give way where they touch, under the mean force of the step before
  bool fixed_count = false;  // a game engine's solver instead: so many sweeps, whatever is left
  i64 sweeps = 100, position_sweeps = 3;
  Real theta = 1;  // positions move with theta of the new and 1 - theta of the old velocity; 1/2 to 1
};

struct Options {
  StepOptions step{};
  Real time_step = 0;   // s
  std::string law{};    // of elastic contacts; empty: they are rigid
  bool strict = false;  // a run whose solver too often did not converge has failed
};

}  // namespace talus::impulse
