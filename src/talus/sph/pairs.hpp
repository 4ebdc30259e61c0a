#pragma once
// What the kernels of particles read: records, lists of groups, boundary particles, and the branch between two of them. A kernel is
// written for a number T, which is Real (one particle; the device) or lanes (several of a group), and gives the same bits: whoever is
// beyond the support adds nothing.
#include <talus/core/lanes.hpp>
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

// One number, vector or matrix in every lane.
template <class T, int D>
TALUS_HD Vec<D, T> wide(const Vec<D>& v) {
  Vec<D, T> out;
  for (int k = 0; k < D; ++k) out[k] = T(v[k]);
  return out;
}
template <class T, int D>
TALUS_HD Mat<D, T> wide(const Mat<D>& m) {
  Mat<D, T> out;
  for (int a = 0; a < D; ++a)
    for (int b = 0; b < D; ++b) out(a, b) = T(m(a, b));
  return out;
}

// A symmetric tensor that all lanes see, times a vector of each.
template <int D, class T>
TALUS_HD Vec<D, T> times(const Sym3& a, const Vec<D, T>& v) {
  Vec<D, T> out;
  for (int i = 0; i < D; ++i) {
    T sum = T(a(i, 0)) * v[0];
    for (int j = 1; j < D; ++j) sum += T(a(i, j)) * v[j];
    out[i] = sum;
  }
  return out;
}

// Which particles go together: one, or one in every lane. `each_lane` calls f(lane, particle).
template <class F>
TALUS_HD void each_lane(u32 who, F&& f) {
  f(0, who);
}
template <class F>
TALUS_HD Real of_each(u32 who, F&& f) {
  return f(who);
}
TALUS_HD Real& number(Real& x, int) { return x; }
template <int D>
TALUS_HD Vec<D> lane_of(const Vec<D>& v, int) {
  return v;
}
#if !defined(__CUDACC__)
template <int N, class F>
TALUS_HD void each_lane(const Places<N>& who, F&& f) {
  for (int k = 0; k < N; ++k)
    if (k == 0 || who.at[k] != who.at[k - 1]) f(k, who.at[k]);  // the last group repeats its last member: that counts once
}
template <int N, class F>
TALUS_HD Lanes<N> of_each(const Places<N>& who, F&& f) {
  Lanes<N> out;
  for (int k = 0; k < N; ++k) out.v[k] = f(who.at[k]);
  return out;
}
template <int N>
TALUS_HD Real& number(Lanes<N>& x, int k) {
  return reinterpret_cast<Real*>(&x)[k];
}
template <int D, int N>
TALUS_HD Vec<D> lane_of(const Vec<D, Lanes<N>>& v, int k) {
  Vec<D> out;
  for (int d = 0; d < D; ++d) out[d] = v[d].v[k];
  return out;
}
#endif

// Are particles of these two neighbours in one continuum of formulation `updated`? As are_apart, for lanes of the first.
template <class T>
TALUS_HD auto are_one(const T& mine, Real other) -> decltype(mine < T(0)) {
  const T zero = 0;
  const auto updated = !(mine < zero);
  if (other == 0) return updated;  // liquids and soils have no body of their own
  if (other < 0) return mine < mine;
  return updated & ((mine == T(other)) | (mine == zero));
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
  template <class T>
  TALUS_HD Vec<D, T> operator()(Vec<D, T> branch) const {
    if (any)
      for (int k = 0; k < D; ++k) branch[k] -= T(edge[k]) * floor(branch[k] * T(inverse[k]) + T(0.5));
    return branch;
  }
};

// What pairs of a scene may do to each other.
struct Kinds {
  bool parts = false;    // is there more than one continuum?
  bool viscous = false;  // has any matter viscosity?
  bool blind = false;    // is any of it elastic, of formulation updated?

  template <int D>
  static Kinds of(const Options<D>& o) {
    Kinds kinds;
    const std::vector<Real> parts = o.parts();
    for (const Real part : parts) kinds.parts = kinds.parts || part != parts[0] || is_total(part);
    for (const matter::Matter& m : o.matter) {
      kinds.viscous = kinds.viscous || m.viscosity > 0;
      kinds.blind = kinds.blind || (o.blind > 0 && m.is_elastic());
    }
    return kinds;
  }
};

struct ListView {
  Span<const u32> start, partner;
  static ListView of(const GroupLists& l) { return {l.start.span(), l.partner.span()}; }
};

template <int D>
struct Pairs {
  Span<const Record<D>> records;
  ListView particles, walls, before;
  Span<const Vec<D>> wall_position, wall_velocity;
  Span<const Real> wall_volume, wall_pressure;
  Span<const Sym3> wall_holds;
  Span<const u32> wall_sticks;
  Span<const Sym3> wall_deviator;
  Span<const Strain<D>> strains;      // empty without solids
  Span<const Traction<D>> tractions;  // likewise
  Span<const Mat<D>> artificial;      // empty without artificial stress
  Span<const matter::Matter> matter;
  matter::Wendland<D> kernel;
  Nearest<D> nearest;
  Real spacing = 0;  // m
  Kinds kinds;
  // Of total-Lagrangian bodies; empty without.
  Span<const Vec<D>> origin;
  Span<const Pull<D>> pulls;
  Span<const u32> laid_start, laid_partner, rank, by_rank;
  Span<const Mat<D>> laid_correction;
  Span<const Real> mass;

