#pragma once
// Values written as TOML. Numbers come back bit for bit.
#include <string>
#include <string_view>

#include <talus/core/quantity.hpp>
#include <talus/core/real.hpp>

namespace talus {

std::string toml_string(std::string_view text);   // "quoted", with escapes
std::string toml_key(std::string_view key);       // bare where TOML allows it, else quoted
std::string toml_float(Real value);               // shortest digits that read back the same; always a float
std::string toml_comment(std::string_view text);  // without the line breaks that would end it

// A quantity in SI: a plain number, or a string with its unit where one is required (angles, temperatures).
std::string toml_quantity(Real value, const Dimension& dimension);
// The unit to be told beside such a value: empty for a plain number and where the value itself carries it.
std::string unit_beside(const Dimension& dimension);

}  // namespace talus
