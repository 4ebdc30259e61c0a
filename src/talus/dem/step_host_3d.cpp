#include <talus/dem/host.ipp>

namespace talus::dem {
TALUS_STEP_HOST(3)
}  // namespace talus::dem
