#pragma once
// Matter that leaves: liquid and soil within the box of an [outflow.NAME] is taken out after every step. Mass, momentum and energy that go
// with it are accounted for.
#include <string>

#include <talus/core/input.hpp>
#include <talus/state/model.hpp>
#include <talus/state/state.hpp>

namespace talus::sph {

template <int D>
struct Outflow {
  std::string name;
  Vec<D> low{}, size{};  // m
  bool holds(const Vec<D>& x) const {
    for (int k = 0; k < D; ++k)
      if (!(x[k] >= low[k] && x[k] <= low[k] + size[k])) return false;
    return true;
  }
};

template <int D>
Outflow<D> read_outflow(Input& in, const std::string& name);

template <int D>
struct Options;

// Takes them out; returns whether there were any. What the ledger has entered for them goes to the first by uid of those that stay, their
// energy counts as removed. Elastic bodies do not leave, nor does the last particle of all.
template <int D>
bool drain(const Options<D>& options, State<D>& state);

// kg, that has left so far.
template <int D>
Real drained(const State<D>& state);

}  // namespace talus::sph
