#include <talus/dem/act_host.ipp>

namespace talus::dem {
TALUS_ACT_HOST(, 2, Keep::forces)
TALUS_ACT_HOST(, 2, Keep::any)
}  // namespace talus::dem
