#include <talus/impulse/hull_patches.hpp>

#include <algorithm>

#include <talus/exec/host.hpp>
#include <talus/exec/timers.hpp>
#include <talus/geometry/coat_section.hpp>
#include <talus/geometry/shape_table.hpp>
#include <talus/impulse/elastic.hpp>

namespace talus::impulse {
namespace {

using exec::Host;

void place_hulls(const Model<3>& model, const State<3>& state, HullScratch& s) {
  const Bodies<3>& b = state.bodies;
  std::vector<std::size_t> corner(state.grains() + 1, 0), normal(state.grains() + 1, 0);
  const auto hull_of = [&](std::size_t i) -> const Hull& { return model.hulls[model.shapes[b.shape[i]].outline]; };
  for (std::size_t i = 0; i < state.grains(); ++i) {
    corner[i + 1] = corner[i] + hull_of(i).corners.size();
    normal[i + 1] = normal[i] + hull_of(i).normals.size();
  }
  s.corners.resize(corner.back());
  s.normals.resize(normal.back());
  s.placed.resize(state.grains());
  Host::for_each(state.grains(), [&](std::size_t i) {
    const Hull& hull = hull_of(i);
    const Real size = state.globals.radius_scale * b.radius[i] / hull.reach;
    s.placed[i] = place(hull, size, b.orientation[i], b.position[i], s.corners.data() + corner[i], s.normals.data() + normal[i]);
  });
}

HullManifold manifold_of(const Model<3>& model, const State<3>& state, const HullScratch& s, std::size_t row, Real coat, Real skin) {
  const Bodies<3>& bodies = state.bodies;
  const std::size_t a = s.pairs.body_a[row], b = s.pairs.body_b[row];
  const Shape<3>& other = model.shapes[bodies.shape[b]];
  const Real reach = s.reach[a] + s.reach[b];
  if (pairing_of(model.shapes[bodies.shape[a]], other) == Pairing::wall)
    return wall_manifold(s.placed[a], other.wall, bodies.position[b], bodies.orientation[b], reach + skin, coat);
  return find_manifold(s.placed[a], s.placed[b], reach + 2 * skin, 2 * coat);
}

// Where the coats of a pair meet: between the nearest points of the two, as large as the section that both have there.
CoatContact coat_contact(const State<3>& state, const HullScratch& s, std::size_t row, const CoatSize& size) {
  const Real coat = size.thickness;
  const std::size_t a = s.pairs.body_a[row], b = s.pairs.body_b[row];
  const bool wall = b >= state.grains();
  const HullContact& nearest = s.made[row].nearest;
  CoatContact c;
  c.touch.thickness = wall ? coat : 2 * coat;
  c.touch.overlap = c.touch.thickness - nearest.gap;
  if (!(c.touch.overlap > 0)) return c;
  c.touch.normal = nearest.normal;
  const Real mass = state.bodies.inverse_mass[a] + state.bodies.inverse_mass[b];
  c.touch.mass = mass > 0 ? 1 / mass : HUGE_VAL;
  const CommonSection section = wall ? section_of(s.placed[a], coat, nearest.at, nearest.normal)
                                     : common_section(s.placed[a], coat, s.placed[b], coat, nearest.at, nearest.normal);
  c.touch.area = size.area > 0 ? size.area : section.area;
  c.at = section.centre;
  return c;
}

// The law of the pair instead of what is said of rigid points. A quarter of a spring for each: four points carry a face. The impulse of the step before is there, and
// friction of that is what the shear spring holds.
void make_elastic(const Model<3>& model, const State<3>& state, SpacePatch& p) {
  constexpr Real share = 0.25;
  const Bodies<3>& b = state.bodies;
  const Real dt = state.globals.dt;
  PatchTouch<3> touch{};
  touch.normal = p.axis[0];
  touch.overlap = -p.gap;
  touch.mass = reduced(b.inverse_mass[p.a] > 0 ? b.mass[p.a] : 0, b.inverse_mass[p.b] > 0 ? b.mass[p.b] : 0);
  const Vec3 shear = (1 / (share * dt)) * (p.impulse.y * p.axis[1] + p.impulse.z * p.axis[2]);
  const Soft<3> soft = soften<3>(model.pairs, b.material[p.a] * model.pairs.materials + b.material[p.b], touch, {dt, 0, state.globals.friction_scale}, {}, shear);
  const ElasticRow along = elastic_row(soft.a, soft.b, share * dt);
  p.bias.x = along.bias;
  p.softness.x = along.softness;
  if (!(soft.slip > 0)) {  // a law without shear stiffness: no friction
    if (soft.b > 0) p.friction = 0;
    return;
  }
  for (int k = 1; k < 3; ++k) {
    const ElasticRow across = elastic_row(dot(soft.shear, p.axis[k]), soft.slip, share * dt);
    p.bias[k] = across.bias;
    p.softness[k] = across.softness;
  }
}

// One row of the list that has points.
struct Making {
  const Model<3>& model;
  const State<3>& state;
  HullScratch& s;
  const Real skin;  // m
  const StepOptions& options;

