#include <talus/exec/processor_time.hpp>
#include <talus/exec/timers.hpp>

#include <ctime>

#include <sys/resource.h>

namespace talus::exec {

Timers& timers() {
  static Timers all;
  return all;
}

std::string date_text() {
  const std::time_t t = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&t, &utc);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text;
}

double cpu_time() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

double processor_time() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

double peak_memory_mb() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  return double(used.ru_maxrss) / 1024;
}

}  // namespace talus::exec
