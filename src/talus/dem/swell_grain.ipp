// The kernel over grains of multi-contact models: how far contacts push the surface out at each other contact. See
// contact/bulge.hpp for the models and docs/design/018-bulges.md.
#pragma once
#include <cstring>

#include <talus/dem/gather.ipp>
#include <talus/dem/incidence.ipp>
#include <talus/dem/step.hpp>
#include <talus/exec/shared_memory.hpp>
#include <talus/exec/timers.hpp>
#include <talus/stages/contact_geometry.hpp>

namespace talus::dem {

// Columns of one law's rows, as the pass needs them.
struct BulgeRows {
  Span<const RowKey> key;
  Span<const u32> body_a, body_b;
  Span<const Load> load;
  Span<const Vec3> drag;  // empty unless the model counts it
  Span<Sides> swell;
  u32 first;  // number of its first row in the common count
};

// One contact, or gap within reach, of a grain.
template <int D, class T = Real>
struct Spot {
  Vec<D, T> normal;  // unit, into the grain
  T arm;             // m, from the centre
  T force, mode;     // N, 1
  T self;            // m/N, what it does to itself
  Vec<D, T> drag;    // N on the grain, across the normal
};

// The furthest that a grain can bulge anywhere, m: all its forces at the place where a force pushes out most. No gap that is
// wider than what two grains can bulge needs a closer look.
template <int D>
struct BoundGrain {
  Span<const Load> loads[law_count];
  u32 firsts[law_count];
  Span<const u32> start, incidence;
  Span<const Meeting> meetings;  // empty on a device
  Span<const u32> idle;
  Span<const u8> woken;
  Span<const Real> trial;
  Span<const Moving<D>> moving;
  Span<const u32> material;
  Span<const BulgeConstants> constants;
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
    if (meetings.size > 0 && !woken[i] && sole != law_count && trial.size == 0)
      for (u32 e = start[i]; e < idle[i]; ++e) sum += loads[sole].data[meetings[e].row()].force;
    else if (meetings.size > 0 && !woken[i])
      for (u32 e = start[i]; e < idle[i]; ++e) sum += force_of(meetings[e].row());
    else
      for (u32 e = start[i]; e < start[i + 1]; ++e) sum += force_of(incidence[e] >> 1);
    const BulgeConstants& q = constants[material[i]];
    bound[i] = tangential && sum > 0 ? Real(HUGE_VAL) : bulge_bound(q) / (2 * moving[i].radius) * sum;
  }
};

// A kernel that knows nothing of forces across the normal is refused when the option is read.
template <class Kernel>
TALUS_HD Real shear_of(const Kernel& kernel, const BulgeConstants& q, Real radius, const ContactPair<Real>& pair) {
  if constexpr (requires { kernel.shear(q, radius, pair); })
    return kernel.shear(q, radius, pair);
  else
    return 0;
}

// One grain. Its contacts in order of the partner's uid push its surface out or in at each of them and where a gap is small.
// A contact adds up the others from the next one on, round to the one before it; a gap adds them up from the first.
// Forces, directions and places of contacts are those of the last step; gaps are of this one.
// Returns the largest bulge over the radius.
template <int D, class Kernel>
struct SwellGrain {
  Kernel kernel;
  BulgeRows laws[law_count];
  Span<const u32> start, incidence;
  Span<const Meeting> meetings;  // empty on a device
  Span<const u32> idle;
  Span<const u8> marks, woken;
  Span<u8> close;          // of entries; empty on a device
  Span<Sides> trend;       // of all laws' rows
  Span<const Real> trial;  // of all laws' rows; empty: forces of the last step
  Span<const Moving<D>> moving;
  Span<const u32> material, uid, shape;
  Span<const Shape<D>> shapes;
  Span<const BulgeConstants> constants;
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

