#pragma once
// Launches a kernel functor on the device. Seen by nvcc alone; a build without CUDA finds nothing here.
#include <cstddef>

#if defined(__CUDACC__)

namespace talus::exec {

template <class Kernel>
__global__ void run_kernel(std::size_t n, Kernel kernel) {
  const std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) kernel(i);
}

template <class Kernel>
void launch(std::size_t n, const Kernel& kernel) {
  constexpr unsigned threads = 128;
  run_kernel<<<unsigned((n + threads - 1) / threads), threads>>>(n, kernel);
}

}  // namespace talus::exec

#endif
