#include <talus/app/signals.hpp>

#include <csignal>

namespace talus::app {

namespace {
volatile std::sig_atomic_t caught = 0;
extern "C" void on_signal(int signal) { caught = signal; }
}  // namespace

void catch_signals() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

int caught_signal() { return caught; }

}  // namespace talus::app
