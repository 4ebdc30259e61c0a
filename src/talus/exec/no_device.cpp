// A build without CUDA says so.
#include <talus/exec/device.hpp>

namespace talus::exec {

std::string no_device() { return "this build has no CUDA; configure with the preset 'cuda'"; }
std::string device_name() { return "none"; }

}  // namespace talus::exec
