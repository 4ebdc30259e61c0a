#pragma once
// A measured quantity, declared once: name, unit, meaning, figure of the summary, and a function of an Observation. Series,
// summary, progress line, `talus list channels` and the table of docs/measures.md all go through these declarations.
// docs/design/023-channels.md
#include <functional>
#include <string>
#include <vector>

#include <talus/core/figure.hpp>
#include <talus/method/diagnostics.hpp>

namespace talus::lab {

template <int D>
class Observation;
template <int D>
struct Experiment;

// What the summary makes of a channel: the last row; over all rows the largest, the sum, the mean over steps.
struct FinalFigure {
  Reduce how = Reduce::nothing;
  std::string name;
  Definition definition;
};

template <int D>
struct Channel {
  using Value = std::function<Real(const Observation<D>&)>;
  Channel(std::string called, std::string in, std::string means, Value of, FinalFigure made = {}, std::string word = "")
      : name(std::move(called)),
        unit(std::move(in)),
        meaning(std::move(means)),
        value(std::move(of)),
        figure(std::move(made)),
        progress(std::move(word)) {}

  std::string name;     // column of the series
  std::string unit;     // SI; "1" for pure numbers
  std::string meaning;  // one sentence, with the formula where there is one; symbols: docs/measures.md
  Value value;
  FinalFigure figure;
  std::string progress;                            // its word on the progress line; empty: not shown there
  std::function<Real(const SinceRow&)> since_row;  // of what steps have shown: known between rows too
  std::string needs;                               // what a run must have, beyond what its group needs
  std::string family, place;  // name for all of its kind, wall_NAME_force, and what differs in it, NAME
};
template <int D>
using Channels = std::vector<Channel<D>>;

// One of a family: `place` in its name is replaced.
template <int D>
Channel<D> one_of(Channel<D> channel, const std::string& place, const std::string& word) {
  channel.family = channel.name;
  channel.place = place;
  channel.name.replace(channel.name.find(place), place.size(), word);
  return channel;
}

// Channels that belong together and need the same of a run.
template <int D>
struct ChannelGroup {
  Channels<D> (*declare)(const Experiment<D>&);
  std::string needs = "";                            // in words; empty: every run has them
  bool (*is_there)(const Experiment<D>&) = nullptr;  // null: always
};

struct Reading {
  std::string name, unit;
  Real value;
};
using Row = std::vector<Reading>;  // one row of the series

}  // namespace talus::lab
