#pragma once
// The figures of a run, from its series and from what stages measured: what stands in summary.json and in the report.
#include <talus/lab/channels.hpp>

namespace talus::simulation {

struct Measured {
  const SeriesData& series;
  Real series_from;                // step of its first row; above 0 when rows were lost
  const Figures& figures;          // of stages
  const SinceRow& since_row;      // of steps after the last row
};

// In the order of the report, each name once.
template <int D>
Figures run_figures(const lab::Experiment<D>& experiment, const lab::Channels<D>& channels, const Measured& measured);

}  // namespace talus::simulation
