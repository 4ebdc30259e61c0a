#include <talus/sampling/profile.hpp>

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <talus/geometry/cell.hpp>

namespace talus::sampling {
namespace {

// Where two bodies of a contact meet.
template <int D>
struct Meeting {
  Vec<D> normal;  // from b to a
  Vec<D> place;   // m, in the middle of the overlap; on a wall its surface
  Real overlap, radius, mass;  // m, geometric; m, reduced; kg, reduced
};

template <int D>
Meeting<D> meeting(const State<D>& s, const Model<D>& model, const std::vector<u32>& index, const RowKey& key) {
  const Bodies<D>& b = s.bodies;
  const u32 i = index[key.a], j = index[key.b];
  const Real mass = 1 / (b.inverse_mass[i] + b.inverse_mass[j]), scale = s.globals.radius_scale, ri = scale * b.radius[i];
  const Vec<D> branch = b.position[i] - b.position[j] - s.globals.cell.translation(key.template image<D>());
  if (j >= s.grains()) {
    Surface<D> there = model.shapes[b.shape[j]].wall.at(branch);
    if (!b.closing.empty()) there.gap -= b.closing[j].way;
    return {there.normal, b.position[i] - there.gap * there.normal, ri - there.gap, ri, mass};
  }
  const Real rj = scale * b.radius[j];
  const NormalOverlap<D> m = touch_balls(branch, ri, rj);
  return {m.normal, b.position[i] - (ri - m.overlap / 2) * m.normal, m.overlap, ri * rj / (ri + rj), mass};
}

// The constants of a law between two bodies.
template <std::size_t L, int D>
const auto& constants_of(const Model<D>& model, const Bodies<D>& b, u32 i, u32 j) {
  const u32 slot = b.material[i] * model.pairs.materials + b.material[j];
  return std::get<L>(model.pairs.constants.of)[model.pairs.params[slot]];
}

// N, of the law's spring.
template <class Law, int D>
Real spring_force(const typename Law::Params& p, const Touch<D>& t) {
  typename Law::History none{};
  Audit<D> audit;
  return dot(Law::act(p, t, Slip<D>{{}, {}, 0, 0}, none, audit).force, t.normal);
}

template <class Law, int D>
void scale_row(const typename Law::Params& p, const Meeting<D>& at, Real share, Real& shift, typename Law::History& history) {
  Touch<D> touch{at.normal, at.overlap + shift, at.radius, at.mass};
  if (!(touch.overlap > 0)) return;  // it does not push
  const Real force = share * spring_force<Law>(p, touch);
  touch.overlap = force > 0 ? Law::overlap_at(p, at.radius, force) : Real(0);
  shift = touch.overlap - at.overlap;
  if (touch.overlap > 0)
    Law::scale(p, touch, share, history);
  else
    history = {};
}

template <class Table>
void add_rows(Table& rows, const std::vector<RowKey>& keys, u32 kept) {
  const std::size_t first = rows.size();
  if (keys.empty()) return;
  rows.resize(first + keys.size(), kept);
  std::copy(keys.begin(), keys.end(), rows.key.begin() + std::ptrdiff_t(first));
}

}  // namespace

template <int D>
std::string flaw_of_scaling(const Model<D>& model) {
  if (model.multi_contact.acts()) return "its grains bulge under the forces of their other contacts";
  std::string flaw;
  for_each_law([&]<std::size_t L>() {
    using Law = std::tuple_element_t<L, Laws<D>>;
    if (!ScalableLaw<Law> && std::get<L>(model.pairs.constants.of).size() > 0)
      flaw = fmt::format("the law {} does not say at which overlap it pushes with a force", Law::name);
  });
  return flaw;
}

template <int D>
State<D> list_contacts(State<D> sample, const Model<D>& model, const ContactList<D>& contacts) {
  for_each_law([&]<std::size_t L>() {
    auto& rows = sample.template rows_of<L>();
    std::vector<RowKey> known(rows.key.begin(), rows.key.end()), more;
    std::sort(known.begin(), known.end());
    for (const auto& c : contacts)
      if (c.law == L && !std::binary_search(known.begin(), known.end(), c.key)) more.push_back(c.key);
    add_rows(rows, more, model.kept_columns() | kept::shifts);
  });
  return sample;
}

template <int D>
State<D> scale_forces(State<D> sample, const Model<D>& model, const Profile& profile) {
  const std::vector<u32> index = index_by_uid(sample.bodies);
  for_each_law([&]<std::size_t L>() {
    using Law = std::tuple_element_t<L, Laws<D>>;
    if constexpr (ScalableLaw<Law>) {
      Rows<Law>& rows = sample.template rows_of<L>();
      rows.shift.resize(rows.size());
      for (std::size_t r = 0; r < rows.size(); ++r) {
        const RowKey& key = rows.key[r];
        const Meeting<D> at = meeting(sample, model, index, key);
        const auto& p = constants_of<L>(model, sample.bodies, index[key.a], index[key.b]);
        scale_row<Law>(p, at, profile.share_at(at.place[D - 1]), rows.shift[r], rows.history[r]);
        if (!rows.viscous.empty()) rows.viscous[r] = {};
      }
    }
  });
  for (std::size_t i = 0; i < sample.grains(); ++i) {
    sample.bodies.velocity[i] = {};
    sample.bodies.spin[i] = {};
  }
  return sample;
}

template <int D>
State<D> restore_overlaps(State<D> sample, const Model<D>& model, const ContactList<D>& of_cell, i64 copies) {
  const std::vector<u32> index = index_by_uid(sample.bodies);
  std::vector<std::pair<u64, Real>> known;  // uids of both, and how deep they overlap
  for (const auto& c : of_cell) known.emplace_back(c.key.bodies(), c.overlap);
  std::sort(known.begin(), known.end());
  for_each_law([&]<std::size_t L>() {
    auto& rows = sample.template rows_of<L>();
    rows.shift.resize(rows.size());
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const RowKey& key = rows.key[r];
      if (index[key.b] >= sample.grains() && key.b % copies != 0) continue;  // no wall of the cell
      const std::pair pair{RowKey{u32(key.a / copies), u32(key.b / copies)}.bodies(), Real(0)};
      const auto [first, last] = std::equal_range(known.begin(), known.end(), pair, [](const auto& p, const auto& q) { return p.first < q.first; });
      if (last - first == 1) rows.shift[r] = first->second - meeting(sample, model, index, key).overlap;
    }
  });
  return sample;
}

