#pragma once
// Wrong input, found before the first step. Says where, what, and what to write instead.
#include <stdexcept>
#include <string>
#include <utility>

namespace talus {

struct InputError : std::runtime_error {
  InputError(std::string file_, int line_, std::string key_, std::string reason_, std::string hint_ = {})
      : std::runtime_error(message(file_, line_, key_, reason_, hint_)),
        file(std::move(file_)),
        line(line_),
        key(std::move(key_)),
        reason(std::move(reason_)),
        hint(std::move(hint_)) {}

  std::string file;    // or "--set name=value" when the value came from the command line
  int line = 0;        // 1-based; 0 when there is none
  std::string key;     // dotted path
  std::string reason;  // what is wrong, with the value
  std::string hint;    // what to do about it

 private:
  static std::string message(const std::string& file, int line, const std::string& key, const std::string& reason,
                             const std::string& hint) {
    std::string out = file;
    if (line > 0) out += ":" + std::to_string(line);
    if (!out.empty()) out += ": ";
    if (!key.empty()) out += key + ": ";
    out += reason;
    if (!hint.empty()) out += "\n  " + hint;
    return out;
  }
};

}  // namespace talus