  void operator()(std::size_t n) const {
    const std::size_t row = s.rows[n], a = s.pairs.body_a[row], b = s.pairs.body_b[row];
    const HullManifold& m = s.made[row];
    const Bodies<3>& bodies = state.bodies;
    const PairCoefficients& pair = model.pairs.coefficients[bodies.material[a] * model.pairs.materials + bodies.material[b]];
    for (int k = 0; k < m.count; ++k) {
      const HullContact& point = m.point[k];
      SpacePatch& p = s.patches[s.start[n] + u32(k)];
      p = {};
      p.a = u32(a);
      p.b = u32(b);
      p.set_frame(point.normal, point.at - bodies.position[a], point.at - bodies.position[b]);
      p.gap = point.gap - (b < state.grains() ? 2 * skin : skin);
      p.place = point.at;
      p.friction = state.globals.friction_scale * pair.friction;
      // As they move when the step begins, without what gravity adds in it; else a body at rest would rebound from its weight.
      const PatchVec before = p.velocities(at_start(options, state, a), at_start(options, state, b));
      p.bias.x = max(p.gap, Real(0)) / state.globals.dt + pair.restitution * min(before.x, Real(0));
      s.names[s.start[n] + u32(k)] = point.name;
    }
    recall(n);
    for (u32 k = s.start[n]; options.elastic && k < s.start[n + 1]; ++k) make_elastic(model, state, s.patches[k]);
  }

  // Impulses of the step before, for points that have kept their names.
  void recall(std::size_t n) const {
    const HullPatches& old = state.hull_patches;
    const RowKey& key = s.pairs.key[s.rows[n]];
    const auto k = std::size_t(std::lower_bound(old.key.begin(), old.key.end(), key) - old.key.begin());
    if (!(k < old.size() && old.key[k] == key)) return;
    if (!s.coat_contacts.empty()) s.coat_contacts[n].memory = old.coat[k];
    for (u32 i = s.start[n]; i < s.start[n + 1]; ++i)
      for (u32 j = 0; j < old.points[k]; ++j)
        if (s.names[i] == old.name[k].at[j]) set_impulse(s.patches[i], old.impulse[k].at[j]);
    if (options.elastic || !s.coat_contacts.empty()) hand_on(n, k);
  }
  // An elastic contact, as all beside coats are: its push must not be lost when another feature takes it over. A new point has that of the nearest old one
  // that has gone.
  void hand_on(std::size_t n, std::size_t k) const {
    const HullPatches& old = state.hull_patches;
    const auto still_there = [&](u32 name) {
      return std::find(s.names.begin() + s.start[n], s.names.begin() + s.start[n + 1], name) != s.names.begin() + s.start[n + 1];
    };
    bool given[OfPoints<u32>::most]{};
    for (u32 j = 0; j < old.points[k]; ++j) given[j] = still_there(old.name[k].at[j]);
    for (u32 i = s.start[n]; i < s.start[n + 1]; ++i) {
      const auto* names = old.name[k].at;
      if (std::find(names, names + old.points[k], s.names[i]) != names + old.points[k]) continue;
      u32 nearest = old.points[k];
      Real least = HUGE_VAL;
      for (u32 j = 0; j < old.points[k]; ++j) {
        const Real apart = given[j] ? HUGE_VAL : length(s.patches[i].place - old.place[k].at[j]);
        if (apart < least) least = apart, nearest = j;
      }
      if (nearest == old.points[k]) return;
      given[nearest] = true;
      set_impulse(s.patches[i], old.impulse[k].at[nearest]);
    }
  }
  // Along the axes as they are now; friction within its bound.
  static void set_impulse(SpacePatch& p, const Vec3& impulse) {
    p.impulse = {max(dot(p.axis[0], impulse), Real(0)), dot(p.axis[1], impulse), dot(p.axis[2], impulse)};
    const Real across = std::sqrt(p.impulse.y * p.impulse.y + p.impulse.z * p.impulse.z), bound = p.friction * p.impulse.x;
    if (across > bound) p.impulse = {p.impulse.x, bound / across * p.impulse.y, bound / across * p.impulse.z};
  }
};

}  // namespace

void make_patches(const Model<3>& model, const StepOptions& options, const State<3>& state, HullScratch& s, const CoatSize& size, Real skin) {
  const exec::Stage timed("touch");
  const Real coat = size.thickness;
  place_hulls(model, state, s);
  s.made.resize(s.pairs.key.size());
  Host::for_each(s.made.size(), [&](std::size_t row) { s.made[row] = manifold_of(model, state, s, row, coat, skin); });
  s.rows.clear();
  s.start.assign(1, 0);
  for (std::size_t row = 0; row < s.made.size(); ++row)
    if (s.made[row].count > 0 || (coat > 0 && s.made[row].nearest.gap < HUGE_VAL)) {
      s.rows.push_back(u32(row));
      s.start.push_back(s.start.back() + u32(s.made[row].count));
    }
  s.patches.resize(s.start.back());
  s.names.resize(s.start.back());
  s.coat_contacts.resize(coat > 0 ? s.rows.size() : 0);
  Host::for_each(s.coat_contacts.size(), [&](std::size_t n) { s.coat_contacts[n] = coat_contact(state, s, s.rows[n], size); });
  Host::for_each(s.rows.size(), Making{model, state, s, skin, options});
}

}  // namespace talus::impulse
