#include <talus/sph/reference.hpp>

#include <algorithm>

#include <talus/sph/gradients.hpp>
#include <talus/sph/sites.hpp>

namespace talus::sph {
namespace {

using exec::Host;

// Counts first, then fills in. `part`, `origin`, `start`: by rank.
template <int D>
struct FindReference {
  GridView<D> grid;
  Span<const u32> who;
  Span<const Real> part;
  Span<const Vec<D>> origin;
  Nearest<D> nearest;
  matter::Wendland<D> kernel;
  Span<u32> start, partner;
  bool fill;

  void operator()(std::size_t site) const {
    const u32 me = who[site];
    if (!is_total(part[me])) return;
    u32 next = fill ? start[me] : 0;
    visit_around(grid, grid.position[site], kernel.support, [&](u32 k) {
      if (who[k] == me || part[who[k]] != part[me]) return;
      if (fill) partner[next] = who[k];
      ++next;
    });
    if (fill)
      std::sort(partner.data + start[me], partner.data + next);
    else
      start[me] = next;
  }
};

template <int D>
void find(const Options<D>& o, const State<D>& state, const Column<u32>& by_uid, Reference<D>& out) {
  const Particles<D>& p = state.particles;
  const std::size_t n = p.size();
  const std::vector<Real> parts = o.parts();
  Column<Real> part(n);
  Column<Vec<D>> origin(n);
  Column<Real> volume(n);
  for (std::size_t r = 0; r < n; ++r) {
    const u32 i = by_uid[r];
    part[r] = parts[p.body[i]];
    origin[r] = p.origin[i];
    volume[r] = p.mass[i] / o.matter[p.material[i]].volume.density;
  }
  const Sites<D> sites = sort_sites(state.globals.cell, n, o.kernel().support, [&](std::size_t r) { return origin[r]; });
  out.start.assign(n + 1, 0);
  const Nearest<D> nearest = Nearest<D>::of(state.globals.cell);
  FindReference<D> look{sites.grid, sites.who.span(), part.span(), origin.span(), nearest, o.kernel(), out.start.span(), {}, false};
  Host::for_each(n, look);
  out.partner.resize_unset(Host::scan(out.start.span()));
  look.partner = out.partner.span();
  look.fill = true;
  Host::for_each(n, look);
  out.correction.assign(n, Mat<D>::identity());
  Host::for_each(n, [&](std::size_t r) {
    Mat<D> places{};
    for (u32 k = out.start[r]; k < out.start[r + 1]; ++k) {
      const Vec<D> branch = nearest(origin[r] - origin[out.partner[k]]);
      places += (-volume[out.partner[k]] * o.kernel().slope(length(branch))) * outer(branch, branch);
    }
    if (is_total(part[r])) out.correction[r] = correction_of(places);
  });
}

}  // namespace

template <int D>
void rank_reference(const Options<D>& o, const State<D>& state, const Column<u32>& by_uid, Reference<D>& out) {
  if (out.start.size() != by_uid.size() + 1) find(o, state, by_uid, out);
  out.rank.resize_unset(by_uid.size());
  Host::for_each(by_uid.size(), [&](std::size_t r) { out.rank[by_uid[r]] = u32(r); });
}

template void rank_reference(const Options<2>&, const State<2>&, const Column<u32>&, Reference<2>&);
template void rank_reference(const Options<3>&, const State<3>&, const Column<u32>&, Reference<3>&);

}  // namespace talus::sph