template <int D>
State<D> add_walls(State<D> sample, const State<D>& walls, Model<D>& model) {
  if (walls.bodies.size() == 0) return sample;
  Bodies<D>& b = sample.bodies;
  u32 next = 0;
  for (const u32 uid : b.uid) next = std::max(next, uid + 1);
  const std::size_t grains = sample.grains(), there = sample.walls;
  visit_both(b, walls.bodies, [&](const About&, auto& column, const auto& more) {
    if (column.empty()) return;
    column.resize(grains + walls.bodies.size());
    for (std::size_t w = there; w < more.size(); ++w) column[grains + w] = more[w];
  });
  for (std::size_t w = 0; w < model.walls.size(); ++w) {
    if (w >= there) b.uid[grains + w] = next + u32(w - there);
    b.shape[grains + w] = walls.bodies.shape[w];
    model.walls[w].uid = b.uid[grains + w];
  }
  sample.walls = walls.walls;
  return sample;
}

namespace {

// A grain and a wall.
template <int D>
struct Pressed {
  u32 grain, wall;
  Meeting<D> at;
  Real force = 0;  // N
};

template <int D>
std::vector<Pressed<D>> meetings_with(const State<D>& s, const Model<D>& model, std::size_t wall) {
  const std::vector<u32> index = index_by_uid(s.bodies);
  std::vector<Pressed<D>> out;
  const auto w = u32(s.grains() + wall);
  for (u32 i = 0; i < s.grains(); ++i) {
    const Meeting<D> at = meeting(s, model, index, RowKey::between(s.bodies.uid[i], s.bodies.uid[w], Vec<D, i32>{}));
    out.push_back({i, w, at});
  }
  return out;
}

template <int D>
State<D> press(State<D> sample, const Model<D>& model, const std::vector<Pressed<D>>& all) {
  const Bodies<D>& b = sample.bodies;
  for_each_law([&]<std::size_t L>() {
    using Law = std::tuple_element_t<L, Laws<D>>;
    if constexpr (ScalableLaw<Law>) {
      std::vector<RowKey> keys;
      std::vector<Real> shift;
      for (const Pressed<D>& p : all) {
        if (model.pairs.law[b.material[p.grain] * model.pairs.materials + b.material[p.wall]] != L) continue;
        keys.push_back(RowKey::between(b.uid[p.grain], b.uid[p.wall], Vec<D, i32>{}));
        const Real overlap = p.force > 0 ? Law::overlap_at(constants_of<L>(model, b, p.grain, p.wall), p.at.radius, p.force) : Real(0);
        shift.push_back(overlap - p.at.overlap);
      }
      Rows<Law>& rows = sample.template rows_of<L>();
      const std::size_t first = rows.size();
      add_rows(rows, keys, model.kept_columns() | kept::shifts);
      for (std::size_t k = 0; k < shift.size(); ++k) rows.shift[first + k] = shift[k];
    }
  });
  return sample;
}

// m^2, or m in the plane: of a wall that faces along an axis, or goes all around; 0 for others.
template <int D>
Real area_of(const Model<D>& model, const State<D>& s, std::size_t wall) {
  const Cell<D>& cell = s.globals.cell;
  const auto shape_of = [&](std::size_t w) { return model.shapes[s.bodies.shape[s.grains() + w]].wall; };
  const auto way = [&](std::size_t w) { return s.bodies.closing.empty() ? Real(0) : s.bodies.closing[s.grains() + w].way; };
  for (int k = 0; k < D; ++k)
    if (const Real girth = shape_of(wall).girth(k, way(wall)); girth > 0) return girth * cell.h(k, k);
  const int along = shape_of(wall).axis();
  if (along < 0) return 0;
  Real area = 1;
  for (int k = 0; k < D; ++k) area *= k == along ? Real(1) : cell.h(k, k);
  for (std::size_t w = 0; w < s.walls; ++w)
    if (const Real section = shape_of(w).section(along, way(w)); section > 0) area = section;
  return area;
}

}  // namespace

