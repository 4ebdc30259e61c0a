#pragma once
// Is there a device, and what is it? In words for the user. The back end itself is cuda.cuh, which nvcc alone sees.
#include <stdexcept>
#include <string>

namespace talus::exec {

struct DeviceError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Empty when a CUDA device can be used here; else what is missing.
std::string no_device();
// Name and memory of the device, for the record of a run.
std::string device_name();

}  // namespace talus::exec
