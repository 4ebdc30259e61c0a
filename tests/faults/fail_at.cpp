// Preloaded into the program under test (LD_PRELOAD): stands between it and the system calls that change or open files of one
// folder, counts them, and lets one of them go wrong. A folder changes at these calls and at no others, so a kill before each of
// them leaves every folder that a kill at any moment can leave.
//
//   FAIL_IN     the folder; calls on other files pass uncounted
//   FAIL_COUNT  a file for the number of calls, and their names in order, when the process ends
//   FAIL_AT     number of the call, from 1
//   FAIL_WHAT   kill: SIGKILL before it; half: SIGKILL after half of what is written; delay: it waits FAIL_DELAY ms; a number: this errno
//   FAIL_ON     all: every call from FAIL_AT on fails, as on a disk that stays full
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/types.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

const char* setting(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

struct Plan {
  std::string folder = setting("FAIL_IN"), what = setting("FAIL_WHAT"), count = setting("FAIL_COUNT"), calls;
  long at = std::atol(setting("FAIL_AT")), made = 0;
  bool all = std::strcmp(setting("FAIL_ON"), "all") == 0;
  bool mine[1024] = {};  // descriptors of files in the folder
};
Plan& plan() {
  static Plan* p = new Plan;  // lives until the process is gone
  return *p;
}

template <class F>
F real(const char* name) {
  return reinterpret_cast<F>(dlsym(RTLD_NEXT, name));
}

bool is_inside(const char* path) {
  const std::string& folder = plan().folder;
  return path && !folder.empty() && std::strncmp(path, folder.c_str(), folder.size()) == 0;
}

[[noreturn]] void die() {
  kill(getpid(), SIGKILL);
  for (;;) pause();
}

// 0: the call is made; else the errno it fails with.
int judge(const char* call) {
  Plan& p = plan();
  ++p.made;
  if (!p.count.empty()) p.calls += std::string(call) + "\n";
  if (p.at == 0 || (p.made != p.at && !(p.all && p.made > p.at))) return 0;
  if (p.what == "kill") die();
  if (p.what == "delay") usleep(static_cast<useconds_t>(1000 * std::atol(setting("FAIL_DELAY"))));
  return std::atoi(p.what.c_str());
}

int fails(const char* call) { return errno = judge(call); }

struct AtExit {
  ~AtExit() {
    Plan& p = plan();
    if (p.count.empty()) return;
    const int to = real<int (*)(const char*, int, ...)>("open")(p.count.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    const ssize_t n = real<ssize_t (*)(int, const void*, size_t)>("write")(to, p.calls.data(), p.calls.size());
    (void)n;
    close(to);
  }
} at_exit;

int open_at(const char* name, int folder, const char* path, int flags, mode_t mode) {
  const bool counts = is_inside(path);
  if (counts && fails(flags & O_DIRECTORY ? "open folder" : flags & O_CREAT ? "create" : "open")) return -1;
  const int id = std::strcmp(name, "openat") == 0
                     ? real<int (*)(int, const char*, int, ...)>(name)(folder, path, flags, mode)
                     : real<int (*)(const char*, int, ...)>(name)(path, flags, mode);
  if (id >= 0 && id < 1024) plan().mine[id] = counts;
  return id;
}

bool is_mine(int id) { return id >= 0 && id < 1024 && plan().mine[id]; }

}  // namespace

extern "C" {

#define TALUS_OPEN(NAME)                                   \
  int NAME(const char* path, int flags, ...) {             \
    va_list more;                                          \
    va_start(more, flags);                                 \
    const mode_t mode = flags & O_CREAT ? va_arg(more, mode_t) : 0; \
    va_end(more);                                          \
    return open_at("open", 0, path, flags, mode);          \
  }
TALUS_OPEN(open)
TALUS_OPEN(open64)

int openat(int folder, const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const mode_t mode = flags & O_CREAT ? va_arg(more, mode_t) : 0;
  va_end(more);
  return open_at("openat", folder, path, flags, mode);
}

ssize_t write(int id, const void* data, size_t size) {
  const auto next = real<ssize_t (*)(int, const void*, size_t)>("write");
  if (!is_mine(id)) return next(id, data, size);
  Plan& p = plan();
  if (p.what == "half" && p.made + 1 == p.at) {
    const ssize_t n = next(id, data, size / 2);
    (void)n;
    die();
  }
  return fails("write") ? -1 : next(id, data, size);
}

int fsync(int id) { return is_mine(id) && fails("fsync") ? -1 : real<int (*)(int)>("fsync")(id); }

int rename(const char* from, const char* to) {
  return is_inside(to) && fails("rename") ? -1 : real<int (*)(const char*, const char*)>("rename")(from, to);
}

#define TALUS_PATH(NAME)                                                                    \
  int NAME(const char* path) noexcept {                                                     \
    return is_inside(path) && fails(#NAME) ? -1 : real<int (*)(const char*)>(#NAME)(path); \
  }
TALUS_PATH(unlink)
TALUS_PATH(remove)

int mkdir(const char* path, mode_t mode) noexcept {
  return is_inside(path) && fails("mkdir") ? -1 : real<int (*)(const char*, mode_t)>("mkdir")(path, mode);
}

int flock(int id, int how) noexcept { return is_mine(id) && fails("flock") ? -1 : real<int (*)(int, int)>("flock")(id, how); }
}
