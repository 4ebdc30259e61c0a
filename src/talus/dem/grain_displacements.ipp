// The kernel over grains of multi-contact models: how far contacts push the surface out at each other contact. See
// contact/multi_contact.hpp for the models and docs/design/018-bulges.md.
#pragma once
#include <talus/dem/gather.ipp>
#include <talus/dem/incidence.ipp>
#include <talus/dem/step.hpp>
#include <talus/exec/shared_memory.hpp>
#include <talus/exec/timers.hpp>
#include <talus/stages/contact_geometry.hpp>

namespace talus::dem {

// Columns of one law's rows, as the pass needs them.
struct MultiContactRows {
  Span<const RowKey> key;
  Span<const u32> body_a, body_b;
  Span<const Load> load;
  Span<const Vec3> tangential_force;  // empty unless the model counts it
  Span<Sides> displacement;
  u32 first;  // number of its first row in the common count
};

// One contact, or gap within reach, of a grain.
template <int D, class T = Real>
struct Spot {
  Vec<D, T> normal;            // unit, into the grain
  T arm;                       // m, from the centre
  T force, mode;               // N, 1
  T self;                      // m/N, what it does to itself
  Vec<D, T> tangential_force;  // N on the grain, across the normal
};

// The furthest that a grain can bulge anywhere, m: all its forces at the place where a force pushes out most. No gap that is
// wider than what two grains can bulge needs a closer look.
template <int D>
struct BoundGrain {
  Span<const Load> loads[law_count];
  u32 firsts[law_count];
  Span<const u32> start, incidence;
  Span<const BodyRow> body_rows;  // empty on a device
  Span<const u32> idle;
  Span<const u8> activated;
  Span<const Real> trial;
  Span<const Moving<D>> moving;
  Span<const u32> material;
  Span<const MultiContactConstants> constants;
  Span<Real> bound;
  u32 sole;
  bool tangential;  // friction has no such place: every gap within reach gets its look
  TALUS_HD Real force_of(u32 row) const {
    if (trial.size > 0) return trial[row];
    std::size_t law = sole;
    if (sole == law_count)
      for (law = 0; law + 1 < law_count && row >= firsts[law + 1];) ++law;
    return loads[law][row - firsts[law]].force;
  }
  TALUS_HD void operator()(std::size_t i) const {
    Real sum = 0;
    if (body_rows.size > 0 && !activated[i] && sole != law_count && trial.size == 0)
      for (u32 e = start[i]; e < idle[i]; ++e) sum += loads[sole].data[body_rows[e].row()].force;
    else if (body_rows.size > 0 && !activated[i])
      for (u32 e = start[i]; e < idle[i]; ++e) sum += force_of(body_rows[e].row());
    else
      for (u32 e = start[i]; e < start[i + 1]; ++e) sum += force_of(incidence[e] >> 1);
    const MultiContactConstants& q = constants[material[i]];
    bound[i] = tangential && sum > 0 ? Real(HUGE_VAL) : displacement_bound(q) / (2 * moving[i].radius) * sum;
  }
};

// A kernel that knows nothing of forces across the normal is refused when the option is read.
template <class Kernel>
TALUS_HD Real shear_of(const Kernel& kernel, const MultiContactConstants& q, Real radius,
                       const ContactPair<Real>& pair) {
  if constexpr (requires { kernel.shear(q, radius, pair); })
    return kernel.shear(q, radius, pair);
  else
    return 0;
}

// One grain. Its contacts in order of the partner's uid push its surface out or in at each of them and where a gap is small.
// A contact adds up the others from the next one on, round to the one before it; a gap adds them up from the first.
// Forces, directions and places of contacts are those of the last step; gaps are of this one.
// Returns the largest displacement over the radius.
template <int D, class Kernel>
struct GrainDisplacements {
  Kernel kernel;
  MultiContactRows laws[law_count];
  Span<const u32> start, incidence;
  Span<const BodyRow> body_rows;  // empty on a device
  Span<const u32> idle;
  Span<const u8> marks, activated;
  Span<u8> close;          // of entries; empty on a device
  Span<Sides> trend;       // of all laws' rows
  Span<const Real> trial;  // of all laws' rows; empty: forces of the last step
  Span<const Moving<D>> moving;
  Span<const u32> material, uid, shape;
  Span<const Shape<D>> shapes;
  Span<const Closing> closing;
  Span<const MultiContactConstants> constants;
  Span<const Real> bound;
  Span<Vec2> mode_of_uid;
  const Globals<D>* globals;
  Real reach;
  u32 sole;  // the only law that has rows, or law_count
  bool self_term, tangential;

  TALUS_HD std::size_t law_of(u32 row) const {
    if (sole != law_count) return sole;
    std::size_t law = 0;
    while (law + 1 < law_count && row >= laws[law + 1].first) ++law;
    return law;
  }

