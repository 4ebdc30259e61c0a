#include <talus/dem/act_host.ipp>

namespace talus::dem {
TALUS_ACT_HOST(, 3, Keep::forces)
}  // namespace talus::dem
