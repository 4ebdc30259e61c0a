#include <talus/core/nesting.hpp>

#include <algorithm>
#include <utility>
#include <vector>

namespace talus {
namespace {

// Walks over a text of TOML and counts the levels of the value it stands at.
class TomlWalk {
 public:
  explicit TomlWalk(std::string_view text) : text_(text) {}

  int too_deep() {
    while (at_ < text_.size()) {
      take();
      if (header_ + opened_ + dots_ > deepest_nesting) return line_;
    }
    return 0;
  }

 private:
  void take() {
    const char c = text_[at_];
    if (c == '#') return skip_to('\n');
    if (c == '"' || c == '\'') return skip_string(c);
    ++at_;
    if (c == '\n') return end_line();
    if (c == ' ' || c == '\t' || c == '\r') return;
    const bool begins = std::exchange(begins_, false);
    if (c == '.') ++dots_;
    if (c == ',') dots_ = 0;
    if (c == '[' && begins && levels_.empty()) {  // [a.b.c]: its dots are levels of all that follows
      header_ = 1;
      in_header_ = true;
    } else if ((c == '[' || c == '{') && !in_header_) {
      levels_.push_back(dots_ + 1);
      opened_ += levels_.back();
      dots_ = 0;
    } else if ((c == ']' || c == '}') && !levels_.empty()) {
      opened_ -= levels_.back();
      levels_.pop_back();
      dots_ = 0;
    }
  }

  void end_line() {
    ++line_;
    if (in_header_) header_ += dots_;
    in_header_ = false;
    if (levels_.empty()) dots_ = 0, begins_ = true;
  }

  void skip_to(char end) { at_ = std::min(text_.find(end, at_), text_.size()); }

  void skip_string(char quote) {
    begins_ = false;
    const std::size_t marks = text_.substr(at_, 3) == std::string_view(quote == '"' ? "\"\"\"" : "'''") ? 3 : 1;
    const std::string_view end = text_.substr(at_, marks);
    for (at_ += marks; at_ < text_.size(); ++at_) {
      if (text_[at_] == '\\' && quote == '"') {
        ++at_;
        continue;
      }
      if (text_[at_] == '\n' && marks == 1) return;  // not closed: the line ends it
      if (text_[at_] == '\n') ++line_;
      if (text_.substr(at_, marks) == end) {
        at_ += marks;
        return;
      }
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
  bool begins_ = true, in_header_ = false;
  int header_ = 0, opened_ = 0, dots_ = 0;  // levels: of the table, of lists and tables on the line, of the key
  std::vector<int> levels_;
};

}  // namespace

int too_deep_toml(std::string_view text) { return TomlWalk(text).too_deep(); }

bool too_deep_json(std::string_view text) {
  int depth = 0;
  bool in_text = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_text && c == '\\') {
      ++i;
      continue;
    }
    if (c == '"') in_text = !in_text;
    if (in_text) continue;
    if (c == '[' || c == '{') ++depth;
    if (c == ']' || c == '}') --depth;
    if (depth > deepest_nesting) return true;
  }
  return false;
}

}  // namespace talus
