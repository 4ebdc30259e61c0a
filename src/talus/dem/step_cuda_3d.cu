#include <talus/dem/cuda.ipp>

namespace talus::dem {
template class Device<3>;
}  // namespace talus::dem
