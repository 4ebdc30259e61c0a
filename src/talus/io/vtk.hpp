#pragma once
// Pictures for ParaView: .vtp files (XML PolyData, binary) and .pvd collections that give them times.
#include <filesystem>
#include <string>
#include <vector>

#include <talus/state/contact_sample.hpp>
#include <talus/state/model.hpp>
#include <talus/state/state.hpp>

namespace talus {

// One contact as it is drawn: from the centre of a to the centre of the image of b that it touches.
struct ContactLine {
  Vec3 from, to;      // m; z = 0 in the plane
  Real normal_force;  // N, compression positive
  Real shear_force;   // N, magnitude
  Real overlap;       // m
  int law;            // number in the list of laws
};

// Grains (not walls) as vertices in uid order, wrapped into the periodic cell, with all their columns: radius times the
// radius scale, vectors with three components (in the plane z = 0; spin and torque point along z). Throws FileError.
template <int D>
void write_grains_vtp(const std::filesystem::path& path, const State<D>& state);

// Particles of a continuum, likewise.
template <int D>
void write_particles_vtp(const std::filesystem::path& path, const State<D>& state);

// The same grains as polygons, arcs and discs drawn by short edges.
void write_outlines_vtp(const std::filesystem::path& path, const Model<2>& model, const State<2>& state);

// Contacts of a list as lines; those with a wall end where they touch it.
template <int D>
std::vector<ContactLine> contact_lines(const State<D>& state, const ContactList<D>& contacts);

void write_contacts_vtp(const std::filesystem::path& path, const std::vector<ContactLine>& contacts, Real time);

// The edges of the cell as lines.
template <int D>
void write_cell_vtp(const std::filesystem::path& path, const Cell<D>& cell, Real time);

// A .pvd file: which picture belongs to which time.
class PvdFile {
 public:
  explicit PvdFile(std::filesystem::path path) : path_(std::move(path)) {}
  // Takes over the entries of the file that are there, up to `time`. Throws InputError when it is not one of ours.
  static PvdFile resume(const std::filesystem::path& path, Real time);
  // Adds a picture in the folder of the .pvd and writes the file anew. Throws FileError.
  void add(Real time, const std::string& file);
  const std::filesystem::path& path() const { return path_; }

 private:
  struct Entry {
    Real time;  // s
    std::string file;
  };
  std::filesystem::path path_;
  std::vector<Entry> entries_;
};

// The vtk/ folder of a run: grains-<step>.vtp, contacts-<step>.vtp, cell-<step>.vtp and their collections; with polygons also
// outlines-<step>.vtp, with probes.wall_loads walls-<step>.vtp; of a continuum particles-<step>.vtp instead of grains and contacts.
class VtkFolder {
 public:
  explicit VtkFolder(const std::filesystem::path& folder);  // made when needed; throws FileError
  static VtkFolder resume(const std::filesystem::path& folder, Real time);

  template <int D>
  void write(const State<D>& state, const std::vector<ContactLine>& contacts);
  void write_outlines(const Model<2>& model, const State<2>& state);
  // Walls as points, with the force and moment that each bears.
  template <int D>
  void write_walls(const State<D>& state, const ContactList<D>& contacts);

 private:
  std::filesystem::path folder_;
  PvdFile grains_, contacts_, cell_, outlines_, walls_, particles_;
};

}  // namespace talus
