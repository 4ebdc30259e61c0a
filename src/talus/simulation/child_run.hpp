#pragma once
// A run in a process of its own: what goes wrong there, even a crash, stays there.
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace talus::simulation {

class ChildRun {
 public:
  // Starts this program again with these arguments; what it says goes into the file.
  ChildRun(const std::vector<std::string>& arguments, std::filesystem::path said);
  ~ChildRun();  // told to stop and waited for, if it has not ended
  ChildRun(const ChildRun&) = delete;

  std::optional<int> ended();  // exit code, 128 + signal; none: it runs
  void stop();                 // asks it to write a checkpoint and to end
  std::string last_words() const;

 private:
  pid_t process_ = -1;
  std::filesystem::path said_;
};

}  // namespace talus::simulation
