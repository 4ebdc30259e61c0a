// The step on a CUDA device: every kernel of particles, one particle a call.
#include <talus/exec/cuda.cuh>
#include <talus/sph/device.hpp>
#include <talus/sph/step.ipp>

namespace talus::sph {

template <int D>
StepReport advance_on_device(const Options<D>& o, const Model<D>& model, State<D>& state, Scratch<D>& scratch, i64 steps) {
  if (const std::string missing = exec::no_device(); !missing.empty()) throw exec::DeviceError(missing);
  return advance_on<exec::Cuda>(o, model, state, scratch, steps);
}
template StepReport advance_on_device(const Options<2>&, const Model<2>&, State<2>&, Scratch<2>&, i64);
template StepReport advance_on_device(const Options<3>&, const Model<3>&, State<3>&, Scratch<3>&, i64);

}  // namespace talus::sph