  static Pairs of(const Options<D>& o, const Kinds& kinds, Span<const matter::Matter> matter, const State<D>& state, const Scratch<D>& s) {
    const Particles<D>& p = state.particles;
    const Boundary<D>& b = s.boundary;
    return {.records = s.records.span(), .particles = ListView::of(s.lists.particles), .walls = ListView::of(s.lists.walls), .before = ListView::of(s.lists.before),
            .wall_position = b.position.span(), .wall_velocity = b.velocity.span(), .wall_volume = b.volume.span(),
            .wall_pressure = b.pressure.span(), .wall_holds = b.holds.span(), .wall_sticks = b.sticks.span(), .wall_deviator = b.deviator.span(),
            .strains = s.strains.span(), .tractions = s.tractions.span(), .artificial = s.artificial.span(), .matter = matter,
            .kernel = o.kernel(), .nearest = Nearest<D>::of(state.globals.cell), .spacing = o.spacing, .kinds = kinds,
            .origin = p.origin.span(), .pulls = s.pulls.span(), .laid_start = s.reference.start.span(), .laid_partner = s.reference.partner.span(),
            .rank = s.reference.rank.span(), .by_rank = s.lists.by_uid.span(), .laid_correction = s.reference.correction.span(), .mass = p.mass.span()};
  }

  TALUS_HD const matter::Matter& matter_of(const Record<D>& record) const { return matter[u32(record.material)]; }
  TALUS_HD const matter::Matter& matter_of(u32 i) const { return matter_of(records[i]); }
  TALUS_HD Real volume_at_rest(std::size_t i) const { return mass[i] / matter_of(u32(i)).volume.density; }  // m^D
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

  // The part of a vector that a boundary particle holds.
  template <class T>
  TALUS_HD Vec<D, T> held_by(u32 b, const Vec<D, T>& v) const {
    return sticks(b) ? v : times(wall_holds[b], v);
  }
  TALUS_HD bool sticks(u32 b) const { return wall_sticks[b] != 0; }

  // Calls visit(partner, its place, branch, r) for the entries of the list of a group that are within the support of a member; the branch
  // points from the partner to each of the members at x.
  template <class T, class Visit>
  TALUS_HD void each_particle(u32 group, const Vec<D, T>& x, Visit&& visit) const {
    each_near(particles, group, x, [&](u32 j) -> const Vec<D>& { return records[j].position; },
              [&](u32 j, const Vec<D, T>& branch, const T& r) TALUS_INLINED { visit(records[j], j, branch, r); });
  }
  template <class T, class Visit>
  TALUS_HD void each_wall(u32 group, const Vec<D, T>& x, Visit&& visit) const {
    each_near(walls, group, x, [&](u32 b) -> const Vec<D>& { return wall_position[b]; }, visit);
  }
  TALUS_HD bool has_none_before(u32 group) const { return before.start[group] == before.start[group + 1]; }
  // Particles before a group of boundary particles; the branch points from the boundary particles to the particle.
  template <class T, class Visit>
  TALUS_HD void each_before(u32 group, const Vec<D, T>& x, Visit&& visit) const {
    each_near(before, group, x, [&](u32 j) -> const Vec<D>& { return records[j].position; },
              [&](u32 j, const Vec<D, T>& branch, const T& r) TALUS_INLINED { visit(records[j], j, -branch, r); });
  }

 private:
  template <class T, class Place, class Visit>
  TALUS_HD void each_near(const ListView& list, u32 group, const Vec<D, T>& x, Place&& place, Visit&& visit) const {
    const T reach = kernel.support * kernel.support;
    for (u32 k = list.start[group]; k < list.start[group + 1]; ++k) {
      const u32 j = list.partner[k] & partner_bits;
      Vec<D, T> branch = x - wide<T>(place(j));
      if (list.partner[k] & across_edge) branch = nearest(branch);
      const T r2 = dot(branch, branch);
      if (any(r2 < reach)) visit(j, branch, sqrt(r2));
    }
  }
};

// What a kernel does with a particle of a group: `mine.of<T>(who, group)`. One at a time, as on a device:
template <class Kernel>
struct OneByOne {
  Kernel mine;
  TALUS_HD void operator()(std::size_t i) const { mine.template of<Real>(u32(i), u32(i) / group_size); }
};
#if !defined(__CUDACC__)
// A group at a time, in lanes. The last group is filled up with its last member, in lanes that `each_lane` passes by.
template <class Kernel>
struct InLanes {
  Kernel mine;
  u32 members;
  void operator()(std::size_t group) const {
    static_assert(group_size % native_lanes == 0);
    for (u32 first = 0; first < group_size; first += native_lanes) {
      if (u32(group) * group_size + first >= members) return;
      Places<native_lanes> who;
      for (u32 k = 0; k < native_lanes; ++k) who.at[k] = min(u32(group) * group_size + first + k, members - 1);
      mine.template of<Lanes<native_lanes>>(who, u32(group));
    }
  }
};
#endif

}  // namespace talus::sph
