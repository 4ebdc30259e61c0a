#pragma once
// A sample of replicas is disturbed, so that its copies go different ways. A grain's numbers depend on its uid and the seed alone.
#include <talus/state/model.hpp>
#include <talus/state/state.hpp>

namespace talus::sampling {

struct Disturbance {
  Real diameters = 0;  // diameters are multiplied by 1 + U(-diameters, diameters), masses follow, virtual overlaps go
  Real speed = 0;      // m/s, added to every grain in a direction of its own
};

template <int D>
State<D> disturb(State<D> sample, const Model<D>& model, const Disturbance& by, u64 seed);

}  // namespace talus::sampling
