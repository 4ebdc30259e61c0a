#include <talus/dem/bulge_solve.ipp>
#include <talus/exec/host.hpp>

namespace talus::dem {
TALUS_BULGE_HOST()
}  // namespace talus::dem
