#pragma once
// SIGINT, SIGTERM and SIGHUP (the terminal is gone) ask a run to stop after a checkpoint.

namespace talus::app {

void catch_signals();
int caught_signal();  // 0: none came
// A file above the limit of the system is a write that fails and says so, not a signal that ends the process.
void let_large_writes_fail();

}  // namespace talus::app
