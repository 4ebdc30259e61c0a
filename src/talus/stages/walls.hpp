#pragma once
// A wall as stages of the lab, measures and scenes ask for it. `wall`: its place in model.walls. "Along its direction": unit,
// into the sample, as long as all of a wall faces one way.
#include <algorithm>
#include <string_view>

#include <talus/stages/wall_view.hpp>

namespace talus {

// The place of the wall with this name; their number when there is none.
template <int D>
std::size_t find_wall(const Model<D>& model, std::string_view name) {
  const auto at = std::find_if(model.walls.begin(), model.walls.end(), [&](const auto& w) { return w.name == name; });
  return std::size_t(at - model.walls.begin());
}
template <int D>
const WallShape<D>& wall_shape(const Model<D>& model, const State<D>& state, std::size_t wall) {
  return model.shapes[state.bodies.shape[state.grains() + wall]].wall;
}
template <int D>
Vec<D> into_sample(const Model<D>& model, const State<D>& state, std::size_t wall) {
  return wall_shape(model, state, wall).direction();
}

// m, where it stands along its direction.
template <int D>
Real wall_position(const Model<D>& model, const State<D>& state, std::size_t wall) {
  return dot(state.bodies.position[state.grains() + wall], into_sample(model, state, wall));
}
// m/s along its direction.
template <int D>
Real wall_speed(const Model<D>& model, const State<D>& state, std::size_t wall) {
  return dot(state.bodies.velocity[state.grains() + wall], into_sample(model, state, wall));
}
// N, how hard the sample pushes it out.
template <int D>
Real push_on_wall(const Model<D>& model, const State<D>& state, std::size_t wall) {
  return -dot(state.bodies.force[state.grains() + wall], into_sample(model, state, wall));
}
// Does gravity press grains onto it?
template <int D>
bool carries_weight(const Model<D>& model, const State<D>& state, std::size_t wall) {
  return dot(into_sample(model, state, wall), state.globals.gravity) < 0;
}
// m, to the last of the walls that face it; 0: none does.
template <int D>
Real distance_to_facing_wall(const Model<D>& model, const State<D>& state, std::size_t wall) {
  const Vec<D> direction = into_sample(model, state, wall);
  const Vec<D>* position = state.bodies.position.data() + state.grains();
  Real distance = 0;
  for (std::size_t w = 0; w < model.walls.size(); ++w)
    if (dot(into_sample(model, state, w), direction) < -1 + 1e-9)
      distance = dot(position[w] - position[wall], direction);
  return distance;
}
// Moves it by so many metres into the sample.
template <int D>
void shift_wall(const Model<D>& model, State<D>& state, std::size_t wall, Real way) {
  state.bodies.position[state.grains() + wall] += way * into_sample(model, state, wall);
}

}  // namespace talus
