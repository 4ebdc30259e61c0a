#pragma once
// A scene ready to run: sample, model, protocol, and what to write when.
#include <memory>
#include <string>
#include <vector>

#include <talus/lab/analysis.hpp>
#include <talus/lab/stage.hpp>
#include <talus/method/method.hpp>

namespace talus::lab {

struct Cadence {
  i64 probe_every = 1000;        // steps between rows of the series
  i64 hash_every = 1000;         // steps between links of the hash chain
  i64 checkpoint_every = 50000;  // steps between checkpoints
  i64 vtk_every = 0;             // steps between pictures for ParaView; 0: at the end of each stage, and
  i64 vtk_frames = 0;            // so many through the test, evenly by its progress
  bool vtk = true;
  i64 film_every = 0;      // steps between frames of the film; 0: so many through the test, likewise
  i64 film_frames = 0;
  Real porosity_ball = 0;  // diameter of the measurement ball over the cell's smallest edge; 0: none
  bool chains = false;     // look for force chains in every row
  bool wall_loads = false;  // force and moment on each wall in every row and picture
};

template <int D>
struct Experiment {
  std::string title;
  std::unique_ptr<Method<D>> method;
  Model<D> model;  // before any stage has put its plan in
  State<D> state;
  std::vector<std::unique_ptr<Stage<D>>> stages;
  std::unique_ptr<Analysis<D>> analysis;  // of a ready-made test; may be null
  Cadence cadence;
  Real dt_start = 0;  // s, step before contacts are known
};

// Does it move grains that touch? If not, nothing that looks at contacts applies.
template <int D>
bool has_grains(const Experiment<D>& experiment) {
  return !experiment.method || experiment.method->has_grains();
}

}  // namespace talus::lab
