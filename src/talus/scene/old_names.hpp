#pragma once
// Keys and words of scenes that have a new name. The old name is read for one release, with a note that tells the new one.
#include <string>
#include <string_view>
#include <vector>

#include <toml++/toml.h>

#include <talus/scene/origins.hpp>

namespace talus {

// Gives the keys of the scene their present names and adds a note for each old one. A value of --set replaces one of the
// file; the same key under both names in one place throws InputError.
void rename_old_keys(toml::table& root, Origins& origins, std::vector<std::string>& notes);

// The present name of a word that the entry at this path may be given; a view of `word` when it is not an old one.
std::string_view present_word(std::string_view path, std::string_view word);

// "box.toml:12: dynamics.shake is now called dynamics.random_rebuilds"
std::string renamed_note(const Place& place, std::string_view old_name, std::string_view now);

}  // namespace talus
