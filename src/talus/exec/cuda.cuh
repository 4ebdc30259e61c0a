#pragma once
// The device back end: the same words as the host's, as CUDA kernels on one stream. Seen by nvcc alone. Sums have the
// shape of the host's, so that they have its bits.
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
#include <string>

#include <talus/exec/column.hpp>
#include <talus/exec/device.hpp>
#include <talus/exec/shared_memory.hpp>

namespace talus::exec {

inline void check_cuda(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  throw DeviceError(std::string("CUDA: ") + what + ": " + cudaGetErrorString(error));
}

inline cudaStream_t cuda_stream() {
  static cudaStream_t stream = [] {
    cudaStream_t s;
    check_cuda(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking), "cannot make a stream");
    return s;
  }();
  return stream;
}

inline void* cuda_allocate(std::size_t bytes) {
  if (bytes == 0) return nullptr;
  void* p = nullptr;
  if (cudaMallocAsync(&p, bytes, cuda_stream()) == cudaSuccess) return p;
  cudaGetLastError();
  std::size_t free = 0, total = 0;
  cudaMemGetInfo(&free, &total);
  throw DeviceError("not enough memory on the device: asked for " + std::to_string(bytes >> 20) + " MiB, " +
                    std::to_string(free >> 20) + " of " + std::to_string(total >> 20) + " MiB are free");
}

inline const Memory& cuda_memory() {
  static const Memory memory = [] {
    // Memory that is given back stays with the process: rebuilds ask for it again.
    int device = 0;
    check_cuda(cudaGetDevice(&device), "no device");
    cudaMemPool_t pool;
    check_cuda(cudaDeviceGetDefaultMemPool(&pool, device), "no memory pool");
    u64 keep = ~u64(0);
    check_cuda(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep), "cannot set the memory pool");
    return Memory{cuda_allocate, [](void* p, std::size_t) { cudaFreeAsync(p, cuda_stream()); },
                  [](void* to, const void* from, std::size_t bytes) {
                    check_cuda(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, cuda_stream()), "copy");
                    check_cuda(cudaStreamSynchronize(cuda_stream()), "copy");
                  },
                  [](void* p, std::size_t bytes) { check_cuda(cudaMemsetAsync(p, 0, bytes, cuda_stream()), "clear"); },
                  false};
  }();
  return memory;
}

template <class Kernel>
__global__ void run_kernel(std::size_t n, const __grid_constant__ Kernel kernel, const u32* gate) {
  if (gate != nullptr && *gate != 0) return;
  const std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) kernel(i);
}

// Six blocks on a multiprocessor: fewer registers for more threads that wait for memory at the same time (measured on an
// H200 at 1,000,000 spheres: no bound 1750, six 1806, eight 1667 million sphere-steps/s).
template <class Kernel>
__global__ void __launch_bounds__(128, 6)
    run_raise(std::size_t n, const __grid_constant__ Kernel kernel, Real* most, const u32* gate) {
  if (gate != nullptr && *gate != 0) return;
  const std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  Real here = i < n ? kernel(i) : Real(0);
  for (int step = 16; step > 0; step /= 2) here = max(here, __shfl_xor_sync(~0u, here, step));
  if (threadIdx.x % 32 == 0 && here > *static_cast<volatile Real*>(most)) atomic_raise(most, here);
}

// Each block folds its elements, thread by thread and then as a tree, into one value.
template <class T, class Kernel>
__global__ void run_fold(std::size_t n, const __grid_constant__ Kernel kernel, T* out, const u32* gate) {
  if (gate != nullptr && *gate != 0) return;
  constexpr unsigned threads = 128;
  __shared__ alignas(16) unsigned char raw[threads * sizeof(T)];
  T* part = reinterpret_cast<T*>(raw);
  T here{};
  for (std::size_t i = std::size_t(blockIdx.x) * threads + threadIdx.x; i < n; i += std::size_t(gridDim.x) * threads)
    here.join(kernel(i));
  part[threadIdx.x] = here;
  for (unsigned half = threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) part[threadIdx.x].join(part[threadIdx.x + half]);
  }
  if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}

