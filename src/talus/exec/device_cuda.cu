#include <talus/exec/cuda.cuh>

namespace talus::exec {

std::string no_device() {
  int count = 0;
  const cudaError_t error = cudaGetDeviceCount(&count);
  if (error == cudaSuccess && count > 0) return {};
  cudaGetLastError();
  return std::string("no CUDA device can be used here: ") +
         (error == cudaSuccess ? "none was found" : cudaGetErrorString(error));
}

std::string device_name() {
  cudaDeviceProp about{};
  int device = 0;
  check_cuda(cudaGetDevice(&device), "no device");
  check_cuda(cudaGetDeviceProperties(&about, device), "no device");
  return std::string(about.name) + ", " + std::to_string(about.totalGlobalMem >> 20) + " MiB";
}

}  // namespace talus::exec
