#pragma once
// The sieve size of a grain: the side of the smallest square hole that it passes, the least over all viewing directions and turns of the square.
#include <talus/geometry/hull.hpp>

namespace talus {

// m. Looks at many directions and improves the best of them: to some 1e-6 of the size.
Real sieve_size(const std::vector<Vec3>& corners);

}  // namespace talus
