#pragma once
// Steps of particles on a CUDA device: taken there, moved on and brought back. Lists are made by the host. Walls are flat or cylinders: other
// shapes lie in the host's memory.
#include <talus/sph/step.hpp>

namespace talus::sph {

// As `advance`, with the bits of the host.
template <int D>
StepReport advance_on_device(const Options<D>& options, const Model<D>& model, State<D>& state, Scratch<D>& scratch, i64 steps);

}  // namespace talus::sph
