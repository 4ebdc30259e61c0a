// The stage "bulge" of multi-contact models: what the other contacts of its grains add to the overlap of each row. See
// contact/bulge.hpp for the models and docs/design/018-bulges.md.
#pragma once
#include <cstring>

#include <talus/dem/gather.ipp>
#include <talus/dem/incidence.ipp>
#include <talus/dem/step.hpp>
#include <talus/exec/shared_memory.hpp>
#include <talus/exec/timers.hpp>
#include <talus/state/contact_geometry.hpp>

namespace talus::dem {

// Columns of one law's rows, as the pass needs them.
struct BulgeRows {
  Span<const RowKey> key;
  Span<const u32> body_a, body_b;
  Span<const Load> load;
  Span<Sides> swell;
  u32 first;  // number of its first row in the common count
};

// One contact, or gap within reach, of a grain.
template <int D, class T = Real>
struct Spot {
  Vec<D, T> normal;  // unit, into the grain; before `finish` the branch from the partner, or a wall's normal
  T square;          // m^2, of the branch; 1 for a wall
  T arm;             // m, from the centre
  T force, mode;     // N, 1
  T self;            // m/N, what it does to itself

  TALUS_HD void finish() { normal = (T(1) / sqrt(square)) * normal; }
};

// The furthest that a grain can bulge anywhere, m: all its forces at the place where a force pushes out most. No gap that is
// wider than what two grains can bulge needs a closer look.
template <int D>
struct BoundGrain {
  Span<const Load> loads[law_count];
  u32 firsts[law_count];
  Span<const u32> start, incidence;
  Span<const Real> trial;
  Span<const Moving<D>> moving;
  Span<const u32> material;
  Span<const BulgeConstants> constants;
  Span<Real> bound;
  TALUS_HD void operator()(std::size_t i) const {
    Real sum = 0;
    for (u32 e = start[i]; e < start[i + 1]; ++e) {
      const u32 row = incidence[e] >> 1;
      if (trial.size > 0) {
        sum += trial[row];
        continue;
      }
      std::size_t law = 0;
      while (law + 1 < law_count && row >= firsts[law + 1]) ++law;
      sum += loads[law][row - firsts[law]].force;
    }
    const BulgeConstants& q = constants[material[i]];
    bound[i] = bulge_bound(q) / (2 * moving[i].radius) * sum;
  }
};

// One grain. Its contacts in order of the partner's uid push its surface out or in at each of them and where a gap is small.
// Forces, directions and places of contacts are those of the last step; gaps are of this one.
// Returns the largest bulge over the radius.
template <int D, class Kernel>
struct SwellGrain {
  Kernel kernel;
  BulgeRows laws[law_count];
  Span<const u32> start, incidence;
  Span<const u8> marks;
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
  bool self_term;

  TALUS_HD std::size_t law_of(u32 row) const {
    std::size_t law = 0;
    while (law + 1 < law_count && row >= laws[law + 1].first) ++law;
    return law;
  }

  // The contact in entry e of the list of grain i; says no when no bulge can close the gap. Adds up the squares of modes and
  // forces; a contact of two grains is seen from both of them.
  TALUS_HD bool look(std::size_t i, u32 e, Spot<D>& spot, Vec2& squares) const {
    const u32 row = incidence[e] >> 1, second = incidence[e] & 1u;
    const BulgeRows& rows = laws[law_of(row)];
    const u32 r = row - rows.first;
    const Real sign = 1 - 2 * Real(second);  // sides come at random: nothing here branches on them
    const Moving<D>& own = moving[i];
    const Load& load = rows.load[r];
    const bool is_wall = marks[row] & row_wall;
    spot.force = trial.size > 0 ? trial[row] : load.force;
    spot.mode = load.mode;
    spot.self = 0;
    const u32 ends[2] = {rows.body_b[r], rows.body_a[r]}, j = ends[second];
    if (spot.force > 0) {
      spot.normal = sign * load.normal;
      spot.square = 1;
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
      spot.mode = 0;
      spot.arm = own.radius + side(rows.swell[r], second);
      if (is_wall) {
        spot.normal = shapes[shape[j]].normal;
        spot.square = 1;
        const Real distance = dot(own.position - other.position, spot.normal);
        if (!(distance < own.radius + min(reach * own.radius, bound[i]))) return false;
      } else {
        spot.normal = own.position - other.position;
        if (marks[row] & row_image) spot.normal -= sign * globals->cell.translation(rows.key[r].template image<D>());
        spot.square = dot(spot.normal, spot.normal);
        const Real radii = own.radius + other.radius, furthest = radii + min(reach * radii, bound[i] + bound[j]);
        if (!(spot.square < furthest * furthest)) return false;
      }
    }
    const Real share = is_wall ? 1 : 0.5;
    squares += Vec2{share * spot.mode * spot.mode, share * spot.force * spot.force};
    return true;
  }

