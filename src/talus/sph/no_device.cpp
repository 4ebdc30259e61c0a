// A build without CUDA: says so.
#include <talus/exec/device.hpp>
#include <talus/sph/device.hpp>

namespace talus::sph {

template <int D>
StepReport advance_on_device(const Options<D>&, const Model<D>&, State<D>&, Scratch<D>&, i64) {
  throw exec::DeviceError(exec::no_device());
}
template StepReport advance_on_device(const Options<2>&, const Model<2>&, State<2>&, Scratch<2>&, i64);
template StepReport advance_on_device(const Options<3>&, const Model<3>&, State<3>&, Scratch<3>&, i64);

}  // namespace talus::sph
