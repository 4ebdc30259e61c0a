#pragma once
#include <string>

#include <talus/scene/toml_input.hpp>

namespace talus::app {

std::string told_parameters(const TomlInput& in);  // a line for each: name, value, meaning, range

}  // namespace talus::app
