#pragma once
#include <talus/lab/analysis.hpp>

namespace talus::lab {

// A plane sample inside a membrane between two platens, pressed by the upper one up to its critical state. Its stage of kind
// press says where strains count from. Definitions: docs/measures.md.
std::unique_ptr<Analysis<2>> biaxial_analysis();

// Mean of values over a window of strain around each row; rows in order of strain.
std::vector<Real> smoothed(const std::vector<Real>& strain, const std::vector<Real>& values, Real window);

// Slope of values against strain by least squares over a window around a strain.
std::optional<Real> slope_at(const std::vector<Real>& strain, const std::vector<Real>& values, Real at, Real window);

}  // namespace talus::lab
