#include <talus/exec/timers.hpp>

namespace talus::exec {

Timers& timers() {
  static Timers all;
  return all;
}

}  // namespace talus::exec
