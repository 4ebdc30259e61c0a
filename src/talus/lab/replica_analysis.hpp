#pragma once
// A cell, or a sample of its copies: what it is like at rest, what its making took, and its response to triaxial compression.
#include <memory>

#include <talus/lab/analysis.hpp>

namespace talus::lab {

// Where a sample comes from that was not placed grain by grain.
struct Origin {
  i64 copies = 1;
  i64 cell_steps = 0;                 // that the making of the cell took
  double t_cell = 0, t_replicate = 0;  // s, wall time
  Real branch_error = 0;              // see sampling/replicate.hpp
};

struct ReplicaSettings {
  std::size_t rest = 0;   // stage at whose end the sample is measured
  std::size_t shear = 0;  // stage that shears it; as many as there are stages: none
  Real ball = 0.8;        // diameter of the inner region, over the smallest width of the cell
  Origin origin;
};

template <int D>
std::unique_ptr<Analysis<D>> replica_analysis(const ReplicaSettings& settings);

// Mean correlation between the displacements of copies of a grain since shear began, less those of the cell's mean strain: of all pairs of
// copies, all grains. Not a number before, and for one copy.
template <int D>
Real replica_correlation(const State<D>& state, i64 copies);

// Scatter of q from one strain to the next: standard deviation of the differences of means over bins of 0.2 % axial strain, over the root of two, beyond 5 %
// strain. None with fewer than four bins.
std::optional<Real> fluctuation(const std::vector<Real>& strain, const std::vector<Real>& q);

}  // namespace talus::lab
