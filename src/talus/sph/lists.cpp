#include <talus/sph/lists.hpp>

#include <algorithm>
#include <vector>

#include <talus/core/rng.hpp>
#include <talus/sph/pairs.hpp>
#include <talus/sph/reference.hpp>
#include <talus/sph/sites.hpp>
#include <talus/sph/spatial_order.hpp>

namespace talus::sph {
namespace {

using exec::Host;

constexpr Real grows = 1.1;  // lists by which much longer ask for a new order of particles

template <int D>
void reorder(State<D>& state, const Column<u32>& order) {
  Particles<D>::visit(state.particles, [&](const About&, auto& column) { permute<Host>(column, order); });
}

template <int D>
void shuffle(const Model<D>& model, State<D>& state) {  // tests: any order of particles must give the same bits
  Rng rng{model.options.random_rebuild_seed, u64(state.globals.step), 0};
  Column<u64> random(state.particles.size());
  for (auto& r : random) r = rng.bits();
  Column<u32> order;
  Host::sort_order(random.span(), order);
  reorder(state, order);
}

template <int D>
Column<u32> by_uid(const Particles<D>& p) {
  Column<u64> names(p.size());
  Host::for_each(p.size(), [&](std::size_t i) { names[i] = p.uid[i]; });
  Column<u32> order;
  Host::sort_order(names.span(), order);
  return order;
}

// One group of members and whoever is near any of them. Counts first, then fills in, sorted.
template <int D>
struct FindNear {
  GridView<D> grid;           // of those who are looked for
  Span<const u32> who;        // their numbers, as the grid has them
  Span<const Vec<D>> place;   // m, by number
  Span<const u32> name;       // what sorts them: uid; or empty: their number
  Span<const Vec<D>> member;  // m
  Nearest<D> nearest;
  Mat<D> inverse_h;
  Vec<D> far;  // m: two that are as far apart now may see each other across an edge later
  Real reach;
  Span<u32> start, partner;
  bool fill;

  using Wide = Lanes<native_lanes>;
  static constexpr u32 vectors = group_size / native_lanes;

  void operator()(std::size_t group) const {
    const std::size_t first = group * group_size;
    const Vec<D> base = member[first];
    Vec<D> low{}, high{};
    Vec<D, Wide> at[vectors];
    for (u32 n = 0; n < group_size; ++n) {
      const Vec<D>& x = member[min(first + n, member.size - 1)];
      const Vec<D> off = nearest(x - base);
      for (int k = 0; k < D; ++k) {
        low[k] = min(low[k], off[k]);
        high[k] = max(high[k], off[k]);
        number(at[n / native_lanes][k], int(n % native_lanes)) = x[k];
      }
    }
    const Vec<D> middle = Real(0.5) * (low + high);
    const Real around = Real(0.5) * length(high - low);
    const u32 begin = fill ? start[group] : 0;
    u32 next = begin;
    visit_around(grid, wrapped(base + middle, grid.cell, inverse_h), reach + around, [&](u32 site) {
      const u32 j = who[site];
      bool across = false;
      if (!is_near(at, place[j], across)) return;
      if (fill) partner[next] = across ? j | across_edge : j;
      ++next;
    });
    if (!fill) start[group] = next;  // some may be counted twice, in cells hardly wider than the reach
    else finish(group, begin, next);
  }

 private:
  bool is_near(const Vec<D, Wide> (&at)[vectors], const Vec<D>& x, bool& across) const {
    bool near = false;
    for (u32 v = 0; v < vectors; ++v) {
      const Vec<D, Wide> plain = at[v] - wide<Wide>(x), branch = nearest.any ? nearest(plain) : plain;
      near = near || any(dot(branch, branch) < Wide(reach * reach));
      if (nearest.any)
        for (int k = 0; k < D; ++k) across = across || any(max(plain[k], -plain[k]) > Wide(far[k]));
    }
    return near;
  }
  void finish(std::size_t group, u32 begin, u32 end) const {
    thread_local std::vector<u64> keys;
    keys.clear();
    for (u32 k = begin; k < end; ++k) {
      const u32 j = partner[k] & partner_bits;
      keys.push_back(u64(name.size > 0 ? name[j] : j) << 32 | partner[k]);
    }
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    for (std::size_t k = 0; k < keys.size(); ++k) partner[begin + k] = u32(keys[k]);
    start[group] = u32(begin + keys.size());  // its end, for now
  }
};

template <int D>
struct Finder {
  const Options<D>& o;
  const Cell<D>& cell;
  Real reach;

