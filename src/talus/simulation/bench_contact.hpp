#pragma once
// One contact for the bench, of any law: moved with a velocity, or pressed by a force.
#include <memory>
#include <string>

#include <talus/contact/relaxation.hpp>
#include <talus/core/input.hpp>
#include <talus/core/vec.hpp>

namespace talus::simulation {

class BenchContact {
 public:
  virtual ~BenchContact() = default;
  // On with this velocity of a against b; the force on a at the end. z is the normal, x the direction across.
  virtual Vec3 move(Real dt, const Vec3& velocity) = 0;
  // On under a force that presses: what its own mass and the contact make of it. The normal force at the end.
  virtual Real press(Real dt, Real force) = 0;
  virtual Real stored() const = 0;     // J
  virtual const Relaxation* exact() const { return nullptr; }  // of a coat, scale 1 m

  Real overlap = 0, closing = 0;  // m, m/s
  Real mass = 0;                  // kg, reduced
  Real scale = 0;                 // m, area over thickness of a coat; 0: bare grains
  Real length = 0, time = 0, force = 0;  // m, s, N: sizes that paths take by default
};

std::unique_ptr<BenchContact> bench_contact(Input& in, const std::string& law);

}  // namespace talus::simulation
