#pragma once
// For our own mistakes, in release builds too: says what should have held, and ends the program. Wrong input throws InputError, and
// what goes wrong in a step is a status.
#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace talus {

[[noreturn]] inline void assertion_failed(std::string_view what) {
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, what.data(), what.size());
  std::abort();
}

}  // namespace talus

#define TALUS_ASSERT_TEXT(line) #line
#define TALUS_ASSERT_AT(condition, file, line) \
  ((condition) ? void(0) : ::talus::assertion_failed("talus: " file ":" TALUS_ASSERT_TEXT(line) ": not so: " #condition "\n"))
#define TALUS_ASSERT(condition) TALUS_ASSERT_AT(condition, __FILE__, __LINE__)
