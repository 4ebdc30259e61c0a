#pragma once
// Grains from a table: places, sizes, and how they move.
#include <vector>

#include <talus/core/input.hpp>
#include <talus/geometry/cell.hpp>
#include <talus/sampling/assemble.hpp>

namespace talus::scene {

// The grains of `file`. Throws InputError with file, line and column.
template <int D>
std::vector<sampling::Ball<D>> place_from_file(Input& place, u32 material, const Cell<D>& cell);

}  // namespace talus::scene