  // The contact in entry e of the list of grain i; says no when no bulge can close the gap. Adds up the squares of modes and
  // forces; a contact of two grains is seen from both of them.
  TALUS_HD bool look(std::size_t i, u32 entry, Spot<D>& spot, Vec2& squares) const {
    const u32 row = entry >> 1, second = entry & 1u;
    const BulgeRows& rows = laws[law_of(row)];
    const u32 r = row - rows.first;
    const Real sign = 1 - 2 * Real(second);  // sides come at random: nothing here branches on them
    const Moving<D>& own = moving[i];
    const Load& load = rows.load[r];
    const bool is_wall = marks[row] & row_wall;
    spot.force = trial.size > 0 ? trial[row] : load.force;
    spot.mode = load.mode;
    spot.self = 0;
    spot.drag = tangential ? sign * rows.drag[r] : Vec<D>{};
    const u32 ends[2] = {rows.body_b[r], rows.body_a[r]}, j = ends[second];
    if (spot.force > 0) {
      spot.normal = sign * load.normal;
      spot.arm = own.radius - load.depth + sign * load.skew;
      if constexpr (requires { kernel.self(constants[0], Real(0), Real(0)); })
        if (self_term) {
          const Real other = moving[j].radius,
                     reduced = is_wall ? own.radius : own.radius * other / (own.radius + other);
          const Real overlap = load.bulge + (is_wall ? load.depth : 2 * load.depth);
          spot.self = kernel.self(constants[material[i]], own.radius, sqrt(reduced * max(overlap, Real(0))));
        }
    } else {
      const Moving<D>& other = moving[j];
      spot.force = spot.mode = 0;
      spot.arm = own.radius + side(rows.swell[r], second);
      if (is_wall) {
        const Surface<D> surface = shapes[shape[j]].wall.at(own.position - other.position);
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
  // Of the distance of two grains at which bulges may still meet.
  template <class T>
  TALUS_HD T furthest_square(const T& radii, const T& bounds) const {
    const T furthest = radii + min(T(reach) * radii, bounds);
    return furthest * furthest;
  }

  // A gap that no bulge can close. Most have been zero before.
  TALUS_HD void forget(u32 entry) const {
    const u32 row = entry >> 1, second = entry & 1u;
    const BulgeRows& rows = laws[law_of(row)];
    if (side(rows.swell[row - rows.first], second) != 0) put(entry, 0, 0);
  }
  // Only this grain reads this side of the row, and where it touches nobody does: see `look`.
  TALUS_HD void put(u32 entry, Real swell, Real push) const {
    const u32 row = entry >> 1, second = entry & 1u;
    const BulgeRows& rows = laws[law_of(row)];
    side(rows.swell[row - rows.first], second) = swell;
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
    const BulgeConstants q = constants[material[i]];
    const Real radius = moving[i].radius;
    Real most = 0;
    // n: its number among so many of which `get` gives one or says no.
    const auto at = [&](u32 where, const Spot<D>& here, u32 n, u32 many, auto&& get) {
      Real swell = 0, push = 0;
      for (u32 k = here.force > 0 ? n + 1 : 0, left = many; left > 0; --left, ++k) {
        if (k == many) k = 0;
        Spot<D> from;
        if (k == n || !get(k, from) || !(from.force > 0)) continue;
        const ContactPair<Real> pair{dot(from.normal, here.normal), from.arm, here.arm};
        const Real each = kernel.couple(q, radius, pair);
        swell += each * from.force;
        push += each * from.mode;
        if (tangential) swell += shear_of(kernel, q, radius, pair) * dot(from.drag, here.normal);
      }
      swell += here.self * here.force;
      push += here.self * here.mode;
      put(where, swell, push);
      most = max(most, finite_or_infinity(swell));
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

#if !defined(__CUDACC__)
  static constexpr int N = native_lanes;
  using Wide = Lanes<N>;
  static constexpr u32 most_spots = 24;

  // Places side by side.
  template <u32 room>
  struct Line {
    Real normal[D][room], arm[room];
    Spot<D, Wide> at(u32 n) const {
      Spot<D, Wide> s;
      for (int d = 0; d < D; ++d) s.normal[d] = run_of(normal[d] + n);
      s.arm = run_of(arm + n);
      return s;
    }
    Spot<D, Wide> spread(u32 n) const {
      Spot<D, Wide> s;
      for (int d = 0; d < D; ++d) s.normal[d] = Wide(normal[d][n]);
      s.arm = Wide(arm[n]);
      return s;
    }
  };
  struct Around {
    static constexpr u32 ring = 2 * most_spots + 2 * N;
    alignas(64) Line<ring> loaded{};  // twice, one after the other: from any of them on, all the others come in a row
    Real force[ring]{}, mode[ring]{};
    Line<most_spots + N> gap{};
    Real push[most_spots / 2 + 1][ring];  // m/N, of the contact that comes so many later; also twice
    Real swell[most_spots + N], trend[most_spots + N];
    u32 entry[most_spots + N], open[most_spots + N], gap_entry[most_spots + N];
  };
  static Wide run_of(const Real* from) {
    Wide out;
    std::memcpy(&out.v, from, sizeof out.v);
    return out;
  }
  static void put_run(Real* to, const Wide& x) { std::memcpy(to, &x.v, sizeof x.v); }

  Real over(std::size_t first, std::size_t last) const {
    Around around;
    Real most = 0;
    const bool plain = sole != law_count && !self_term && !tangential;
    for (std::size_t i = first; i < last; ++i)
      most = max(most, plain && !woken[i] && start[i + 1] - start[i] <= most_spots ? one(i, around) : (*this)(i));
    return most;
  }

  // The same as above with the same bits, N contacts at a time. All rows are of one law, and none that did not touch at the
  // rebuild has come to touch since.
  Real one(std::size_t i, Around& a) const {
    const Real* forces = trial.data;  // of rows
    std::size_t stride = 1;
    if (trial.size == 0) forces = &laws[sole].load.data->force, stride = sizeof(Load) / sizeof(Real);
    u32 loaded = 0, open = 0;
    const u32 middle = idle[i], last = start[i + 1];
    for (u32 e = start[i]; e < middle; ++e) {
      const bool pushes = forces[meetings[e].row() * stride] > 0;
      a.entry[loaded] = a.open[open] = e;
      loaded += pushes;
      open += !pushes;
    }
    for (u32 e = middle; e < last; ++e) a.open[open++] = e;
    if (loaded == 0) {  // a rattler
      for (u32 g = 0; g < open; ++g) put(meetings[a.open[g]].entry, 0, 0), mark(meetings[a.open[g]].entry, true);
      mode_of_uid[uid[i]] = {};
      return 0;
    }
    take_loads(i, loaded, a);
    const u32 gaps = take_gaps(i, open, a);
    const BulgeConstants q = constants[material[i]];
    const Real radius = moving[i].radius;
    if (kernel.is_symmetric(q))
      half_ring(q, radius, loaded, a);
    else
      whole_ring(q, radius, loaded, a);
    auto* swells = reinterpret_cast<Real*>(laws[sole].swell.data);
    auto* trends = reinterpret_cast<Real*>(trend.data);
    Real most = 0, sum = 0;
    for (u32 c = 0; c < loaded; ++c) {
      swells[a.entry[c]] = a.swell[c];
      trends[a.entry[c]] = a.trend[c];
      most = max(most, a.swell[c]);
      sum += a.swell[c];
    }
    for (u32 g = 0; g < gaps; ++g) {
      const Spot<D, Wide> here = a.gap.spread(g);
      for (u32 k = 0; k < loaded; k += N) {
        const Wide each = couple(q, radius, a.loaded.at(k), here);
        put_run(a.swell + k, each * run_of(a.force + k));
        put_run(a.trend + k, each * run_of(a.mode + k));
      }
      Real swell = 0, push = 0;
      for (u32 k = 0; k < loaded; ++k) swell += a.swell[k], push += a.trend[k];
      swells[a.gap_entry[g]] = swell;
      trends[a.gap_entry[g]] = push;
      most = max(most, swell);
      sum += swell;
    }
    return std::abs(sum) < HUGE_VAL ? most / radius : Real(HUGE_VAL);  // one that is no number makes the sum none
  }
  Wide couple(const BulgeConstants& q, Real radius, const Spot<D, Wide>& from, const Spot<D, Wide>& here) const {
    return kernel.couple(q, radius, ContactPair<Wide>{dot(from.normal, here.normal), from.arm, here.arm});
  }
  static void add(const Wide& each, const Wide& force, const Wide& mode, Wide& swell, Wide& push) {
    swell += each * force;
    push += each * mode;
  }

  // What loaded contacts do to one another when what k does to c is what c does to k: half of it is computed.
  void half_ring(const BulgeConstants& q, Real radius, u32 n, Around& a) const {
    for (u32 c = 0; c < n; c += N) {
      const Spot<D, Wide> here = a.loaded.at(c);
      Wide swell = 0, push = 0;
      for (u32 next = 1; next <= n / 2; ++next) {
        const Wide each = couple(q, radius, a.loaded.at(c + next), here);
        put_run(a.push[next] + c, each);
        add(each, run_of(a.force + c + next), run_of(a.mode + c + next), swell, push);
      }
      put_run(a.swell + c, swell);
      put_run(a.trend + c, push);
    }
    for (u32 next = 1; next <= (n - 1) / 2; ++next)
      for (u32 c = 0; c < n; c += N) put_run(a.push[next] + n + c, run_of(a.push[next] + c));
    for (u32 c = 0; c < n; c += N) {
      Wide swell = run_of(a.swell + c), push = run_of(a.trend + c);
      for (u32 next = n / 2 + 1; next < n; ++next)
        add(run_of(a.push[n - next] + c + next), run_of(a.force + c + next), run_of(a.mode + c + next), swell, push);
      put_run(a.swell + c, swell);
      put_run(a.trend + c, push);
    }
  }
  void whole_ring(const BulgeConstants& q, Real radius, u32 n, Around& a) const {
    for (u32 c = 0; c < n; c += N) {
      const Spot<D, Wide> here = a.loaded.at(c);
      Wide swell = 0, push = 0;
      for (u32 next = 1; next < n; ++next)
        add(couple(q, radius, a.loaded.at(c + next), here), run_of(a.force + c + next), run_of(a.mode + c + next),
            swell, push);
      put_run(a.swell + c, swell);
      put_run(a.trend + c, push);
    }
  }

  // The loaded contacts, whose meetings are in a.entry; afterwards their entries are.
  void take_loads(std::size_t i, u32 n, Around& a) const {
    static_assert(sizeof(Load) == 8 * sizeof(Real) && D == 3);
    static constexpr Real signs[2] = {1, -1}, shares[2] = {0.5, 1};
    const Wide radius = moving[i].radius;
    const auto* loads = reinterpret_cast<const Real*>(laws[sole].load.data);
    for (u32 c = 0; c < n; c += N) {
      const Real* from[N];
      Wide sign, share, tried;
      for (u32 k = 0; k < N; ++k) {
        const Meeting& m = meetings[a.entry[min(c + k, n - 1)]];
        from[k] = loads + 8 * std::size_t(m.row());
        sign.v[k] = signs[m.second()];
        share.v[k] = shares[m.is_wall()];
        if (trial.size > 0) tried.v[k] = trial[m.row()];
      }
      LoadOf<Wide> load;
      load_four<N>(from, 0, load.normal[0], load.normal[1], load.normal[2], load.depth);
      load_four<N>(from, 4, load.skew, load.force, load.bulge, load.mode);
      if (trial.size > 0) load.force = tried;
      for (int d = 0; d < D; ++d) put_run(a.loaded.normal[d] + c, sign * load.normal[d]);
      put_run(a.loaded.arm + c, radius - load.depth + sign * load.skew);
      put_run(a.force + c, load.force);
      put_run(a.mode + c, load.mode);
      put_run(a.swell + c, share * load.mode * load.mode);
      put_run(a.trend + c, share * load.force * load.force);
    }
    Vec2 squares{};
    for (u32 c = 0; c < n; ++c) {
      squares += Vec2{a.swell[c], a.trend[c]};
      a.entry[c] = meetings[a.entry[c]].entry;
    }
    mode_of_uid[uid[i]] = squares;
    for (u32 c = 0; c < n; c += N) {
      for (int d = 0; d < D; ++d) put_run(a.loaded.normal[d] + n + c, run_of(a.loaded.normal[d] + c));
      put_run(a.loaded.arm + n + c, run_of(a.loaded.arm + c));
      put_run(a.force + n + c, run_of(a.force + c));
      put_run(a.mode + n + c, run_of(a.mode + c));
    }
  }

  // Of the gaps whose meetings are in a.open those that bulges may close; their number.
  u32 take_gaps(std::size_t i, u32 n, Around& a) const {
    const Moving<D>& own = moving[i];
    const auto* swells = reinterpret_cast<const Real*>(laws[sole].swell.data);
    u32 found = 0;
    for (u32 g = 0; g < n; g += N) {
      const u32 here = min(u32(N), n - g);
      const Real* from[N];
      u32 entry[N];
      unsigned images = 0, walls = 0;
      Wide bounds, mine;
      for (u32 k = 0; k < N; ++k) {
        const Meeting& m = meetings[a.open[g + min(k, here - 1)]];
        entry[k] = m.entry;
        from[k] = reinterpret_cast<const Real*>(moving.data + m.partner());
        bounds.v[k] = bound[m.partner()];
        mine.v[k] = swells[m.entry];
        images |= (m.partner_and_kind >> 30 & 1u) << k;
        walls |= (m.partner_and_kind >> 31) << k;
      }
      Vec<D, Wide> between, other;
      Wide radius;
      load_four<N>(from, 0, other[0], other[1], other[2], radius);
      for (int d = 0; d < D; ++d) between[d] = Wide(own.position[d]) - other[d];
      for (; images != 0; images &= images - 1) {
        const auto k = std::size_t(std::countr_zero(images));
        const Vec<D> way = signed_translation(entry[k]);
        for (int d = 0; d < D; ++d) between[d].v[k] -= way[d];
      }
      const Wide square = dot(between, between);
      unsigned near = bits(square < furthest_square(Wide(own.radius) + radius, Wide(bound[i]) + bounds));
      unsigned known = bits(mine < Wide(0)) | bits(mine > Wide(0));
      const unsigned valid = (1u << here) - 1;
      Spot<D> spot;
      Vec2 unused{};
      for (unsigned w = walls & valid; w != 0; w &= w - 1) {
        const auto k = unsigned(std::countr_zero(w));
        near = (near & ~(1u << k)) | unsigned(look(i, entry[k], spot, unused)) << k;
      }
      for (u32 k = 0; k < here; ++k) close[entry[k]] = u8(near >> k & 1u);
      near &= valid;
      for (unsigned far = known & valid & ~near; far != 0; far &= far - 1)
        put(entry[std::size_t(std::countr_zero(far))], 0, 0);
      if (near == 0) continue;
      const Wide inverse = inverse_root(square);
      for (; near != 0; near &= near - 1) {
        const auto k = std::size_t(std::countr_zero(near));
        for (int d = 0; d < D; ++d) a.gap.normal[d][found] = inverse.v[k] * between[d].v[k];
        if (walls >> k & 1u) {
          look(i, entry[k], spot, unused);
          for (int d = 0; d < D; ++d) a.gap.normal[d][found] = spot.normal[d];
        }
        a.gap.arm[found] = own.radius + mine.v[k];
        a.gap_entry[found++] = entry[k];
      }
    }
    return found;
  }
  Vec<D> signed_translation(u32 entry) const {
    const auto& rows = laws[sole];
    return (1 - 2 * Real(entry & 1u)) * globals->cell.translation(rows.key[entry >> 1].template image<D>());
  }
#endif
};

}  // namespace talus::dem