  // The contact in entry e of the list of grain i; says no when no displacement can close the gap. Adds up the squares of modes and
  // forces; a contact of two grains is seen from both of them.
  TALUS_HD bool look(std::size_t i, u32 entry, Spot<D>& spot, Vec2& squares) const {
    const u32 row = entry >> 1, second = entry & 1u;
    const MultiContactRows& rows = laws[law_of(row)];
    const u32 r = row - rows.first;
    const Real sign = 1 - 2 * Real(second);  // sides come at random: nothing here branches on them
    const Moving<D>& own = moving[i];
    const Load& load = rows.load[r];
    const bool is_wall = marks[row] & row_wall;
    spot.force = trial.size > 0 ? trial[row] : load.force;
    spot.mode = load.mode;
    spot.self = 0;
    spot.tangential_force = tangential ? sign * rows.tangential_force[r] : Vec<D>{};
    const u32 ends[2] = {rows.body_b[r], rows.body_a[r]}, j = ends[second];
    if (spot.force > 0) {
      spot.normal = sign * load.normal;
      spot.arm = own.radius - load.depth + sign * load.skew;
      if constexpr (requires { kernel.self(constants[0], Real(0), Real(0)); })
        if (self_term) {
          const Real other = moving[j].radius,
                     reduced = is_wall ? own.radius : own.radius * other / (own.radius + other);
          const Real overlap = load.displacement + (is_wall ? load.depth : 2 * load.depth);
          spot.self = kernel.self(constants[material[i]], own.radius, sqrt(reduced * max(overlap, Real(0))));
        }
    } else {
      const Moving<D>& other = moving[j];
      spot.force = spot.mode = 0;
      spot.arm = own.radius + side(rows.displacement[r], second);
      if (is_wall) {
        Surface<D> surface = shapes[shape[j]].wall.at(own.position - other.position);
        if (closing.size > 0) surface.gap -= closing[j].way;
        spot.normal = surface.normal;
        if (!(surface.gap < own.radius + min(reach * own.radius, bound[i]))) return false;
      } else {
        spot.normal = own.position - other.position;
        if (marks[row] & row_image) spot.normal -= sign * globals->cell.translation(rows.key[r].template image<D>());
        const Real square = dot(spot.normal, spot.normal);
        if (!(square < furthest_square(own.radius + other.radius, bound[i] + bound[j]))) return false;
        spot.normal = inverse_root(square) * spot.normal;
      }
    }
    const Real share = is_wall ? 1 : 0.5;
    squares += Vec2{share * spot.mode * spot.mode, share * spot.force * spot.force};
    return true;
  }
  // Of the distance of two grains at which displacements may still meet.
  template <class T>
  TALUS_HD T furthest_square(const T& radii, const T& bounds) const {
    const T furthest = radii + min(T(reach) * radii, bounds);
    return furthest * furthest;
  }

  // A gap that no displacement can close. Most have been zero before.
  TALUS_HD void forget(u32 entry) const {
    const u32 row = entry >> 1, second = entry & 1u;
    const MultiContactRows& rows = laws[law_of(row)];
    if (side(rows.displacement[row - rows.first], second) != 0) put(entry, 0, 0);
  }
  // Only this grain reads this side of the row, and where it touches nobody does: see `look`.
  TALUS_HD void put(u32 entry, Real displacement, Real push) const {
    const u32 row = entry >> 1, second = entry & 1u;
    const MultiContactRows& rows = laws[law_of(row)];
    side(rows.displacement[row - rows.first], second) = displacement;
    side(trend[row], second) = push;
  }
  // Says `act` whether the row may touch.
  TALUS_HD void mark(u32 entry, bool near) const {
    if (close.size > 0) close[entry] = near;
  }
  static_assert(sizeof(Sides) == 2 * sizeof(Real));
  template <class S>
  TALUS_HD static auto& side(S& sides, u32 second) {
    return reinterpret_cast<std::conditional_t<std::is_const_v<S>, const Real, Real>*>(&sides)[second];
  }

  // One contact after the other: on a device, for grains with very many, and for what is rare.
  TALUS_HD Real operator()(std::size_t i) const {
    constexpr u32 room = 20;
    Spot<D> near[room], spot;
    u32 entry[room], count = 0;
    Vec2 squares{}, unused{};
    const u32 first = start[i], last = start[i + 1];
    for (u32 e = first; e < last; ++e) {
      const bool is_near = look(i, incidence[e], spot, squares);
      mark(incidence[e], is_near);
      if (!is_near) {
        forget(incidence[e]);
        continue;
      }
      if (count < room) near[count] = spot, entry[count] = incidence[e];
      ++count;
    }
    const MultiContactConstants q = constants[material[i]];
    const Real radius = moving[i].radius;
    Real most = 0;
    // n: its number among so many of which `get` gives one or says no.
    const auto at = [&](u32 where, const Spot<D>& here, u32 n, u32 many, auto&& get) {
      Real displacement = 0, push = 0;
      for (u32 k = here.force > 0 ? n + 1 : 0, left = many; left > 0; --left, ++k) {
        if (k == many) k = 0;
        Spot<D> from;
        if (k == n || !get(k, from) || !(from.force > 0)) continue;
        const ContactPair<Real> pair{dot(from.normal, here.normal), from.arm, here.arm};
        const Real each = kernel.couple(q, radius, pair);
        displacement += each * from.force;
        push += each * from.mode;
        if (tangential) displacement += shear_of(kernel, q, radius, pair) * dot(from.tangential_force, here.normal);
      }
      displacement += here.self * here.force;
      push += here.self * here.mode;
      put(where, displacement, push);
      most = max(most, finite_or_infinity(displacement));
    };
    if (count <= room) {
      for (u32 n = 0; n < count; ++n)
        at(entry[n], near[n], n, count, [&](u32 k, Spot<D>& from) { return from = near[k], true; });
    } else {
      for (u32 e = first; e < last; ++e)
        if (look(i, incidence[e], spot, unused))
          at(incidence[e], spot, e - first, last - first,
             [&](u32 k, Spot<D>& from) { return look(i, incidence[first + k], from, unused); });
    }
    mode_of_uid[uid[i]] = squares;
    return most / radius;
  }
};

}  // namespace talus::dem
