#pragma once
// What the kernels of particles read: records, partners, boundary particles, and the branch between two of them.
#include <talus/matter/kernels.hpp>
#include <talus/matter/models.hpp>
#include <talus/sph/options.hpp>
#include <talus/sph/scratch.hpp>

namespace talus::sph {

template <int D>
TALUS_HD Mat3 in_space(const Mat<D>& m, Real along_z) {  // plane strain: `along_z` is what stands at zz
  Mat3 out{};
  for (int a = 0; a < D; ++a)
    for (int b = 0; b < D; ++b) out(a, b) = m(a, b);
  if (D == 2) out(2, 2) = along_z;
  return out;
}

// The nearest image across periodic edges of a box.
template <int D>
struct Nearest {
  Vec<D> edge{}, inverse{};  // m, 1/m; 0 where the cell is open
  bool any = false;

  template <class Cell>
  static Nearest of(const Cell& cell) {
    Nearest n;
    for (int k = 0; k < D; ++k)
      if (cell.periodic[k]) {
        n.edge[k] = cell.h(k, k);
        n.inverse[k] = 1 / cell.h(k, k);
        n.any = true;
      }
    return n;
  }
  TALUS_HD Vec<D> operator()(Vec<D> branch) const {
    if (any)
      for (int k = 0; k < D; ++k) branch[k] -= edge[k] * std::floor(branch[k] * inverse[k] + Real(0.5));
    return branch;
  }
};

template <int D>
struct Pairs {
  Span<const Record<D>> records;
  Span<const u32> start, split, partner;
  Span<const u32> before, particle;
  Span<const Vec<D>> wall_position, wall_velocity;
  Span<const Real> wall_volume, wall_pressure;
  Span<const u32> wall_holds;
  Span<const Sym3> wall_deviator;
  Span<const Strain<D>> strains;      // empty without solids
  Span<const Traction<D>> tractions;  // likewise
  Span<const matter::Matter> matter;
  matter::Wendland<D> kernel;
  Nearest<D> nearest;
  Real spacing = 0;  // m
  // Of total-Lagrangian bodies; empty without.
  Span<const Vec<D>> origin;
  Span<const Pull<D>> pulls;
  Span<const u32> laid_start, laid_partner, rank, by_rank;
  Span<const Mat<D>> laid_correction;
  Span<const Real> mass;

  TALUS_HD Real volume_at_rest(std::size_t i) const { return mass[i] / matter[records[i].material].volume.density; }  // m^D
  TALUS_HD Mat<D> of_reference(std::size_t i) const { return laid_correction[rank[i]]; }
  // Calls visit(place of the partner, branch when laid, branch now, W'/r when laid) for partners in one body of this kind.
  template <class Visit>
  TALUS_HD void each_laid(std::size_t i, Visit&& visit) const {
    const u32 mine = rank[i];
    for (u32 k = laid_start[mine]; k < laid_start[mine + 1]; ++k) {
      const u32 j = by_rank[laid_partner[k]];
      const Vec<D> laid = nearest(origin[i] - origin[j]);
      visit(j, laid, nearest(records[i].position - records[j].position), kernel.slope(length(laid)));
    }
  }
  // Were these two of one total-Lagrangian body partners when it was laid?
  TALUS_HD bool were_partners(std::size_t i, std::size_t j) const {
    const Vec<D> laid = nearest(origin[i] - origin[j]);
    return dot(laid, laid) < kernel.support * kernel.support;
  }

  // The part of a vector along the axes that a boundary particle holds.
  TALUS_HD Vec<D> held_by(u32 b, Vec<D> v) const {
    for (int k = 0; k < D; ++k)
      if (!(wall_holds[b] >> k & 1)) v[k] = 0;
    return v;
  }
  TALUS_HD bool sticks(u32 b) const { return (wall_holds[b] & sticky) != 0; }

  // Calls visit(partner, its place, branch, r^2) for partners of particle i within the support; the branch points from the partner to i.
  template <class Visit>
  TALUS_HD void each_particle(std::size_t i, Visit&& visit) const {
    const Vec<D> x = records[i].position;
    for (u32 k = start[i]; k < split[i]; ++k) {
      const Record<D>& other = records[partner[k]];
      const Vec<D> branch = nearest(x - other.position);
      const Real r2 = dot(branch, branch);
      if (r2 < kernel.support * kernel.support) visit(other, partner[k], branch, r2);
    }
  }
  template <class Visit>
  TALUS_HD void each_wall(std::size_t i, Visit&& visit) const {
    const Vec<D> x = records[i].position;
    for (u32 k = split[i]; k < start[i + 1]; ++k) {
      const Vec<D> branch = nearest(x - wall_position[partner[k]]);
      const Real r2 = dot(branch, branch);
      if (r2 < kernel.support * kernel.support) visit(partner[k], branch, r2);
    }
  }
  // Particles before boundary particle b; the branch points from b to the particle.
  template <class Visit>
  TALUS_HD void each_before(std::size_t b, Visit&& visit) const {
    for (u32 k = before[b]; k < before[b + 1]; ++k) {
      const Record<D>& other = records[particle[k]];
      const Vec<D> branch = nearest(other.position - wall_position[b]);
      const Real r2 = dot(branch, branch);
      if (r2 < kernel.support * kernel.support) visit(other, particle[k], branch, r2);
    }
  }
};

}  // namespace talus::sph
