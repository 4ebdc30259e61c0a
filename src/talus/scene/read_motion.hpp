#pragma once
// How grains move at the start: stated one by one, in a table or a list, or drawn at a granular temperature.
#include <string>
#include <vector>

#include <talus/core/csv.hpp>
#include <talus/core/input.hpp>
#include <talus/sampling/assemble.hpp>

namespace talus::scene {

// Columns of a table that state motion: vx, vy(, vz); in space wx, wy, wz, in the plane spin and turn.
template <int D>
std::vector<std::string> motion_columns();

// Velocity, spin and, in the plane, orientation of each grain, from the columns that are there, or from the lists of a placement.
// Throws InputError.
template <int D>
void read_motion(const CsvTable& csv, std::vector<sampling::Ball<D>>& balls);
template <int D>
void read_motion(Input& place, std::vector<sampling::Ball<D>>& balls);

// Refuses spins where nothing turns, and orientations that nobody sees. `turns`: the state keeps orientations.
template <int D>
void check_motion(const Input& scene, const std::vector<sampling::Ball<D>>& balls, bool rotation, bool turns);

// granular_temperature of a group, whose uids start with `first`: velocities drawn from a normal distribution, moved and
// scaled so that the group has no momentum and the kinetic energy (D/2) M T, M its mass. Throws InputError.
template <int D>
void read_temperature(Input& group, State<D>& state, u32 first, std::size_t count, u64 seed);

}  // namespace talus::scene