// Sums in the order of the host, and so with its bits: values come into shared memory side by side, then each thread
// adds one word of all of them, one after another.
template <class T, class Value>
__device__ void add_in_order(T& total, unsigned count, const Value& value) {
  constexpr unsigned words = sizeof(T) / sizeof(Real), batch = 64;
  __shared__ Real values[batch * words];
  __shared__ Real sums[words];
  if (threadIdx.x < words) sums[threadIdx.x] = reinterpret_cast<const Real*>(&total)[threadIdx.x];
  for (unsigned begin = 0; begin < count; begin += batch) {
    const unsigned here = min(batch, count - begin);
    __syncthreads();
    for (unsigned e = threadIdx.x; e < here; e += blockDim.x)
      *reinterpret_cast<T*>(values + e * words) = value(begin + e);
    __syncthreads();
    if (threadIdx.x < words) {
      Real sum = sums[threadIdx.x];
      for (unsigned e = 0; e < here; ++e) sum += values[e * words + threadIdx.x];
      sums[threadIdx.x] = sum;
    }
  }
  __syncthreads();
  total = *reinterpret_cast<const T*>(sums);
}

// The leaves of the host's tree: blocks of 256 in index order.
template <class T, class Kernel>
__global__ void run_leaves(std::size_t n, const __grid_constant__ Kernel kernel, T* partial, const u32* gate) {
  if (gate != nullptr && *gate != 0) return;
  const std::size_t first = std::size_t(blockIdx.x) * 256;
  T total{};
  add_in_order(total, unsigned(min(std::size_t(256), n - first)), [&](unsigned e) { return kernel(first + e); });
  if (threadIdx.x == 0) partial[blockIdx.x] = total;
}
// Its branches: pairwise.
template <class T>
__global__ void run_tree(unsigned leaves, T* partial, T* target, const u32* gate) {
  if (gate != nullptr && *gate != 0) return;
  for (unsigned width = 1; width < leaves; width *= 2) {
    for (unsigned b = 2 * width * threadIdx.x; b + width < leaves; b += 2 * width * blockDim.x)
      partial[b] += partial[b + width];
    __syncthreads();
  }
  if (threadIdx.x == 0) *target = leaves == 0 ? T{} : partial[0];
}

// One block per element i: the sum of kernel.part(i, e) over its e, in their order, goes to kernel.put(i, sum).
template <class T, class Kernel>
__global__ void run_wide(const __grid_constant__ Kernel kernel, std::size_t first, const u32* gate) {
  if (gate != nullptr && *gate != 0) return;
  const std::size_t i = first + blockIdx.x;
  const u32 begin = kernel.first(i);
  T total{};
  add_in_order(total, kernel.last(i) - begin, [&](unsigned e) {
    T one{};
    kernel.add(i, begin + e, one);
    return one;
  });
  if (threadIdx.x == 0) kernel.put(i, total);
}

template <class T>
struct ValueOf {
  const T* values;
  __device__ T operator()(std::size_t i) const { return values[i]; }
};
struct Number {
  Span<u32> to;
  __device__ void operator()(std::size_t i) const { to[i] = u32(i); }
};

struct Cuda {
  static constexpr unsigned threads = 128;
  static constexpr std::size_t folds = 1024;  // most blocks of a fold
  static const Memory& memory() { return cuda_memory(); }

  // While this number on the device is not 0, kernels return at once: how a step inside a graph is stopped.
  static inline const u32* gate = nullptr;

  static unsigned blocks(std::size_t n) { return unsigned((n + threads - 1) / threads); }
  static void check_launch() { check_cuda(cudaGetLastError(), "kernel"); }

  template <class Kernel>
  static void for_each(std::size_t n, const Kernel& kernel, std::size_t /*least: of the host alone*/ = 0) {
    if (n == 0) return;
    run_kernel<<<blocks(n), n == 1 ? 1 : threads, 0, cuda_stream()>>>(n, kernel, gate);
    check_launch();
  }
  template <class Kernel>
  static void raise(std::size_t n, const Kernel& kernel, Real* most) {
    if (n == 0) return;
    run_raise<<<blocks(n), threads, 0, cuda_stream()>>>(n, kernel, most, gate);
    check_launch();
  }
  template <class T, class Kernel>
  static void wide(std::size_t first, std::size_t n, const Kernel& kernel) {
    if (n == 0) return;
    run_wide<T><<<unsigned(n), 128, 0, cuda_stream()>>>(kernel, first, gate);
    check_launch();
  }
  template <class T, class Kernel>
  static T reduce(std::size_t n, const Kernel& kernel) {
    if (n == 0) return T{};
    const unsigned many = unsigned(min(folds, (n + threads - 1) / threads));
    Column<T> parts(many, memory()), whole(1, memory());
    run_fold<T><<<many, threads, 0, cuda_stream()>>>(n, kernel, parts.data(), gate);
    run_fold<T><<<1, threads, 0, cuda_stream()>>>(many, ValueOf<T>{parts.data()}, whole.data(), gate);
    check_launch();
    T result;
    memory().copy(&result, whole.data(), sizeof(T));
    return result;
  }
  // The sum goes to `target` on the device; `parts` gives room for its leaves and must last as long as a graph that holds
  // this call.
  template <class T, class Kernel>
  static void sum_into(std::size_t n, const Kernel& kernel, T* target, Column<T>& parts) {
    const std::size_t leaves = (n + 255) / 256;
    if (parts.size() < leaves) parts.resize_unset(leaves);
    if (leaves > 0) run_leaves<T><<<unsigned(leaves), 64, 0, cuda_stream()>>>(n, kernel, parts.data(), gate);
    run_tree<T><<<1, 256, 0, cuda_stream()>>>(unsigned(leaves), parts.data(), target, gate);
    check_launch();
  }

