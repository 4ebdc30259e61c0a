#pragma once
// One TOML value read as a quantity, a whole number, a word. The checks and the wording of their messages are here; where
// the value is written is known to the caller, who catches BadValue and adds the place.
#include <string>
#include <vector>

#include <toml++/toml.h>

#include <talus/core/input.hpp>

namespace talus {

struct BadValue {
  std::string reason, hint;
};

// The entries of a table in file order (toml++ sorts them by key); those from the command line last.
struct KeyValue {
  const toml::key* key;
  const toml::node* value;
};
std::vector<KeyValue> in_file_order(const toml::table& table);

std::string found(const toml::node& node);                            // "the number 3", "text 'abc'", "a table"
std::string written(const toml::node& node);                          // as TOML
std::string allowed(const Range& range, const Dimension& dimension);  // "from 0 to 1 Pa", "greater than 0 m"
bool contains(const Range& range, Real value);
std::string listed(const std::vector<std::string>& words);  // "a, b, c"

// The value in SI.
Real to_quantity(const toml::node& node, const Dimension& dimension, const Range& range);
i64 to_integer(const toml::node& node, i64 low, i64 high);
bool to_flag(const toml::node& node);
std::string to_text(const toml::node& node);
std::string to_choice(const std::string& word, const std::vector<std::string>& words);

}  // namespace talus
