#include <talus/sph/lists.hpp>

#include <algorithm>

#include <talus/core/rng.hpp>
#include <talus/exec/host.hpp>
#include <talus/exec/whole_columns.hpp>
#include <talus/neighbours/grid.hpp>

namespace talus::sph {
namespace {

using exec::Host;

// Particles, then boundary particles, as balls of half the reach, in the order of the cells of a grid.
template <int D>
struct Sites {
  Column<Vec<D>> position;  // m, wrapped into the cell
  Column<Real> radius;      // m
  Column<u32> who;          // particle, or number of particles + boundary particle
  Column<u32> start;
  GridView<D> grid;
};

template <int D>
Vec<D> wrapped(const Vec<D>& x, const Cell<D>& cell, const Mat<D>& inverse_h) {
  const Vec<D> s = inverse_h * x;
  Vec<D, i32> periods{};
  for (int k = 0; k < D; ++k)
    if (cell.periodic[k]) periods[k] = i32(std::floor(s[k]));
  return x - cell.translation(periods);
}

template <int D>
void shuffle(const Model<D>& model, State<D>& state) {  // tests: any order of particles must give the same bits
  Rng rng{model.options.random_rebuild_seed, u64(state.globals.step), 0};
  Column<u64> random(state.particles.size());
  for (auto& r : random) r = rng.bits();
  Column<u32> order;
  Host::sort_order(random.span(), order);
  Particles<D>::visit(state.particles, [&](const About&, auto& column) { permute<Host>(column, order); });
}

template <int D>
Sites<D> sort_sites(State<D>& state, const Boundary<D>& boundary, Real reach) {
  const Cell<D>& cell = state.globals.cell;
  const Mat<D> inverse_h = inverse(cell.h);
  const std::size_t n = state.particles.size(), all = n + boundary.size();
  Sites<D> s;
  s.position.resize_unset(all);
  s.radius.assign(all, reach / 2);
  s.who.resize_unset(all);
  Host::for_each(all, [&](std::size_t i) {
    s.position[i] = wrapped(i < n ? state.particles.position[i] : boundary.position[i - n], cell, inverse_h);
    s.who[i] = u32(i);
  });
  const auto extents =
      Host::reduce<Extents<D>>(all, MeasureExtents<D>{s.position.span(), s.radius.span(), s.who.span(), inverse_h});
  const auto classes = Host::reduce<Classes>(all, CountClasses{s.radius.span(), extents.most, extents.least});
  s.grid = plan_grid<D>(cell, all, extents, classes, 1, 0);
  s.grid.position = s.position.span();
  s.grid.radius = s.radius.span();
  Column<u64> keys(all);
  Host::for_each(all, NumberCells<D>{s.grid, keys.span()});
  Column<u32> order;
  Host::sort_order(keys.span(), order);
  permute<Host>(s.position, order);
  permute<Host>(s.who, order);
  permute<Host>(keys, order);
  s.start.resize_unset(std::size_t(cells_of(s.grid)) + 1);
  Host::for_each(all + 1, FillStarts{keys.span(), s.start.span()});
  s.grid.position = s.position.span();
  s.grid.start = s.start.span();
  return s;
}

// Particles in the order in which the grid has them.
template <int D>
void reorder(State<D>& state, Sites<D>& s) {
  const std::size_t n = state.particles.size();
  Column<u32> order;
  for (u32& who : s.who)
    if (who < n) {
      order.push_back(who);
      who = u32(order.size() - 1);
    }
  Particles<D>::visit(state.particles, [&](const About&, auto& column) { permute<Host>(column, order); });
}

template <int D>
Column<u32> by_uid(const Particles<D>& p) {
  Column<u64> names(p.size());
  Host::for_each(p.size(), [&](std::size_t i) { names[i] = p.uid[i]; });
  Column<u32> order;
  Host::sort_order(names.span(), order);
  return order;
}

// Counts first, then fills in, sorted.
template <int D>
struct FindPartners {
  GridView<D> grid;
  Span<const u32> who, uid;
  Real reach;
  u32 particles;
  Span<u32> start, split, partner;      // of particles
  Span<u32> before, particle;           // of boundary particles
  bool fill;

  TALUS_HD void operator()(std::size_t site) const {
    const u32 me = who[site];
    if (me < particles)
      of_particle(me, grid.position[site]);
    else
      of_boundary(me - particles, grid.position[site]);
  }
  TALUS_HD void of_particle(u32 i, const Vec<D>& x) const {
    u32 mine = fill ? start[i] : 0, walls = 0;
    visit_around(grid, x, reach, [&](u32 k) {
      const u32 j = who[k];
      if (j == i) return;
      if (fill && j < particles) partner[mine] = j;
      mine += j < particles;
      walls += j >= particles;
    });
    if (!fill) {
      start[i] = mine + walls;
      return;
    }
    split[i] = mine;
    visit_around(grid, x, reach, [&](u32 k) {
      if (who[k] >= particles) partner[mine++] = who[k] - particles;
    });
    sort(partner.data + start[i], partner.data + split[i], uid.data);
    sort(partner.data + split[i], partner.data + mine, nullptr);
  }
  TALUS_HD void of_boundary(u32 b, const Vec<D>& x) const {
    u32 next = fill ? before[b] : 0;
    visit_around(grid, x, reach, [&](u32 k) {
      if (who[k] >= particles) return;
      if (fill) particle[next] = who[k];
      ++next;
    });
    if (fill)
      sort(particle.data + before[b], particle.data + next, uid.data);
    else
      before[b] = next;
  }
  // By name, or by number when there are no names. Lists are short.
  TALUS_HD static void sort(u32* first, u32* last, const u32* names) {
    for (u32* next = first; next < last; ++next) {
      const u32 value = *next, name = names ? names[value] : value;
      u32* at = next;
      for (; at > first && (names ? names[at[-1]] : at[-1]) > name; --at) *at = at[-1];
      *at = value;
    }
  }
};

}  // namespace

template <int D>
void make_lists(const Options<D>& o, const Model<D>& model, State<D>& state, Scratch<D>& scratch) {
  Lists<D>& l = scratch.lists;
  const Real reach = (1 + skin) * o.support * o.spacing;
  if (model.options.random_rebuilds > 0) shuffle(model, state);
  Sites<D> sites = sort_sites(state, scratch.boundary, reach);
  reorder(state, sites);
  const std::size_t n = state.particles.size(), m = scratch.boundary.size();
  l.start.assign(n + 1, 0);
  l.split.assign(n, 0);
  l.before.assign(m + 1, 0);
  FindPartners<D> find{sites.grid, sites.who.span(), state.particles.uid.span(), reach, u32(n),
                       l.start.span(), l.split.span(), {}, l.before.span(), {}, false};
  Host::for_each(n + m, find);
  l.partner.resize_unset(Host::scan(l.start.span()));
  l.particle.resize_unset(Host::scan(l.before.span()));
  find.partner = l.partner.span();
  find.particle = l.particle.span();
  find.fill = true;
  Host::for_each(n + m, find);
  l.by_uid = by_uid(state.particles);
  l.reference = state.particles.position;
  l.valid = true;
}

template void make_lists(const Options<2>&, const Model<2>&, State<2>&, Scratch<2>&);
template void make_lists(const Options<3>&, const Model<3>&, State<3>&, Scratch<3>&);

}  // namespace talus::sph
