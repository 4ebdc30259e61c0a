#include <talus/simulation/child_run.hpp>

#include <cerrno>
#include <csignal>
#include <utility>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <talus/io/file_error.hpp>
#include <talus/io/text_file.hpp>

namespace talus::simulation {

ChildRun::ChildRun(const std::vector<std::string>& arguments, std::filesystem::path said) : said_(std::move(said)) {
  std::vector<char*> words{const_cast<char*>("talus")};
  for (const std::string& a : arguments) words.push_back(const_cast<char*>(a.c_str()));
  words.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, said_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0666);
  posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);
  const int error = posix_spawn(&process_, "/proc/self/exe", &files, nullptr, words.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  if (error == 0) return;
  errno = error;
  throw FileError(said_, "the program cannot be started again: " + system_reason());
}

ChildRun::~ChildRun() {
  if (process_ <= 0) return;
  stop();
  while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {}
}

std::optional<int> ChildRun::ended() {
  int status = 0;
  if (process_ <= 0 || ::waitpid(process_, &status, WNOHANG) != process_) return std::nullopt;
  process_ = -1;
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

void ChildRun::stop() {
  if (process_ > 0) ::kill(process_, SIGTERM);
}

std::string ChildRun::last_words() const {
  std::error_code none;
  std::string text = std::filesystem::exists(said_, none) ? read_text(said_) : "";
  while (!text.empty() && text.back() == '\n') text.pop_back();
  const std::size_t line = text.rfind("talus: ");
  return line == std::string::npos ? text.substr(text.rfind('\n') + 1) : text.substr(line + 7);
}

}  // namespace talus::simulation
