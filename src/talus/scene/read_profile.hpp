#pragma once
// [sample] crop, profile, hold: a domain cut out of copies of a cell, whose stress grows with depth. And [analysis] of it.
#include <talus/core/input.hpp>
#include <talus/lab/experiment.hpp>
#include <talus/lab/replica_analysis.hpp>
#include <talus/sampling/crop.hpp>
#include <talus/sampling/replicate.hpp>

namespace talus::scene {

// What is asked of the copies.
template <int D>
struct Domain {
  Vec<D> size{};  // m; 0: not cut along this axis
  bool is_cut = false, has_profile = false;
  bool by_mean = false;  // grains push walls with the mean force of the cell; else with its stress
};
// The cell under its stress, before it is copied.
template <int D>
struct CellStress {
  ContactList<D> contacts;
  Real volume = 0, mass = 0;  // m^3, in the plane m^2; kg
  u32 walls = 0, first_wall = ~0u;  // how many, and the smallest uid of them
  bool is_known = false;  // forces are to be scaled, and the cell has them
};
template <int D>
Domain<D> read_domain(Input& in);

// `replicas` or `copies`; left out they fill the domain.
template <int D>
sampling::Replicas<D> read_copies(Input& in, const Cell<D>& cell, const Domain<D>& domain);

template <int D>
CellStress<D> stress_of_cell(const lab::Experiment<D>& x, const State<D>& cell, const Domain<D>& domain, bool is_ready);

// Walls, virtual overlaps and held grains of the sample that the copies make. Throws InputError.
template <int D>
State<D> make_domain(Input& scene, Input& in, lab::Experiment<D>& x, State<D> sample, const CellStress<D>& cell, i64 copies, bool is_disturbed);

// Of the sample, or of a column of balls.
template <int D>
void read_profile_test(Input& scene, Input& in, const std::string& kind, lab::Experiment<D>& x, const lab::Origin& origin);

}  // namespace talus::scene
