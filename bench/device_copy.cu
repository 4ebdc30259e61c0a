// What the GPU's memory can do: bytes read and written per second by a large copy. Prints GB/s.
#include <cstdio>

#include <talus/exec/cuda.cuh>
#include <talus/exec/timers.hpp>

using namespace talus;

int main() {
  const std::size_t bytes = std::size_t(4) << 30;
  Column<u8> from(bytes, exec::Cuda::memory()), to(bytes, exec::Cuda::memory());
  const auto once = [&] { to.memory().copy(to.data(), from.data(), bytes); };
  from.memory().clear(from.data(), bytes);
  once();
  double best = 1e300;
  for (int n = 0; n < 10; ++n) {
    const double start = exec::now();
    once();
    best = min(best, exec::now() - start);
  }
  std::printf("%.0f\n", 2e-9 * double(bytes) / best);
}
