#pragma once
// The explicit method as an object: spheres and discs on the host or on a device, polygons of the plane on the host.
#include <memory>

#include <talus/dem/step_options.hpp>
#include <talus/method/method.hpp>

namespace talus::dem {

// [dynamics]: the keys of the explicit step.
struct Options {
  StepOptions step{};
  bool automatic = true;  // follow the stiffest contact
  Real safety = 0.3;      // share of the critical step
  Real fixed = 0;         // s, when not automatic
  Real rebound = 0.01;    // largest error of a rebound that the automatic step may make, share of the restitution
  bool forced = false;    // the scene states a step above the limit and says so
};

template <int D>
std::unique_ptr<Method<D>> make_method(const Options& options = {});

}  // namespace talus::dem
