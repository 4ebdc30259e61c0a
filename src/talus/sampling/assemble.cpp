#include <talus/sampling/assemble.hpp>

namespace talus::sampling {

template <int D>
Real grain_mass(const Model<D>& model, Real radius, u32 material) {
  const Real volume = D == 2 && !model.options.spheres_in_plane ? ball_volume<2>(radius) : ball_volume<3>(radius);
  return model.materials[material].density * model.options.density_scale * volume;
}

template <int D>
void assemble(Model<D>& model, State<D>& state, const std::vector<Ball<D>>& balls,
              const std::vector<Plane<D>>& planes) {
  model.shapes.assign(1, Shape<D>{ShapeKind::ball, {}});
  model.walls.clear();
  model.drives.clear();
  Bodies<D>& b = state.bodies;
  b.resize(balls.size() + planes.size(), model.options.ledger);
  const Real gyration = D == 2 && !model.options.spheres_in_plane ? 0.5 : 0.4;  // inertia over m r^2
  for (std::size_t i = 0; i < b.size(); ++i) {
    const bool grain = i < balls.size();
    b.uid[i] = u32(i);
    b.force[i] = {};
    b.torque[i] = {};
    if (!b.work.empty()) b.work[i] = {};
    if (grain) {
      const Ball<D>& ball = balls[i];
      b.material[i] = ball.material;
      b.shape[i] = 0;
      b.position[i] = ball.position;
      b.velocity[i] = ball.velocity;
      b.spin[i] = model.options.rotation ? ball.spin : Spin<D>{};
      b.radius[i] = ball.radius;
      b.mass[i] = grain_mass(model, ball.radius, ball.material);
      b.inverse_mass[i] = 1 / b.mass[i];
      b.inverse_inertia[i] = model.options.rotation ? 1 / (gyration * b.mass[i] * ball.radius * ball.radius) : 0;
    } else {
      const Plane<D>& plane = planes[i - balls.size()];
      b.material[i] = plane.material;
      b.shape[i] = u32(model.shapes.size());
      model.shapes.push_back({ShapeKind::plane, (1 / length(plane.normal)) * plane.normal});
      model.walls.push_back({plane.name, b.uid[i]});
      model.drives.push_back(plane.drive);
      b.position[i] = plane.point;
      b.velocity[i] = {};
      b.spin[i] = {};
      b.radius[i] = b.mass[i] = b.inverse_mass[i] = b.inverse_inertia[i] = 0;
    }
  }
  state.walls = u32(planes.size());
}

template Real grain_mass(const Model<2>&, Real, u32);
template Real grain_mass(const Model<3>&, Real, u32);
template void assemble(Model<2>&, State<2>&, const std::vector<Ball<2>>&, const std::vector<Plane<2>>&);
template void assemble(Model<3>&, State<3>&, const std::vector<Ball<3>>&, const std::vector<Plane<3>>&);

}  // namespace talus::sampling
