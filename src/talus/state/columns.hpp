#pragma once
// How columns are declared: each table has one `visit` that lists its columns with name, unit and meaning. Resize,
// reorder, checkpoint, hash, VTK and numpy views are visitors over that list, so adding a column touches one line.
#include <string_view>

namespace talus {

struct About {
  std::string_view name;
  std::string_view unit;  // SI; "1" for pure numbers
  std::string_view meaning;
};

}  // namespace talus
