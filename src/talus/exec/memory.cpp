#include <talus/exec/memory.hpp>

#include <sys/mman.h>

#include <cstring>
#include <new>

namespace talus::exec {
namespace {

// Large blocks come from the system and go back to it at once: a rebuild gives room back before it takes new room, and a
// heap that keeps what it was given would need both.
constexpr std::size_t large = std::size_t(1) << 18;

void* allocate(std::size_t bytes) {
  if (bytes < large) return ::operator new (bytes, std::align_val_t{64});
  void* p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED) throw std::bad_alloc();
  return p;
}

void release(void* p, std::size_t bytes) {
  if (bytes < large)
    ::operator delete (p, std::align_val_t{64});
  else
    munmap(p, bytes);
}

}  // namespace

const Memory& host_memory() {
  static constexpr Memory host{
      allocate,
      release,
      [](void* to, const void* from, std::size_t bytes) { std::memcpy(to, from, bytes); },
      [](void* p, std::size_t bytes) { std::memset(p, 0, bytes); },
      true,
  };
  return host;
}

}  // namespace talus::exec
