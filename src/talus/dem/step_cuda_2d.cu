#include <talus/dem/cuda.ipp>

namespace talus::dem {
template class Device<2>;
}  // namespace talus::dem
