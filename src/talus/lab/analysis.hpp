#pragma once
// What a ready-made test reads off a run beyond what every run tells: columns of the series and figures.
#include <memory>
#include <string>
#include <vector>

#include <talus/core/figure.hpp>
#include <talus/lab/channel.hpp>
#include <talus/lab/observation.hpp>
#include <talus/lab/results.hpp>

namespace talus::lab {

template <int D>
class Analysis {
 public:
  virtual ~Analysis() = default;
  virtual std::string_view kind() const = 0;
  virtual Channels<D> channels() const = 0;  // as long as the analysis lives
  virtual Figures figures(const SeriesData& series) const = 0;
  // Figures that need the sample itself, when a stage is done or the run is stopped in it.
  virtual void stage_end(const Observation<D>&, bool /*shear*/, Figures&) const {}
};

// Rowe's hexagonal pack between two smooth platens, pushed in from its sides.
struct RowePack {
  Real pitch = 0;      // m, from row to row
  Real width = 0;      // m, that the vertical stress refers to: half a disc for each inclined contact of a gap
  Real confining = 0;  // Pa, of the side forces over the height between the first and the last row
  Real phi_mu = 0;     // rad, angle of friction between discs
  Real limit = 0;      // exact limit load as a ratio of stresses; 0: not known in closed form
  Real top_start = 0;  // m, height of the upper platen at the start
  std::size_t top = 0, bottom = 0;  // walls

  // Rowe's ratio for one interface that slides: tan 60 tan(phi_mu + beta), sin beta = sin 60 (1 - way / pitch). Not a number
  // where phi_mu + beta is 90 degrees and more: it does not slide.
  Real ratio_at(Real strain) const;
};
// Exact limit load of the perfect pack as a ratio of stresses. `inclined`: contacts in a gap between rows; `rolling`: discs at each end of the stack that
// may roll on a single inclined contact, which then carries no friction.
Real rowe_limit(Real phi_mu, int inclined, int rolling);
std::unique_ptr<Analysis<2>> rowe_analysis(const RowePack& pack);

}  // namespace talus::lab
