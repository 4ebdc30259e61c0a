#pragma once
// A toy: the number of grains that fall faster than others rise.
#include <talus/lab/experiment.hpp>

namespace talus::lab {

template <int D>
ChannelGroup<D> toy_channels() {
  return {[](const Experiment<D>&) -> Channels<D> {
    return {{"toy_falling", "1", "share of grains that move down",
             [](const Observation<D>& s) {
               Real falling = 0;
               for (std::size_t i = 0; i < s.state.grains(); ++i) falling += s.state.bodies.velocity[i][D - 1] < 0;
               return s.state.grains() > 0 ? falling / Real(s.state.grains()) : 0;
             },
             {Reduce::last, "toy_falling_end", "share of grains that move down in the end"}}};
  }};
}

}  // namespace talus::lab
