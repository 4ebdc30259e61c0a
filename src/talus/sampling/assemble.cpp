#include <talus/sampling/assemble.hpp>

#include <algorithm>
#include <cmath>

namespace talus::sampling {

template <int D>
Real grain_mass(const Model<D>& model, Real radius, u32 material) {
  const Real volume = D == 2 && !model.options.spheres_in_plane ? ball_volume<2>(radius) : ball_volume<3>(radius);
  return model.materials[material].density * model.options.density_scale * volume;
}

template <int D>
void set_radius(const Model<D>& model, Bodies<D>& b, std::size_t i, Real radius) {
  const Real gyration = D == 2 && !model.options.spheres_in_plane ? 0.5 : 0.4;  // inertia over m r^2
  b.radius[i] = radius;
  b.mass[i] = grain_mass(model, radius, b.material[i]);
  b.inverse_mass[i] = 1 / b.mass[i];
  b.inverse_inertia[i] = model.options.rotation ? 1 / (gyration * b.mass[i] * radius * radius) : 0;
}

namespace {

// Room for so many bodies, of which the last are the walls.
template <int D>
void make_room(Model<D>& model, State<D>& state, std::size_t grains, const std::vector<PlacedWall<D>>& walls, u32 kept_too) {
  model.shapes.assign(1, Shape<D>{ShapeKind::ball, {}});
  model.outlines = {};
  model.hulls.clear();
  model.walls.clear();
  model.drives.clear();
  State<D>::visit_tables(state, [](const AboutTable&, auto& table) { table.clear(); });
  Bodies<D>& b = state.bodies;
  b.resize(grains + walls.size(), (model.options.ledger ? kept::ledger : 0) | kept_too);
  for (std::size_t i = 0; i < b.size(); ++i) b.uid[i] = u32(i);
  for (std::size_t w = 0; w < walls.size(); ++w) {
    const std::size_t i = grains + w;
    const PlacedWall<D>& wall = walls[w];
    b.material[i] = wall.material;
    b.shape[i] = u32(model.shapes.size());
    model.shapes.push_back({ShapeKind::wall, wall.shape});
    model.walls.push_back({wall.name, b.uid[i], wall.group});
    model.drives.push_back(wall.drive);
    b.position[i] = wall.position;
  }
  state.walls = u32(walls.size());
}

}  // namespace

template <int D>
void assemble(Model<D>& model, State<D>& state, const std::vector<Ball<D>>& balls,
              const std::vector<PlacedWall<D>>& walls) {
  make_room(model, state, balls.size(), walls, 0);
  Bodies<D>& b = state.bodies;
  for (std::size_t i = 0; i < balls.size(); ++i) {
    const Ball<D>& ball = balls[i];
    b.material[i] = ball.material;
    b.shape[i] = 0;
    b.position[i] = ball.position;
    b.velocity[i] = ball.velocity;
    b.spin[i] = model.options.rotation ? ball.spin : Spin<D>{};
    set_radius(model, b, i, ball.radius);
  }
}

void assemble(Model<2>& model, State<2>& state, const std::vector<Block>& blocks, const std::vector<PlacedWall<2>>& walls) {
  make_room(model, state, blocks.size(), walls, kept::turns);
  Bodies<2>& b = state.bodies;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const Block& block = blocks[i];
    const Real density = model.materials[block.material].density * model.options.density_scale;
    b.material[i] = block.material;
    b.shape[i] = u32(model.shapes.size());
    const auto parts = u32(block.compound.parts.size());
    model.shapes.push_back({ShapeKind::polygon,
                            {},
                            parts > 0 ? model.outlines.add(block.compound) : model.outlines.add(block.shape),
                            std::max(parts, 1u)});
    b.position[i] = block.position;
    b.velocity[i] = block.velocity;
    b.turn[i].x = block.angle;
    const bool turns = model.options.rotation && block.turns;
    b.spin[i].x = turns ? block.spin : 0;
    b.radius[i] = block.shape.reach;
    b.mass[i] = density * block.shape.area;
    b.inverse_mass[i] = 1 / b.mass[i];
    b.inverse_inertia[i] = turns ? 1 / (density * block.shape.second_moment) : 0;
  }
}

