#pragma once
// What a scene says of a continuum, whatever method moves its particles: [material.NAME], [body.NAME], how walls hold it; and particles as they are laid.
#include <algorithm>
#include <string>
#include <vector>

#include <talus/core/input.hpp>
#include <talus/geometry/mesh_distance.hpp>
#include <talus/matter/models.hpp>
#include <talus/state/model.hpp>
#include <talus/state/state.hpp>

namespace talus::continuum {

inline constexpr Real densest = 1.2;         // density over that at rest with which a run stops
inline constexpr Real most_particles = 2e8;  // of a scene

inline constexpr u32 no_body = 0xffffffffu;

// A piece of one material: a box, laid out in rows that fill it; or, cut from such rows, a cylinder along the last axis (in the plane a disc), which may
// be hollow, an ellipsoid, or what a closed mesh encloses.
template <int D>
struct Body {
  std::string name;
  u32 material = 0;
  Vec<D> low{}, size{};          // m, of the box, or of that around the cylinder
  Real radius = 0, inner = 0;    // m, of a cylinder; 0: another shape
  Vec<D> semi_axes{};            // m, of an ellipsoid; 0: another shape
  const MeshDistance* mesh = nullptr;  // nothing: another shape
  Vec<D> origin{};               // m, of the mesh
  Real volume = 0;               // m^D, that its particles share; 0: each has that of its place
  Vec<D> velocity{};             // m/s
  Real spin = 0;                 // rad/s, about its middle, along z
  bool held = false;     // its particles stay where they are
  bool total = false;    // its strain is measured from where it was laid
  u32 continues = no_body;  // number of the body with which it is one continuum
  bool at_rest = false;  // it carries its own weight from the start
};

// How the walls of one [boundary.NAME] hold a liquid.
struct WallGrip {
  std::string name;
  bool slips = true;
  bool floor_slips = true;  // of a box: its wall at the low end of the last axis
};

template <int D>
struct Pieces {
  std::vector<matter::Matter> matter;  // in the order of Model::materials
  std::vector<Body<D>> bodies;
  std::vector<WallGrip> grips;

  bool slips(const std::string& wall) const;
  bool has_total() const {
    return std::any_of(bodies.begin(), bodies.end(), [](const Body<D>& b) { return b.total; });
  }
  bool has_solids() const {
    return std::any_of(matter.begin(), matter.end(), [](const matter::Matter& m) { return m.is_solid(); });
  }
};

// `paper`: matter as the paper integrates it.
template <int D>
void read_pieces(Input& scene, bool paper, Pieces<D>& out);

// Throws InputError for a body that leaves the domain or reaches behind a wall along an axis. `all`: the table that holds it.
template <int D>
void check_place(Input& all, const Body<D>& body, const Model<D>& model, const State<D>& state, Real tolerance);

// Fills the table of particles, `columns` of it. Throws InputError for bodies that overlap or leave the domain, and for too many particles: `more` come later. `method`: the table that has the spacing.
template <int D>
void place_bodies(Input& scene, const std::string& method, const Pieces<D>& pieces, Real spacing, Real more, u32 columns, const Model<D>& model, State<D>& state);

}  // namespace talus::continuum