  // A gap that no bulge can close. Most have been zero before.
  TALUS_HD void forget(u32 e) const {
    const u32 row = incidence[e] >> 1, second = incidence[e] & 1u;
    const BulgeRows& rows = laws[law_of(row)];
    Real& mine = side(rows.swell[row - rows.first], second);
    if (mine != 0) put(e, 0, 0);
  }
  // Only this grain reads this side of the row, and where it touches nobody does: see `look`.
  TALUS_HD void put(u32 e, Real swell, Real push) const {
    const u32 row = incidence[e] >> 1, second = incidence[e] & 1u;
    const BulgeRows& rows = laws[law_of(row)];
    side(rows.swell[row - rows.first], second) = swell;
    side(trend[row], second) = push;
  }
  static_assert(sizeof(Sides) == 2 * sizeof(Real));
  template <class S>
  TALUS_HD static auto& side(S& sides, u32 second) {
    return reinterpret_cast<std::conditional_t<std::is_const_v<S>, const Real, Real>*>(&sides)[second];
  }

  // One contact after the other: on a device, and for grains with very many.
  TALUS_HD Real operator()(std::size_t i) const {
    constexpr u32 room = 20;
    Spot<D> near[room], c, k;
    u32 entry[room], count = 0;
    Vec2 squares{}, unused{};
    for (u32 e = start[i]; e < start[i + 1]; ++e) {
      if (!look(i, e, c, squares)) {
        forget(e);
        continue;
      }
      c.finish();
      if (count < room) near[count] = c, entry[count] = e;
      ++count;
    }
    const BulgeConstants q = constants[material[i]];
    const Real radius = moving[i].radius;
    Real most = 0;
    const auto at = [&](u32 e, const Spot<D>& here) {
      Real swell = 0, push = 0;
      const auto add = [&](const Spot<D>& from) {
        if (from.force == 0 && from.mode == 0) return;
        const Real each =
            kernel.couple(q, radius, ContactPair<Real>{dot(from.normal, here.normal), from.arm, here.arm});
        swell += each * from.force;
        push += each * from.mode;
      };
      if (count <= room) {
        for (u32 f = 0; f < count; ++f)
          if (entry[f] != e) add(near[f]);
      } else {
        for (u32 f = start[i]; f < start[i + 1]; ++f)
          if (f != e && look(i, f, k, unused)) k.finish(), add(k);
      }
      swell += here.self * here.force;
      push += here.self * here.mode;
      put(e, swell, push);
      most = max(most, swell);
    };
    if (count <= room) {
      for (u32 f = 0; f < count; ++f) at(entry[f], near[f]);
    } else {
      for (u32 e = start[i]; e < start[i + 1]; ++e)
        if (look(i, e, c, unused)) c.finish(), at(e, c);
    }
    mode_of_uid[uid[i]] = squares;
    return finite_or_infinity(most / radius);
  }

#if !defined(__CUDACC__)
  static constexpr int N = native_lanes;
  using Wide = Lanes<N>;
  static constexpr u32 most_spots = 24;