void assemble(Model<3>& model, State<3>& state, const std::vector<Hull>& hulls, const std::vector<Aggregate>& aggregates,
              const std::vector<PlacedWall<3>>& walls) {
  make_room(model, state, aggregates.size(), walls, kept::orientations);
  model.hulls = hulls;
  const auto first = u32(model.shapes.size());
  for (std::size_t k = 0; k < hulls.size(); ++k) model.shapes.push_back({ShapeKind::hull, {}, u32(k)});
  Bodies<3>& b = state.bodies;
  for (std::size_t i = 0; i < aggregates.size(); ++i) {
    const Aggregate& grain = aggregates[i];
    const Hull& hull = hulls[grain.hull];
    const Real density = model.materials[grain.material].density * model.options.density_scale;
    b.material[i] = grain.material;
    b.shape[i] = first + grain.hull;
    b.position[i] = grain.position;
    b.velocity[i] = grain.velocity;
    b.orientation[i] = grain.turning;
    b.radius[i] = grain.size * hull.reach;
    b.mass[i] = density * hull.volume * grain.size * grain.size * grain.size;
    b.inverse_mass[i] = 1 / b.mass[i];
    if (!model.options.rotation) continue;
    b.spin[i] = grain.spin;
    Real sum = 0;
    for (int k = 0; k < 3; ++k) {
      const Real moment = b.mass[i] * grain.size * grain.size * hull.moments[k];
      b.inverse_moments[i][k] = 1 / moment;
      sum += moment;
    }
    b.inverse_inertia[i] = 3 / sum;
  }
}

void push_sides(State<2>& state, Real load) {
  Bodies<2>& b = state.bodies;
  b.take_forces();
  if (state.grains() == 0) return;
  Vec2 low = b.position[0], high = b.position[0];
  Real smallest = b.radius[0];
  for (std::size_t i = 0; i < state.grains(); ++i) {
    for (int k = 0; k < 2; ++k) {
      low[k] = min(low[k], b.position[i][k]);
      high[k] = max(high[k], b.position[i][k]);
    }
    smallest = min(smallest, b.radius[i]);
  }
  for (const bool left : {true, false}) {
    std::vector<std::size_t> outer;
    for (std::size_t i = 0; i < state.grains(); ++i)
      if (std::abs(b.position[i].x - (left ? low.x : high.x)) < 1e-6 * smallest) outer.push_back(i);
    std::sort(outer.begin(), outer.end(), [&](auto i, auto j) { return b.position[i].y < b.position[j].y; });
    for (std::size_t k = 0; k < outer.size(); ++k) {
      const auto y = [&](std::size_t n) { return b.position[outer[n]].y; };
      const Real from = k == 0 ? low.y : (y(k - 1) + y(k)) / 2;
      const Real to = k + 1 == outer.size() ? high.y : (y(k) + y(k + 1)) / 2;
      b.applied[outer[k]].x += (left ? load : -load) * (to - from);
    }
  }
}

template Real grain_mass(const Model<2>&, Real, u32);
template Real grain_mass(const Model<3>&, Real, u32);
template <int D>
std::vector<Real> diameters_of(const State<D>& state) {
  std::vector<std::pair<u32, Real>> sizes;
  for (std::size_t i = 0; i < state.grains(); ++i) sizes.emplace_back(state.bodies.uid[i], 2 * state.bodies.radius[i]);
  std::sort(sizes.begin(), sizes.end());
  std::vector<Real> out;
  for (const auto& [uid, diameter] : sizes) out.push_back(diameter);
  return out;
}

template std::vector<Real> diameters_of(const State<2>&);
template std::vector<Real> diameters_of(const State<3>&);
template void set_radius(const Model<2>&, Bodies<2>&, std::size_t, Real);
template void set_radius(const Model<3>&, Bodies<3>&, std::size_t, Real);
template void assemble(Model<2>&, State<2>&, const std::vector<Ball<2>>&, const std::vector<PlacedWall<2>>&);
template void assemble(Model<3>&, State<3>&, const std::vector<Ball<3>>&, const std::vector<PlacedWall<3>>&);

}  // namespace talus::sampling
