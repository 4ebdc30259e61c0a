#pragma once
// The known word that a mistyped one probably meant.
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace talus {

// Insertions, deletions, replacements and swaps of neighbouring characters that turn a into b.
std::size_t edit_distance(std::string_view a, std::string_view b);

// The candidate that is close enough to be a slip of the pen: wrong case, '-' for '_', about one error in three
// characters, or a shortened form ("young" for "young_modulus"). Nothing when no candidate is; the first of equals.
std::optional<std::string> nearest(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace talus
