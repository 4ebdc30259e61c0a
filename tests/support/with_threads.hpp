#pragma once
// The number of threads until the end of a scope; then what it was before, also when an assertion leaves the test early.
#include <talus/exec/pool.hpp>

namespace talus::test {

class WithThreads {
 public:
  explicit WithThreads(int n) : before_(exec::threads()) { exec::set_threads(n); }
  ~WithThreads() { exec::set_threads(before_); }
  WithThreads(const WithThreads&) = delete;
  WithThreads& operator=(const WithThreads&) = delete;

 private:
  int before_;
};

}  // namespace talus::test
