#pragma once
// All channels there are, group by group, and those of one run.
#include <talus/lab/experiment.hpp>
#include <talus/lab/results.hpp>

namespace talus::lab {

// In the order of the columns of a series.
template <int D>
const std::vector<ChannelGroup<D>>& channel_groups();

// What this experiment measures. The experiment must outlive them.
template <int D>
Channels<D> channels_of(const Experiment<D>& experiment);

template <int D>
Row row_of(const Channels<D>& channels, const Observation<D>& seen);

// Figures of the summary that channels give. `pending`: what steps have shown since the last row. `lost`: why the series does
// not have all of its rows; empty when it has.
template <int D>
Figures figures_of(const Channels<D>& channels, const SeriesData& series, const SinceRow& pending,
                   const std::string& lost = {});

// What lists and docs tell of a channel, or of a family of them.
struct ChannelInfo {
  std::string name, unit, meaning;
  std::string needs;   // empty: every run has it
  std::string figure;  // of the summary; empty: none
  std::string place;   // part of the name that differs within a family
};
const std::vector<ChannelInfo>& all_channels();

// Of a column of a series, member of a family or not; null: unknown.
const ChannelInfo* find_channel(const std::string& column);

}  // namespace talus::lab
