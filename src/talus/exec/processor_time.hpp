#pragma once
// What the calling thread has had of a processor. Beside exec/timers.hpp: other work on the machine does not count.

namespace talus::exec {

double processor_time();  // s

}  // namespace talus::exec
