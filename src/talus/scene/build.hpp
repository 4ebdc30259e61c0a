#pragma once
// From the entries of a scene to an Experiment. Every entry is asked for here, in a law, a stage or a size distribution,
// with its dimension, range, default and meaning: that is the schema.
#include <variant>

#include <talus/core/input.hpp>
#include <talus/lab/experiment.hpp>
#include <talus/sampling/sizes.hpp>
#include <talus/scene/parent.hpp>

namespace talus::scene {

// What the program needs to know before it builds: read first, the same for all methods.
struct Heading {
  std::string title, method, device;
  int dimension = 3;
  u64 seed = 1;
  i64 replicates = 1;
};
Heading read_heading(Input& in);

template <int D>
struct Scene {
  lab::Experiment<D> experiment;
  sampling::Grading target;     // grading curve the sizes were drawn from; empty when there is none
  std::vector<Real> diameters;  // m, in uid order
};

// Throws InputError. `seed` may differ from the heading's (replicates). `find`: gives the samples that scenes take from other runs.
template <int D>
Scene<D> build(Input& in, u64 seed, const FindParent<D>& find);

}  // namespace talus::scene
