#pragma once
// A wall as stages of the lab, measures and scenes ask for it. `wall`: its place in model.walls. "Along its direction": unit,
// into the sample, as long as all of a wall faces one way.
#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <talus/stages/wall_view.hpp>

namespace talus {

// The place of the wall with this name; their number when there is none.
template <int D>
std::size_t find_wall(const Model<D>& model, std::string_view name) {
  const auto at = std::find_if(model.walls.begin(), model.walls.end(), [&](const auto& w) { return w.name == name; });
  return std::size_t(at - model.walls.begin());
}
// The wall of this name, or all walls of the group of this name, in their order; none: there is neither.
template <int D>
std::vector<std::size_t> walls_called(const Model<D>& model, std::string_view name) {
  std::vector<std::size_t> out;
  const std::size_t one = find_wall(model, name);
  if (one < model.walls.size()) return {one};
  for (std::size_t w = 0; w < model.walls.size(); ++w)
    if (!name.empty() && model.walls[w].group == name) out.push_back(w);
  return out;
}
// For messages: which walls and groups there are.
template <int D>
std::string known_walls(const Model<D>& model) {
  if (model.walls.empty()) return "the scene has no walls";
  std::string walls, groups;
  std::set<std::string> seen;
  for (const auto& w : model.walls) {
    walls += (walls.empty() ? "" : ", ") + w.name;
    if (!w.group.empty() && seen.insert(w.group).second) groups += (groups.empty() ? "" : ", ") + w.group;
  }
  return "walls: " + walls + (groups.empty() ? "" : "; groups: " + groups);
}
template <int D>
const WallShape<D>& wall_shape(const Model<D>& model, const State<D>& state, std::size_t wall) {
  return model.shapes[state.bodies.shape[state.grains() + wall]].wall;
}
template <int D>
Vec<D> into_sample(const Model<D>& model, const State<D>& state, std::size_t wall) {
  return wall_shape(model, state, wall).direction();
}

// What is known of a wall that closes in; nothing of others.
template <int D>
Closing closing_of(const State<D>& state, std::size_t wall) {
  return state.bodies.closing.empty() ? Closing{} : state.bodies.closing[state.grains() + wall];
}
// The wall that goes all around the sample across an axis; as many as there are: none does.
template <int D>
std::size_t enclosing_wall(const Model<D>& model, const State<D>& state, int axis) {
  std::size_t w = 0;
  while (w < model.walls.size() && !(wall_shape(model, state, w).section(axis) > 0)) ++w;
  return w;
}

// m, where it stands along its direction; of one that goes all around, how far it has closed in.
template <int D>
Real wall_position(const Model<D>& model, const State<D>& state, std::size_t wall) {
  if (into_sample(model, state, wall) == Vec<D>{}) return closing_of(state, wall).way;
  return dot(state.bodies.position[state.grains() + wall], into_sample(model, state, wall));
}
// m/s along its direction, or of its surface along its normal.
template <int D>
Real wall_speed(const Model<D>& model, const State<D>& state, std::size_t wall) {
  if (into_sample(model, state, wall) == Vec<D>{}) return closing_of(state, wall).speed;
  return dot(state.bodies.velocity[state.grains() + wall], into_sample(model, state, wall));
}
// N, how hard the sample pushes it out; of a wall that goes all around the sum of normal forces, while it closes in.
template <int D>
Real push_on_wall(const Model<D>& model, const State<D>& state, std::size_t wall) {
  if (into_sample(model, state, wall) == Vec<D>{}) return closing_of(state, wall).push;
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
