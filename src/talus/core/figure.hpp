#pragma once
// A named result. Figures are in SI unless their name ends in a unit (`_deg`, `_mm`, `_N`, `_s`); one that was not
// reached has no value and says why.
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <talus/core/real.hpp>

namespace talus {

struct Figure {
  std::string name;
  std::optional<Real> value;  // empty or not finite: not reached, and `reason` says why
  std::string unit;           // "1" for pure numbers
  std::string definition;     // one sentence
  std::string reason;
};
using Figures = std::vector<Figure>;

using SeriesData = std::map<std::string, std::vector<Real>>;  // columns of a series by name, in order of steps

}  // namespace talus
