#pragma once
// The unit of a whole column of numbers, read once: what follows is one conversion per field, with the bits that
// parse_quantity gives the same text with the unit behind it.
#include <string_view>

#include <talus/core/quantity.hpp>

namespace talus {

struct ColumnUnit {
  Dimension dimension;
  int decimal = 0;  // value in SI = (number * 10^decimal) * times / over + offset
  Real times = 1, over = 1, offset = 0;

  // Throws std::invalid_argument with a sentence, as parse_quantity does.
  static ColumnUnit read(std::string_view unit);
  // `number`: a decimal number without spaces.
  Real value(std::string_view number) const;
};

}  // namespace talus
