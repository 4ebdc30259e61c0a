#include <talus/dem/host.ipp>

namespace talus::dem {
TALUS_INSTANTIATE(3)
}  // namespace talus::dem
