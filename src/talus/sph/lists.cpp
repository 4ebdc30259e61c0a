#include <talus/sph/lists.hpp>

#include <algorithm>

#include <talus/core/rng.hpp>
#include <talus/sph/reference.hpp>
#include <talus/sph/sites.hpp>

namespace talus::sph {
namespace {

using exec::Host;

template <int D>
void shuffle(const Model<D>& model, State<D>& state) {  // tests: any order of particles must give the same bits
  Rng rng{model.options.random_rebuild_seed, u64(state.globals.step), 0};
  Column<u64> random(state.particles.size());
  for (auto& r : random) r = rng.bits();
  Column<u32> order;
  Host::sort_order(random.span(), order);
  Particles<D>::visit(state.particles, [&](const About&, auto& column) { permute<Host>(column, order); });
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
  const std::size_t n = state.particles.size(), m = scratch.boundary.size();
  Sites<D> sites = sort_sites(state.globals.cell, n + m, reach, [&](std::size_t i) {  // particles, then boundary particles
    return i < n ? state.particles.position[i] : scratch.boundary.position[i - n];
  });
  reorder(state, sites);
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
  if (o.has_total()) rank_reference(o, state, l.by_uid, scratch.reference);
  l.reference = state.particles.position;
  l.valid = true;
}

template void make_lists(const Options<2>&, const Model<2>&, State<2>&, Scratch<2>&);
template void make_lists(const Options<3>&, const Model<3>&, State<3>&, Scratch<3>&);

}  // namespace talus::sph
