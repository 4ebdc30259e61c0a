// The kernel over grains of multi-contact models on the host: the same as grain_displacements.ipp with the same bits, several contacts at
// a time.
#pragma once
#include <cstring>

#include <talus/dem/grain_displacements.ipp>

namespace talus::dem {

template <int D, class Kernel>
struct DisplacementLanes : GrainDisplacements<D, Kernel> {
  using One = GrainDisplacements<D, Kernel>;
  using One::kernel, One::laws, One::start, One::body_rows, One::idle, One::activated, One::close, One::trend,
      One::trial, One::moving, One::material, One::uid, One::constants, One::bound, One::mode_of_uid, One::globals,
      One::sole, One::self_term, One::tangential, One::look, One::furthest_square, One::put, One::mark;

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
    Real displacement[most_spots + N], trend[most_spots + N];
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
      most = max(most, plain && !activated[i] && start[i + 1] - start[i] <= most_spots ? one(i, around) : One::operator()(i));
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
      const bool pushes = forces[body_rows[e].row() * stride] > 0;
      a.entry[loaded] = a.open[open] = e;
      loaded += pushes;
      open += !pushes;
    }
    for (u32 e = middle; e < last; ++e) a.open[open++] = e;
    if (loaded == 0) {  // a rattler
      for (u32 g = 0; g < open; ++g) put(body_rows[a.open[g]].entry, 0, 0), mark(body_rows[a.open[g]].entry, true);
      mode_of_uid[uid[i]] = {};
      return 0;
    }
    take_loads(i, loaded, a);
    const u32 gaps = take_gaps(i, open, a);
    const MultiContactConstants q = constants[material[i]];
    const Real radius = moving[i].radius;
    if (kernel.is_symmetric(q))
      half_ring(q, radius, loaded, a);
    else
      whole_ring(q, radius, loaded, a);
    auto* displacements = reinterpret_cast<Real*>(laws[sole].displacement.data);
    auto* trends = reinterpret_cast<Real*>(trend.data);
    Real most = 0, sum = 0;
    for (u32 c = 0; c < loaded; ++c) {
      displacements[a.entry[c]] = a.displacement[c];
      trends[a.entry[c]] = a.trend[c];
      most = max(most, a.displacement[c]);
      sum += a.displacement[c];
    }
    for (u32 g = 0; g < gaps; ++g) {
      const Spot<D, Wide> here = a.gap.spread(g);
      for (u32 k = 0; k < loaded; k += N) {
        const Wide each = couple(q, radius, a.loaded.at(k), here);
        put_run(a.displacement + k, each * run_of(a.force + k));
        put_run(a.trend + k, each * run_of(a.mode + k));
      }
      Real displacement = 0, push = 0;
      for (u32 k = 0; k < loaded; ++k) displacement += a.displacement[k], push += a.trend[k];
      displacements[a.gap_entry[g]] = displacement;
      trends[a.gap_entry[g]] = push;
      most = max(most, displacement);
      sum += displacement;
    }
    return std::abs(sum) < HUGE_VAL ? most / radius : Real(HUGE_VAL);  // one that is no number makes the sum none
  }
  Wide couple(const MultiContactConstants& q, Real radius, const Spot<D, Wide>& from, const Spot<D, Wide>& here) const {
    return kernel.couple(q, radius, ContactPair<Wide>{dot(from.normal, here.normal), from.arm, here.arm});
  }
  static void add(const Wide& each, const Wide& force, const Wide& mode, Wide& displacement, Wide& push) {
    displacement += each * force;
    push += each * mode;
  }

  // What loaded contacts do to one another when what k does to c is what c does to k: half of it is computed.
  void half_ring(const MultiContactConstants& q, Real radius, u32 n, Around& a) const {
    for (u32 c = 0; c < n; c += N) {
      const Spot<D, Wide> here = a.loaded.at(c);
      Wide displacement = 0, push = 0;
      for (u32 next = 1; next <= n / 2; ++next) {
        const Wide each = couple(q, radius, a.loaded.at(c + next), here);
        put_run(a.push[next] + c, each);
        add(each, run_of(a.force + c + next), run_of(a.mode + c + next), displacement, push);
      }
      put_run(a.displacement + c, displacement);
      put_run(a.trend + c, push);
    }
    for (u32 next = 1; next <= (n - 1) / 2; ++next)
      for (u32 c = 0; c < n; c += N) put_run(a.push[next] + n + c, run_of(a.push[next] + c));
    for (u32 c = 0; c < n; c += N) {
      Wide displacement = run_of(a.displacement + c), push = run_of(a.trend + c);
      for (u32 next = n / 2 + 1; next < n; ++next)
        add(run_of(a.push[n - next] + c + next), run_of(a.force + c + next), run_of(a.mode + c + next), displacement, push);
      put_run(a.displacement + c, displacement);
      put_run(a.trend + c, push);
    }
  }
  void whole_ring(const MultiContactConstants& q, Real radius, u32 n, Around& a) const {
    for (u32 c = 0; c < n; c += N) {
      const Spot<D, Wide> here = a.loaded.at(c);
      Wide displacement = 0, push = 0;
      for (u32 next = 1; next < n; ++next)
        add(couple(q, radius, a.loaded.at(c + next), here), run_of(a.force + c + next), run_of(a.mode + c + next),
            displacement, push);
      put_run(a.displacement + c, displacement);
      put_run(a.trend + c, push);
    }
  }

  // The loaded contacts, whose body rows are in a.entry; afterwards their entries are.
  void take_loads(std::size_t i, u32 n, Around& a) const {
    static_assert(sizeof(Load) == 8 * sizeof(Real) && D == 3);
    static constexpr Real signs[2] = {1, -1}, shares[2] = {0.5, 1};
    const Wide radius = moving[i].radius;
    const auto* loads = reinterpret_cast<const Real*>(laws[sole].load.data);
    for (u32 c = 0; c < n; c += N) {
      const Real* from[N];
      Wide sign, share, tried;
      for (u32 k = 0; k < N; ++k) {
        const BodyRow& m = body_rows[a.entry[min(c + k, n - 1)]];
        from[k] = loads + 8 * std::size_t(m.row());
        sign.v[k] = signs[m.second()];
        share.v[k] = shares[m.is_wall()];
        if (trial.size > 0) tried.v[k] = trial[m.row()];
      }
      LoadOf<Wide> load;
      load_four<N>(from, 0, load.normal[0], load.normal[1], load.normal[2], load.depth);
      load_four<N>(from, 4, load.skew, load.force, load.displacement, load.mode);
      if (trial.size > 0) load.force = tried;
      for (int d = 0; d < D; ++d) put_run(a.loaded.normal[d] + c, sign * load.normal[d]);
      put_run(a.loaded.arm + c, radius - load.depth + sign * load.skew);
      put_run(a.force + c, load.force);
      put_run(a.mode + c, load.mode);
      put_run(a.displacement + c, share * load.mode * load.mode);
      put_run(a.trend + c, share * load.force * load.force);
    }
    Vec2 squares{};
    for (u32 c = 0; c < n; ++c) {
      squares += Vec2{a.displacement[c], a.trend[c]};
      a.entry[c] = body_rows[a.entry[c]].entry;
    }
    mode_of_uid[uid[i]] = squares;
    for (u32 c = 0; c < n; c += N) {
      for (int d = 0; d < D; ++d) put_run(a.loaded.normal[d] + n + c, run_of(a.loaded.normal[d] + c));
      put_run(a.loaded.arm + n + c, run_of(a.loaded.arm + c));
      put_run(a.force + n + c, run_of(a.force + c));
      put_run(a.mode + n + c, run_of(a.mode + c));
    }
  }

  // Of the gaps whose body rows are in a.open those that displacements may close; their number.
  u32 take_gaps(std::size_t i, u32 n, Around& a) const {
    const Moving<D>& own = moving[i];
    const auto* displacements = reinterpret_cast<const Real*>(laws[sole].displacement.data);
    u32 found = 0;
    for (u32 g = 0; g < n; g += N) {
      const u32 here = min(u32(N), n - g);
      const Real* from[N];
      u32 entry[N];
      unsigned images = 0, walls = 0;
      Wide bounds, mine;
      for (u32 k = 0; k < N; ++k) {
        const BodyRow& m = body_rows[a.open[g + min(k, here - 1)]];
        entry[k] = m.entry;
        from[k] = reinterpret_cast<const Real*>(moving.data + m.partner());
        bounds.v[k] = bound[m.partner()];
        mine.v[k] = displacements[m.entry];
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
};

}  // namespace talus::dem
