#include <talus/dem/host.ipp>

namespace talus::dem {
TALUS_STEP_HOST(2)
}  // namespace talus::dem
