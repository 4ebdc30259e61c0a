// A build without CUDA: says so.
#include <talus/dem/device.hpp>
#include <talus/exec/device.hpp>

namespace talus::dem {

template <int D>
struct Device<D>::Inside {};

template <int D>
Device<D>::Device() {
  throw exec::DeviceError(exec::no_device());
}
template <int D>
Device<D>::~Device() = default;
template <int D>
void Device<D>::upload(const Model<D>&, const StepOptions&, const State<D>&) {}
template <int D>
void Device<D>::replan(const Model<D>&, const Globals<D>&) {}
template <int D>
StepReport Device<D>::advance(i64, const std::function<void()>&) {
  return {};
}
template <int D>
const Globals<D>& Device<D>::globals() const {
  static const Globals<D> none{};
  return none;
}
template <int D>
void Device<D>::download(State<D>&, Scratch<D>&) const {}
template <int D>
TimeStepLimit Device<D>::critical_dt() const {
  return {0, 0, 0};
}
template <int D>
i64 Device<D>::rebuilds() const {
  return 0;
}
template <int D>
std::size_t Device<D>::bytes() const {
  return 0;
}
template class Device<2>;
template class Device<3>;

}  // namespace talus::dem
