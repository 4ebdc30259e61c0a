#pragma once
// One declaration of a key: what a reader asks of an Input. The resolved scene, `talus list`, `talus check --keys` and the
// key reference are made from these.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <talus/core/input.hpp>

namespace talus {

struct Request {
  enum class Kind { number, integer, flag, choice, text, numbers, table, tables, names, file };

  Kind kind = Kind::text;
  std::string path;                     // "material.NAME.density", "stage[].strain"
  Dimension dimension{};                // numbers
  Range range{};                        // numbers, SI; whole numbers too
  std::optional<std::string> fallback;  // as a scene would write it; none: required, or no value says it
  bool is_required = false;
  std::vector<std::string> choices;
  std::size_t size = 0;  // of a list; 0: any
  std::string about;
};

// What each method of Input asks for, without a path.
Request asked_number(const Dimension& dimension, const Range& range, std::optional<Real> fallback, std::string_view about);
Request asked_integer(i64 low, i64 high, std::optional<i64> fallback, std::string_view about);
Request asked_flag(bool fallback, std::string_view about);
Request asked_choice(const std::vector<std::string>& words, const std::optional<std::string>& fallback, std::string_view about);
Request asked_text(const std::optional<std::string>& fallback, std::string_view about);
Request asked_numbers(const Dimension& dimension, const Range& range, std::size_t size,
                      const std::optional<std::vector<Real>>& fallback, std::string_view about);
Request asked_file(std::string_view about);

// "from 0 to 1 Pa", "one of a, b", "true or false": what a request accepts, in words.
std::string accepted(const Request& request);

}  // namespace talus
