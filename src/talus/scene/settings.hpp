#pragma once
// --set NAME=VALUE: the entries of a scene changed from the command line, before anything reads them.
#include <string>
#include <string_view>

#include <toml++/toml.h>

#include <talus/scene/origins.hpp>

namespace talus {

// Splits NAME=VALUE; the name has no spaces around it.
Setting parse_setting(const std::string& text);

bool is_dotted(const Setting& setting);  // names an entry below the top: "stage.2.strain", "stage[2].strain"

// The value of a setting put under a key of the table: read as TOML, else as a string.
void put(toml::table& table, std::string_view key, const Setting& setting, Origins& origins);

// Changes the entry that a dotted name leads to. Tables of an array are named by number from 0 or by their `name`. An
// entry that is not there is made: whether anything asks for it shows later, as with an entry of the file.
void put_at_path(toml::table& root, const Setting& setting, Origins& origins);

}  // namespace talus
