#pragma once
// Ready-made tests of liquids: a dam that breaks, a column at rest. Their error and the tolerance that it is held against are
// figures of every run.
#include <talus/lab/analysis.hpp>

namespace talus::lab {

// A column of liquid that collapses over a dry floor. Reference: Martin and Moyce 1952, a column twice as high as wide.
struct DamBreak {
  Real width = 0;    // m, of the column at the start
  Real gravity = 0;  // m/s^2
  Real spacing = 0;  // m, of particles
};
std::unique_ptr<Analysis<2>> dam_break_analysis(const DamBreak& dam);

// Front over width against time sqrt(2 g / width), as measured.
struct FrontPoint {
  Real time, place;
};
const std::vector<FrontPoint>& martin_moyce();

// Largest relative error of a front against the measurements, after the shift of time up to `most` that makes it least: the gate
// of the experiment takes time to open. Nothing: the series does not reach the last of them.
std::optional<Real> front_error(const std::vector<Real>& time, const std::vector<Real>& place, Real most);

// A liquid at rest under gravity.
struct Hydrostatic {
  Real surface = 0;  // m, height of the free surface
  Real density = 0;  // kg/m^3
  Real gravity = 0;  // m/s^2
  Real spacing = 0;  // m
};
std::unique_ptr<Analysis<2>> hydrostatic_analysis(const Hydrostatic& column);

}  // namespace talus::lab
