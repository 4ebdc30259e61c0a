#pragma once
// Memory that will be read soon. It is fetched a few cache lines at a time between other work: many at once would wait for
// one another. Addresses beyond the end of an array do no harm.
//
// `fetch` must be inlined: a compiler takes a function that only prefetches for one without effect, and drops calls of it.
#include <cstddef>

#include <talus/core/real.hpp>

namespace talus::exec {

class Prefetch {
 public:
  template <class T>
  Prefetch(const T* first, std::size_t count)
      : next_(reinterpret_cast<const char*>(first)), end_(reinterpret_cast<const char*>(first + count)) {}

  // The next lines of the cache, if any are left.
  TALUS_HD void fetch(int lines) {
    for (; lines > 0 && next_ < end_; --lines, next_ += 64) __builtin_prefetch(next_);
  }

 private:
  const char *next_, *end_;
};

}  // namespace talus::exec