  // Lists of groups of members; `sites`: of those who are looked for.
  void make(Span<const Vec<D>> member, const Sites<D>& sites, Span<const Vec<D>> place, Span<const u32> name, GroupLists& out) const {
    const std::size_t groups = groups_of(member.size);
    out.start.assign(groups + 1, 0);
    out.partner.clear();
    if (member.size == 0 || place.size == 0) return;
    Vec<D> far;
    for (int k = 0; k < D; ++k) far[k] = cell.periodic[k] ? Real(0.5) * cell.h(k, k) - 2 * free_way(o) : Real(1e300);
    FindNear<D> find{sites.grid, sites.who.span(), place, name, member, Nearest<D>::of(cell), inverse(cell.h), far, reach, out.start.span(), {}, false};
    Host::for_each(groups, find, few_groups);
    out.partner.resize_unset(Host::scan(out.start.span()));
    find.partner = out.partner.span();
    find.fill = true;
    Column<u32> begin = out.start;
    Host::for_each(groups, find, few_groups);
    // Where entries were found twice the list has a hole: closed up.
    u32 to = 0;
    for (std::size_t g = 0; g < groups; ++g) {
      const u32 first = begin[g], end = out.start[g];
      if (to != first) std::copy(out.partner.data() + first, out.partner.data() + end, out.partner.data() + to);
      out.start[g] = to;
      to += end - first;
    }
    out.start[groups] = to;
    out.partner.resize(to);
  }
};

}  // namespace

template <int D>
Column<u32> spatial_order(const Cell<D>& cell, Span<const Vec<D>> place, Real width) {
  Column<u64> keys(place.size);
  const Mat<D> inverse_h = inverse(cell.h);
  constexpr int bits = D == 2 ? 31 : 20;
  const Real most = Real((1u << bits) - 1), half = Real(1u << (bits - 1));
  Host::for_each(place.size, [&](std::size_t i) {
    const Vec<D> x = wrapped(place[i], cell, inverse_h);
    Vec<D, u32> at;
    for (int k = 0; k < D; ++k) at[k] = u32(clamp(std::floor(x[k] / width) + half, Real(0), most));
    keys[i] = hilbert_number(at, bits);
  });
  Column<u32> order;
  Host::sort_order(keys.span(), order);
  return order;
}

template <int D>
void make_lists(const Options<D>& o, const Model<D>& model, State<D>& state, Scratch<D>& scratch) {
  Lists<D>& l = scratch.lists;
  Particles<D>& p = state.particles;
  const Cell<D>& cell = state.globals.cell;
  const Finder<D> finder{o, cell, (1 + skin) * o.support * o.spacing};
  if (model.options.random_rebuilds > 0) shuffle(model, state);
  const bool is_new = l.reference.size() != p.size() || model.options.random_rebuilds > 0;
  if (is_new || Real(l.particles.partner.size()) > grows * Real(l.ordered)) {
    reorder(state, spatial_order(cell, std::as_const(p.position).span(), o.spacing));
    l.ordered = 0;
  }
  const Span<const Vec<D>> places = p.position.span(), walls = scratch.boundary.position.span();
  const auto sites_of = [&](Span<const Vec<D>> place) {
    return place.size == 0 ? Sites<D>{} : sort_sites(cell, place.size, finder.reach, [&](std::size_t i) { return place[i]; });
  };
  const Sites<D> of_particles = sites_of(places), of_walls = sites_of(walls);
  finder.make(places, of_particles, places, p.uid.span(), l.particles);
  finder.make(places, of_walls, walls, {}, l.walls);
  finder.make(walls, of_particles, places, p.uid.span(), l.before);
  if (l.ordered == 0) l.ordered = l.particles.partner.size();
  l.by_uid = by_uid(p);
  if (o.has_total()) rank_reference(o, state, l.by_uid, scratch.reference);
  l.reference = p.position;
  l.valid = true;
}

#define TALUS_INSTANTIATE(D)                                                               \
  template Column<u32> spatial_order(const Cell<D>&, Span<const Vec<D>>, Real);            \
  template void make_lists(const Options<D>&, const Model<D>&, State<D>&, Scratch<D>&);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

}  // namespace talus::sph
