#pragma once
// Pictures for ParaView: .vtp files (XML PolyData, binary) of grains, contacts, cell, walls and particles at one moment.
#include <filesystem>
#include <string>
#include <vector>

#include <talus/io/grain_values.hpp>

namespace talus {

// One contact as it is drawn: from the centre of a to the centre of the image of b that it touches.
struct ContactLine {
  Vec3 from, to;      // m; z = 0 in the plane
  Real normal_force;  // N, compression positive
  Real shear_force;   // N, magnitude
  Real overlap;       // m
  int law;            // number in the list of laws
  u32 a, b;           // uids
  Vec3 normal;        // unit, from b to a
  Vec3 force;         // N on a
};

// Contacts of a list as lines; those with a wall end where they touch it.
template <int D>
std::vector<ContactLine> contact_lines(const State<D>& state, const ContactList<D>& contacts);

// All of these throw FileError.

// Grains (not walls) as vertices in uid order, wrapped into the periodic cell, with all their columns and GrainValues: radius times the
// radius scale, vectors with three components (in the plane z = 0; spin and torque point along z).
template <int D>
void write_grains_vtp(const std::filesystem::path& path, const Moment<D>& seen);

// The same grains as they are shaped. In the plane polygons, with arcs and discs drawn by short edges; in space the faces of hulls. A polygon
// or face has the values of its grain.
template <int D>
void write_outlines_vtp(const std::filesystem::path& path, const Moment<D>& seen);

// Particles of a continuum as vertices, with all their columns.
template <int D>
void write_particles_vtp(const std::filesystem::path& path, const State<D>& state);

// Forces along and across the normal are there for points too: tubes take their radius from them.
void write_contacts_vtp(const std::filesystem::path& path, const std::vector<ContactLine>& contacts, Real time);

// The edges of the cell as lines.
template <int D>
void write_cell_vtp(const std::filesystem::path& path, const Cell<D>& cell, Real time);

// A flat piece of a wall around the sample.
template <int D>
struct WallPiece {
  std::size_t wall;
  std::vector<Vec<D>> corners;  // m; in the plane two
  Vec<D> inward;                // unit, into the sample
};
template <int D>
std::vector<WallPiece<D>> wall_pieces(const Moment<D>& seen);

// The walls as surfaces around the sample, in the plane as lines; each piece with uid, force, moment and velocity of its wall.
template <int D>
void write_walls_vtp(const std::filesystem::path& path, const Moment<D>& seen);

}  // namespace talus
