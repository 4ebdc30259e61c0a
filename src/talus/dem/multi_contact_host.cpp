#include <talus/dem/multi_contact_solve.ipp>
#include <talus/exec/host.hpp>

namespace talus::dem {
TALUS_MULTI_CONTACT_HOST()
}  // namespace talus::dem
