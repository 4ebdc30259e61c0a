#pragma once
// SIGINT and SIGTERM ask a run to stop after a checkpoint.

namespace talus::app {

void catch_signals();
int caught_signal();  // 0: none came

}  // namespace talus::app
