#pragma once
// How deep a text of TOML or JSON nests its values, before anything is built from it: what is built is a tree that calls itself
// for each level, and a text of a few kilobytes must not use up the stack.
#include <string_view>

namespace talus {

inline constexpr int deepest_nesting = 100;  // levels; a scene has about five

// The line on which tables, keys with dots and values are nested deeper than that, from 1; 0: nowhere. The text need not be valid.
int too_deep_toml(std::string_view text);
bool too_deep_json(std::string_view text);

}  // namespace talus