  static u32 scan(Span<u32> counts) {
    if (counts.size == 0) return 0;
    u32 last = 0, before = 0;
    memory().copy(&last, counts.data + counts.size - 1, sizeof(u32));
    std::size_t bytes = 0;
    cub::DeviceScan::ExclusiveSum(nullptr, bytes, counts.data, counts.data, counts.size, cuda_stream());
    Column<u8> room(bytes, memory());
    check_cuda(cub::DeviceScan::ExclusiveSum(room.data(), bytes, counts.data, counts.data, counts.size, cuda_stream()),
               "scan");
    memory().copy(&before, counts.data + counts.size - 1, sizeof(u32));
    return before + last;
  }

  static void sort_order(Span<const u64> keys, Column<u32>& order) {
    order.resize_unset(keys.size);
    if (keys.size == 0) return;
    Column<u32> numbers(keys.size, memory());
    Column<u64> sorted(keys.size, memory());
    for_each(keys.size, Number{numbers.span()});
    std::size_t bytes = 0;
    const auto sort = [&](void* room) {
      return cub::DeviceRadixSort::SortPairs(room, bytes, keys.data, sorted.data(), numbers.data(), order.data(),
                                             keys.size, 0, 64, cuda_stream());
    };
    sort(nullptr);
    Column<u8> room(bytes, memory());
    check_cuda(sort(room.data()), "sort");
  }
};

// A number of launches recorded once and launched again and again as one.
class Graph {
 public:
  Graph() = default;
  ~Graph() { forget(); }
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  bool empty() const { return graph_ == nullptr; }
  void forget() {
    if (graph_) cudaGraphExecDestroy(graph_);
    graph_ = nullptr;
  }
  // Records what `body` launches; while `gate` on the device is not 0, all of it returns at once.
  template <class Body>
  void record(const u32* gate, const Body& body) {
    forget();
    cudaGraph_t recorded;
    check_cuda(cudaStreamBeginCapture(cuda_stream(), cudaStreamCaptureModeThreadLocal), "cannot record a graph");
    Cuda::gate = gate;
    body();
    Cuda::gate = nullptr;
    check_cuda(cudaStreamEndCapture(cuda_stream(), &recorded), "cannot record a graph");
    const cudaError_t made = cudaGraphInstantiate(&graph_, recorded, 0);
    cudaGraphDestroy(recorded);
    check_cuda(made, "cannot make a graph");
  }
  void launch() { check_cuda(cudaGraphLaunch(graph_, cuda_stream()), "cannot launch a graph"); }

 private:
  cudaGraphExec_t graph_ = nullptr;
};

// One value in memory that both sides reach quickly: how small answers come back.
template <class T>
class Mailbox {
 public:
  Mailbox() {
    check_cuda(cudaMallocHost(reinterpret_cast<void**>(&value_), sizeof(T)), "no room for answers");
    new (value_) T{};
  }
  ~Mailbox() { cudaFreeHost(value_); }
  Mailbox(const Mailbox&) = delete;
  Mailbox& operator=(const Mailbox&) = delete;
  T& operator*() { return *value_; }
  T* operator->() { return value_; }
  void send(T* device) {
    check_cuda(cudaMemcpyAsync(device, value_, sizeof(T), cudaMemcpyHostToDevice, cuda_stream()), "copy");
  }
  void fetch(const T* device) {
    check_cuda(cudaMemcpyAsync(value_, device, sizeof(T), cudaMemcpyDeviceToHost, cuda_stream()), "copy");
  }

 private:
  T* value_ = nullptr;
};

inline void wait_for_device() { check_cuda(cudaStreamSynchronize(cuda_stream()), "a kernel failed"); }

// Bytes of device memory that columns hold now.
inline std::size_t device_bytes() {
  int device = 0;
  cudaMemPool_t pool;
  u64 used = 0;
  check_cuda(cudaGetDevice(&device), "no device");
  check_cuda(cudaDeviceGetDefaultMemPool(&pool, device), "no memory pool");
  check_cuda(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used), "no memory pool");
  return std::size_t(used);
}

}  // namespace talus::exec
