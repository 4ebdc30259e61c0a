#pragma once
// [boundary.NAME] and [stage.wall.NAME]: walls and how they are driven.
#include <vector>

#include <talus/core/input.hpp>
#include <talus/lab/stage.hpp>
#include <talus/scene/read_grains.hpp>

namespace talus::scene {

// The drive of a wall, starting from what is known of it.
template <int D>
WallDrive<D> read_drive(Input& in, const WallDrive<D>& before, const WallShape<D>& shape);

// All walls of the scene, those of a collision included.
template <int D>
std::vector<sampling::PlacedWall<D>> read_boundaries(Input& scene, const Model<D>& model, const State<D>& state,
                                                const std::vector<Group>& groups);

// Forces on the outermost grains of both sides, if the scene asks for them: Pa, 0 if it does not.
Real read_side_forces(Input& scene, const Model<2>& model, State<2>& state);

bool has_membrane(Input& scene);

// The membrane, if the scene has one.
void read_membrane(Input& scene, Model<2>& model, State<2>& state, const std::vector<Group>& groups);

// Friction that a stage changes.
template <int D>
void read_stage_friction(Input& table, lab::Stage<D>& stage, const Model<D>& model);

// Walls that a stage drives otherwise while it runs.
template <int D>
void read_stage_walls(Input& table, lab::Stage<D>& stage, const Model<D>& model, const State<D>& state);

}  // namespace talus::scene
