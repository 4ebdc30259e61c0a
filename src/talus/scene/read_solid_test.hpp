#pragma once
// Ready-made tests of solids and soils as particles: [analysis] of one of these kinds.
#include <string>
#include <vector>

#include <talus/core/input.hpp>
#include <talus/lab/experiment.hpp>

namespace talus::scene {

inline const std::vector<std::string>& solid_tests() {
  static const std::vector<std::string> words{"cantilever", "spin", "drop", "rings", "collapse"};
  return words;
}
template <int D>
void read_solid_test(Input& in, const std::string& kind, lab::Experiment<D>& x);

}  // namespace talus::scene
