#pragma once
// A sample whose stress grows with depth, made from a cell by scaling forces: how well it is balanced, how little it moves, and its
// profiles of porosity and stress against those of its weight. docs/design/035-stress-profile.md
#include <memory>

#include <talus/lab/analysis.hpp>
#include <talus/lab/replica_analysis.hpp>
#include <talus/measure/grid.hpp>
#include <talus/sampling/crop.hpp>

namespace talus::lab {

template <int D>
struct ProfileSettings {
  std::size_t rest = 0;          // stage at whose end the sample is measured
  Vec<D, i32> boxes{};           // of the grid on the whole domain; along the last axis: rows of the profile
  sampling::HeldLayer<D> layer;  // grains that are held
  Real k0 = 0;                   // horizontal over vertical stress that the cell was given; 0: unknown
  bool is_round = false;         // a cylinder encloses the sample
  i32 rings = 0, layers = 0;     // of the maps inside it
  Origin origin;
};

// The sample before its first step. Not numbers where its cell is not made yet.
struct ProfileStart {
  Real n0 = NAN, n0_inside = NAN, z0 = NAN, contacts = NAN;
  Real net_force = NAN;   // N, largest resultant on a grain that is not held, weight included
  Real mean_force = NAN;  // N, mean normal force of its contacts
};
template <int D>
ProfileStart profile_start(const Model<D>& model, const State<D>& state, const ContactList<D>& contacts, const ProfileSettings<D>& settings);

// Of profiles of any sample: its rows, from the top down.
struct ProfileRow {
  Real depth = 0;     // m below the top of the domain
  Real porosity = 0;  // means over the boxes that lie inside: 0.1 to 0.9 of the width, beyond the held layer; in a cylinder over all of the section
  Real vertical = 0, horizontal = 0;  // Pa, compression positive
};
template <int D>
std::vector<ProfileRow> profile_rows(const Model<D>& model, const State<D>& state, const ContactList<D>& contacts, const ProfileSettings<D>& settings);

// N/m^3, weight of all grains over the volume of the domain.
template <int D>
Real unit_weight(const Model<D>& model, const State<D>& state);

// What carries the grains that are not held.
struct Reaction {
  Real upward = 0, from_sides = 0;  // N: of walls and held grains; of those that do not lie below the grains
  Real weight = 0;                  // N, of the grains that are not held
};
template <int D>
Reaction reaction(const Model<D>& model, const State<D>& state, const ContactList<D>& contacts, const sampling::HeldLayer<D>& layer);

template <int D>
std::unique_ptr<Analysis<D>> profile_analysis(const ProfileSettings<D>& settings, const ProfileStart& start);

// A column of equal balls on a wall.
template <int D>
std::unique_ptr<Analysis<D>> column_analysis(const ProfileSettings<D>& settings, const ProfileStart& start);

}  // namespace talus::lab
