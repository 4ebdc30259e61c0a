#pragma once
// Memory that will be read soon. Asked for a few lines at a time between other work: many at once would have to wait for
// one another. Addresses beyond the end of an array do no harm.
//
// `ask` must be inlined: compilers take a function that only asks for memory for one without effect, and drop calls of it.
#include <cstddef>

#include <talus/core/real.hpp>

namespace talus::exec {

class Wanted {
 public:
  template <class T>
  Wanted(const T* first, std::size_t count)
      : next_(reinterpret_cast<const char*>(first)), end_(reinterpret_cast<const char*>(first + count)) {}

  // The next lines of the cache, if any are left.
  TALUS_HD void ask(int lines) {
    for (; lines > 0 && next_ < end_; --lines, next_ += 64) __builtin_prefetch(next_);
  }

 private:
  const char *next_, *end_;
};

}  // namespace talus::exec
