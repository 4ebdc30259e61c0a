#include <talus/dem/host.ipp>

namespace talus::dem {
TALUS_INSTANTIATE(2)
}  // namespace talus::dem