template <int D>
State<D> press_on_walls(State<D> sample, const Model<D>& model, Real force) {
  std::vector<Pressed<D>> all;
  for (std::size_t w = 0; w < sample.walls; ++w)
    for (Pressed<D> p : meetings_with(sample, model, w)) {
      if (!(p.at.overlap > 0)) continue;
      p.force = force;
      all.push_back(p);
    }
  return press(std::move(sample), model, all);
}

namespace {

// The wall behind which a place lies, the deepest; none: how many there are.
template <int D>
std::size_t wall_before(const State<D>& s, const Model<D>& model, std::size_t first, const Vec<D>& place) {
  std::size_t found = s.walls;
  Real deepest = 0;
  for (std::size_t w = first; w < s.walls; ++w) {
    const std::size_t body = s.grains() + w;
    const Real gap = model.shapes[s.bodies.shape[body]].wall.at(place - s.bodies.position[body]).gap;
    if (gap > deepest) continue;
    deepest = gap;
    found = w;
  }
  return found;
}

// N, on each grain, of the contacts that lay across a wall.
template <int D>
std::vector<std::vector<Vec<D>>> lost_at_walls(const State<D>& s, const Model<D>& model, const std::vector<LostContact<D>>& lost, std::size_t first) {
  std::vector<std::vector<Vec<D>>> force(s.walls);
  for (std::size_t w = first; w < s.walls; ++w) force[w].resize(s.grains());
  for (const LostContact<D>& c : lost)
    if (const std::size_t w = wall_before(s, model, first, c.partner); w < s.walls) force[w][c.grain] += c.force;
  return force;
}

}  // namespace

template <int D>
State<D> press_on_walls(State<D> sample, const Model<D>& model, const Mat<D>& stress, const std::vector<LostContact<D>>& lost, std::size_t first) {
  const auto force = lost_at_walls(sample, model, lost, first);
  std::vector<Pressed<D>> all;
  for (std::size_t w = first; w < sample.walls; ++w) {
    std::vector<Pressed<D>> there;
    Real sum = 0, normal_stress = 0;
    for (const Pressed<D>& p : meetings_with(sample, model, w)) {
      const Vec<D>& f = force[w][p.grain];
      there.push_back(p);
      there.back().force = max(dot(f, p.at.normal), Real(0));
      if (!(p.at.overlap > 0) && !(there.back().force > 0)) there.pop_back();
      else sum += there.back().force, normal_stress += there.back().force * dot(p.at.normal, stress * p.at.normal);
    }
    const Real share = sum > 0 ? normal_stress / sum * area_of(model, sample, w) / sum : Real(0);
    for (Pressed<D>& p : there) {
      p.force *= share;
      all.push_back(p);
    }
  }
  return press(std::move(sample), model, all);
}

#define TALUS_INSTANTIATE(D)                                                              \
  template std::string flaw_of_scaling(const Model<D>&);                                  \
  template State<D> list_contacts(State<D>, const Model<D>&, const ContactList<D>&);      \
  template State<D> scale_forces(State<D>, const Model<D>&, const Profile&);              \
  template State<D> restore_overlaps(State<D>, const Model<D>&, const ContactList<D>&, i64); \
  template State<D> add_walls(State<D>, const State<D>&, Model<D>&);                      \
  template State<D> press_on_walls(State<D>, const Model<D>&, Real);                       \
  template State<D> press_on_walls(State<D>, const Model<D>&, const Mat<D>&, const std::vector<LostContact<D>>&, std::size_t);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

}  // namespace talus::sampling
