#pragma once
// Loops of stress over strain under cyclic loading: stiffness, damping and what stays of the strain, cycle by cycle.
#include <talus/lab/analysis.hpp>
#include <talus/lab/cyclic_stage.hpp>

namespace talus::lab {

// `stage`: of kind cyclic.
template <int D>
std::unique_ptr<Analysis<D>> cyclic_analysis(std::size_t stage);

// One cycle, from where it begins up to the high target and down to the low one.
struct Loop {
  Real work = 0;        // J/m^3, that it takes: the area inside, closed by a straight line from its end to its start
  Real stress = 0;      // Pa, from the least to the largest
  Real strain = 0;      // likewise
  Real resilient = 0;   // Pa, stress that is taken off over the strain that is recovered
  Real left = 0;        // strain from its start to its end

  Real modulus() const { return stress / strain; }
  // Work over 4 pi times the energy of an elastic loop of the same width and height, from its middle to its tip.
  Real damping() const { return 2 * work / (pi * stress * strain); }
};

// All whole loops. `halves`: half cycles done in each row.
std::vector<Loop> loops_of(const std::vector<Real>& halves, const std::vector<Real>& stress, const std::vector<Real>& strain);

}  // namespace talus::lab
