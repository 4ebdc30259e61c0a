#pragma once
// Where the bytes of a column live: this machine's memory or a device's. A back end brings its own.
#include <cstddef>

namespace talus::exec {

struct Memory {
  void* (*allocate)(std::size_t bytes);  // aligned to 64 bytes; throws when there is not enough
  void (*release)(void* p, std::size_t bytes);
  void (*copy)(void* to, const void* from, std::size_t bytes);  // either side may be host memory
  void (*clear)(void* p, std::size_t bytes);                    // to zero
  bool on_host;
};

const Memory& host_memory();

}  // namespace talus::exec
