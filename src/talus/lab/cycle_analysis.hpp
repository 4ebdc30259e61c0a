#pragma once
// Figures of a packing that a platen compresses level by level, again and again: averages over cycles, loading and unloading
// apart, and how far two such runs, or a run and an experiment, are from one another (Table I of Brodu et al. 2015).
#include <talus/lab/analysis.hpp>
#include <talus/measure/packing.hpp>

namespace talus::lab {

struct CycleSettings {
  std::size_t top = 0;          // wall
  std::size_t stage = 0;        // the stage of kind cycle
  i64 levels = 1, dropped = 0;  // levels of a loading; first cycles that do not count
  Real threshold = 4e-3;        // N, weaker contacts do not count for Z
  Real experiment = 0;          // N, measured force on the platen at the highest level; 0: not known
  measure::ForceClasses classes;
};
std::unique_ptr<Analysis<3>> cycle_analysis(const CycleSettings& settings);

// Averages over cycles at one level of one direction.
struct CycleLevel {
  bool loading = true;
  int level = 0;
  int cycles = 0;                       // that were averaged
  Real travel = 0;                      // m
  Real force = 0, force_deviation = 0;  // N on the platen
  Real z = 0, z_all = 0, phi = 0, branch = 0, mean_force = 0;
  std::vector<Real> counts;  // contacts between grains by class of force, per cycle
};
// Loading from the lowest level, then unloading from the highest. `classes` may be 0 when the series has no distribution.
std::vector<CycleLevel> cycle_levels(const SeriesData& series, i64 dropped, int classes);

// Metrics of Table I of one series against another with the same levels.
struct CycleComparison {
  Real rtop = 0;  // force at the highest level over that of the reference
  Real errf = 0;  // N, root mean square of the difference of forces over all levels
  Real errz = 0;  // root mean square of the difference of Z with the best threshold
  Real bhat = 0;  // -log of the mean over levels of the integral of sqrt(p q)
  Real tau = 0;   // N, that threshold
};
CycleComparison compare_cycles(const std::vector<CycleLevel>& run, const std::vector<CycleLevel>& reference,
                               const measure::ForceClasses& classes, Real reference_threshold);

// y = slope x + offset by least squares.
struct Line {
  Real slope = 0, offset = 0, r2 = 0;
};
Line fit_line(const std::vector<Real>& x, const std::vector<Real>& y);

}  // namespace talus::lab
