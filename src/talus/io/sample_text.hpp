#pragma once
// The bodies of a sample as text, for other scenes and other programs.
#include <string>
#include <vector>

#include <talus/state/state.hpp>

namespace talus {

struct SampleWishes {
  std::string from;             // the checkpoint, for messages
  std::vector<Real> densities;  // kg/m^3, of the materials
  bool motion = false;          // velocities and spins too
};

// Along an edge at least?
template <int D>
bool is_periodic(const Cell<D>& cell);

// For [sample] of another scene: all bodies, where they are. Throws InputError when the sample is in a periodic cell, or has grown.
template <int D>
std::string places_csv(const State<D>& state, const SampleWishes& wishes);

// Grains of a periodic cell, wrapped into it; the edges of the cell in comments.
template <int D>
std::string cell_csv(const State<D>& state, const SampleWishes& wishes);

// Spheres. These throw InputError for other grains, and for what the other program cannot hold.
// LAMMPS: atom_style sphere, id = uid + 1, type = material + 1. A deformed cell is turned so that its first edge lies along x and its second in
// the xy plane, and its tilts are at most half an edge, where the sample is periodic: LAMMPS wants both. Open directions reach as far as grains do.
std::string lammps_data(const State<3>& state, const SampleWishes& wishes);
// Yade: x y z r, after ##PERIODIC:: and three lengths of a cell with right angles, or a comment with hSize (row by row) of a deformed one.
std::string yade_text(const State<3>& state, const SampleWishes& wishes);

}  // namespace talus
