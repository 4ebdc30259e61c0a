#include <talus/exec/memory.hpp>

#include <cstring>
#include <new>

namespace talus::exec {

const Memory& host_memory() {
  static constexpr Memory host{
      [](std::size_t bytes) { return ::operator new (bytes, std::align_val_t{64}); },
      [](void* p, std::size_t) { ::operator delete (p, std::align_val_t{64}); },
      [](void* to, const void* from, std::size_t bytes) { std::memcpy(to, from, bytes); },
      [](void* p, std::size_t bytes) { std::memset(p, 0, bytes); },
      true,
  };
  return host;
}

}  // namespace talus::exec
