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
  struct sigaction before {};  // nohup has SIGHUP ignored, and that stays
  if (sigaction(SIGHUP, nullptr, &before) == 0 && before.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr);
}

void let_large_writes_fail() { std::signal(SIGXFSZ, SIG_IGN); }

int caught_signal() { return caught; }

}  // namespace talus::app