  // A grain's contacts, side by side: first those that are loaded, then the gaps, each in order of the partner's uid.
  struct Around {
    static constexpr u32 room = most_spots + 8;
    struct {
      alignas(64) Real normal[D][room], square[room], arm[room], force[room], mode[room], self[room];
    } at;
    Real push[most_spots][room];  // m/N, from a loaded contact to every place
    Real swell[room], trend[room];
    u32 entry[room], gap_entry[room];
    Spot<D> gaps[room];

    void set(u32 n, const Spot<D>& s, u32 e) {
      for (int d = 0; d < D; ++d) at.normal[d][n] = s.normal[d];
      at.square[n] = s.square;
      at.arm[n] = s.arm;
      at.force[n] = s.force;
      at.mode[n] = s.mode;
      at.self[n] = s.self;
      entry[n] = e;
    }
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
    for (std::size_t i = first; i < last; ++i)
      most = max(most, start[i + 1] - start[i] > most_spots ? (*this)(i) : one(i, around));
    return most;
  }

  // The same as above with the same bits, N contacts at a time, each coupling once: what k does to c is what c does to k.
  Real one(std::size_t i, Around& a) const {
    Spot<D> spot;
    u32 loaded = 0, open = 0;
    Vec2 squares{};
    for (u32 e = start[i]; e < start[i + 1]; ++e) {
      if (!look(i, e, spot, squares)) {
        forget(e);
      } else if (spot.force != 0 || spot.mode != 0) {
        a.set(loaded++, spot, e);
      } else {
        a.gaps[open] = spot;
        a.gap_entry[open++] = e;
      }
    }
    mode_of_uid[uid[i]] = squares;
    if (loaded == 0) {  // a rattler
      for (u32 g = 0; g < open; ++g) put(a.gap_entry[g], 0, 0);
      return 0;
    }
    for (u32 g = 0; g < open; ++g) a.set(loaded + g, a.gaps[g], a.gap_entry[g]);
    const u32 count = loaded + open;
    for (u32 c = count; c % N != 0; ++c) a.set(c, spare(), 0);  // lanes beyond the last: nobody looks at them
    for (u32 c = loaded / N * N; c < count; c += N) {           // those that touch know their normals
      Spot<D, Wide> here;
      for (int d = 0; d < D; ++d) here.normal[d] = run_of(a.at.normal[d] + c);
      here.square = run_of(a.at.square + c);
      here.finish();
      for (int d = 0; d < D; ++d) put_run(a.at.normal[d] + c, here.normal[d]);
    }
    const BulgeConstants q = constants[material[i]];
    const Real radius = moving[i].radius;
    const bool symmetric = kernel.is_symmetric(q);
    Wide number;
    for (int n = 0; n < N; ++n) number.v[n] = n;
    for (u32 k = 0; k < loaded; ++k) {
      Vec<D, Wide> from;
      for (int d = 0; d < D; ++d) from[d] = Wide(a.at.normal[d][k]);
      const Wide arm_k = Wide(a.at.arm[k]);
      for (u32 c = symmetric ? k / N * N : 0; c < count; c += N) {
        Vec<D, Wide> normal;
        for (int d = 0; d < D; ++d) normal[d] = run_of(a.at.normal[d] + c);
        const auto itself = number == Wide(Real(k) - Real(c));
        const Wide cosine = select(itself, Wide(0), dot(from, normal));
        const Wide each =
            select(itself, Wide(0), kernel.couple(q, radius, ContactPair<Wide>{cosine, arm_k, run_of(a.at.arm + c)}));
        put_run(a.push[k] + c, each);  // lanes before k in its own group come out the same again
        if (!symmetric) continue;
        for (u32 n = 0; n < N && c + n < loaded; ++n) a.push[c + n][k] = each.v[n];
      }
    }
    Real most = 0;
    for (u32 c = 0; c < count; c += N) {
      Wide swell = 0, push = 0;
      for (u32 k = 0; k < loaded; ++k) {
        const Wide each = run_of(a.push[k] + c);
        swell += each * Wide(a.at.force[k]);
        push += each * Wide(a.at.mode[k]);
      }
      put_run(a.swell + c, swell);
      put_run(a.trend + c, push);
    }
    for (u32 c = 0; c < count; ++c) {
      const Real here = a.swell[c] + a.at.self[c] * a.at.force[c];
      put(a.entry[c], here, a.trend[c] + a.at.self[c] * a.at.mode[c]);
      most = max(most, here);
    }
    return finite_or_infinity(most / radius);
  }
  static Spot<D> spare() {
    Spot<D> s{};
    s.square = 1;
    s.arm = 1;
    return s;
  }
#endif
};

// What an iteration takes of the step that the map would make: contacts that push one another away must not overshoot.
inline constexpr Real bulge_relaxation = 0.8;

struct Forget {
  Tally* tally;
  TALUS_HD void operator()(std::size_t) const { tally->swell = 0; }
};

// How the slowest mode of the map from forces to forces goes on. A mode is kept as it was over the size of the one before, so
// its size is the factor by which errors of forces change from pass to pass.
struct Contract {
  const Vec2* sum;  // of the squares of modes and forces
  Tally* tally;
  Real reach;
  TALUS_HD void operator()(std::size_t) const {
    Tally& t = *tally;
    const Real mode = std::sqrt(sum->x), force = std::sqrt(sum->y);
    const bool runs = mode > Real(1e-100);
    t.contraction = runs ? mode : Real(0);
    t.steepest = max(t.steepest, t.contraction);
    t.trend_scale = runs ? 1 / mode : Real(0);
    t.seed_scale =
        !runs && force > 0 ? Real(0.5) / force : Real(0);  // so that its first size, which means nothing, is below 1
    if (t.contraction > 1) t.status |= folded;
    if (!(t.swell <= reach)) t.status |= t.swell < HUGE_VAL ? short_reach : not_finite;
  }
};

struct ModeOf {
  Span<const Vec2> of_uid;
  TALUS_HD Vec2 operator()(std::size_t uid) const { return of_uid[uid]; }
};

// 4. Bulges from the forces of the last step, or of the iteration.
template <class Exec, int D>
void swell(const Model<D>& model, State<D>& state, Scratch<D>& s) {
  if constexpr (D == 3) {
    if (!model.bulge.acts()) return;
    const exec::Stage timed("bulge");
    with_kernel(model.bulge, [&]<class Kernel>(const Kernel& kernel) {
      const Bodies<D>& b = state.bodies;
      SwellGrain<D, Kernel> grain{kernel,
                                  {},
                                  s.incidence_start.span(),
                                  s.incidence.span(),
                                  s.marks.span(),
                                  s.trend.span(),
                                  s.trial.span(),
                                  s.moving.span(),
                                  b.material.span(),
                                  b.uid.span(),
                                  b.shape.span(),
                                  model.shapes.span(),
                                  model.bulge.constants.span(),
                                  s.bound.span(),
                                  s.mode_of_uid.span(),
                                  globals_of(state, s),
                                  model.bulge.reach,
                                  model.bulge.self_term};
      BoundGrain<D> most{{},
                         {},
                         grain.start,
                         grain.incidence,
                         grain.trial,
                         grain.moving,
                         grain.material,
                         grain.constants,
                         s.bound.span()};
      for_each_law([&]<std::size_t L>() {
        auto& rows = state.template rows_of<L>();
        most.loads[L] = rows.load.span();
        most.firsts[L] = s.index[L].first;
        grain.laws[L] = {rows.key.span(),  s.index[L].body_a.span(), s.index[L].body_b.span(),
                         rows.load.span(), rows.swell.span(),        s.index[L].first};
      });
      Exec::for_each(1, Forget{s.tally.data()});
      Exec::for_each(state.grains(), most);
      Exec::raise(state.grains(), grain, &s.tally.data()->swell);
    });
    Exec::sum_into(s.mode_of_uid.size(), ModeOf{s.mode_of_uid.span()}, s.mode_sum.data(), s.mode_parts);
    Exec::for_each(1, Contract{s.mode_sum.data(), s.tally.data(), model.bulge.reach});
  }
}

}  // namespace talus::dem
