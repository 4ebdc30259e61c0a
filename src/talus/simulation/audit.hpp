#pragma once
// What running a scene means, without running it: sizes, time step, expected work, memory, disk.
#include <optional>
#include <string>
#include <vector>

#include <talus/method/first_step.hpp>
#include <talus/simulation/loaded_scene.hpp>

namespace talus::simulation {

struct StagePlan {
  std::string name;
  bool has_steps = true;
  double steps = 0;  // expected; 0 with steps: until its stop rule
  Real rate = 0;     // 1/s, fastest of the cell; 0: it is not driven against a stress
  Real inertial_number = 0;
};

struct Pressure {
  Real highest = 0;               // Pa, that a stage or a wall holds
  std::optional<Real> stiffness;  // E / ((1 - nu^2) p), of Hertz contacts
  Real overlap = 0;               // expected, over the radius
  bool exceeds_limit = false;     // dynamics.overlap_limit
};

struct SceneAudit {
  std::size_t grains = 0, walls = 0, particles = 0;
  Real d50 = 0, size_ratio = 1;  // m; largest over smallest diameter
  std::vector<Real> edges;       // m, of the cell
  Real porosity = 0;             // at full size
  FirstStep first_step;
  Pressure pressure;
  std::vector<StagePlan> stages;
  Real density_scale = 1;
  double steps = 0;                           // of the stages that know theirs
  bool open_ended = false;                    // there are others
  double memory = 0, disk = 0, pictures = 0;  // bytes, bytes, files
  double rate = 0;     // grain-steps per second, measured on the sample as placed; 0: nothing to plan with
  std::string remark;  // of the method, on the cost of later steps
};

// Makes a few steps of a copy of the sample to measure the rate.
template <int D>
SceneAudit audit_of(scene::Scene<D>& scene);  // the state gets its first time step

}  // namespace talus::simulation
