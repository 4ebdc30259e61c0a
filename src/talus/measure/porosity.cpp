#include <talus/measure/porosity.hpp>

#include <algorithm>
#include <cmath>

#include <talus/geometry/shape_table.hpp>

namespace talus::measure {

// A disc sample of spheres (thickness D50) and one of true discs (per metre) both measure porosity by area.
template <int D>
Real grain_volume(const Model<D>& model, const State<D>& state, std::size_t i) {
  const Real scale = state.globals.radius_scale;
  if (is_ball(model.shapes[state.bodies.shape[i]])) return ball_volume<D>(scale * state.bodies.radius[i]);
  const Real density = model.materials[state.bodies.material[i]].density * model.options.density_scale;
  return scale * scale * (state.bodies.mass[i] / density);
}

namespace {

template <int D>
Real summed(const Model<D>& model, const State<D>& state) {
  std::vector<std::pair<u32, Real>> v;
  for (std::size_t i = 0; i < state.grains(); ++i) v.emplace_back(state.bodies.uid[i], grain_volume(model, state, i));
  std::sort(v.begin(), v.end());
  Real sum = 0;
  for (const auto& [uid, x] : v) sum += x;
  return sum;
}

}  // namespace

template <int D>
Real solid_volume(const Model<D>& model, const State<D>& state) {
  return summed(model, state) * (D == 2 ? model.options.thickness : 1);
}

template <int D>
Real porosity(const Model<D>& model, const State<D>& state, const WallView<D>& box) {
  return 1 - solid_volume(model, state) / box.volume();
}

Real shared_volume(Real r, Real big, Real d) {
  if (d >= r + big) return 0;
  const Real small = std::min(r, big);
  if (d <= std::abs(big - r)) return ball_volume<3>(small);
  const Real gap = r + big - d;
  return pi * gap * gap * (d * d + 2 * d * r - 3 * r * r + 2 * d * big + 6 * r * big - 3 * big * big) / (12 * d);
}

Real shared_area(Real r, Real big, Real d) {
  if (d >= r + big) return 0;
  if (d <= std::abs(big - r)) return ball_volume<2>(std::min(r, big));
  const Real x = (d * d + r * r - big * big) / (2 * d), y = d - x;
  return r * r * std::acos(std::clamp(x / r, -1.0, 1.0)) + big * big * std::acos(std::clamp(y / big, -1.0, 1.0)) -
         d * std::sqrt(std::max(r * r - x * x, 0.0));
}

namespace {

Real share_of(const Model<2>& model, const State<2>& state, std::size_t i, const Vec2& centre, Real radius) {
  const Bodies<2>& b = state.bodies;
  const Real scale = state.globals.radius_scale, shrink = 1 / scale;  // everything else is made smaller instead
  const Placement at = Placement::at(shrink * b.position[i], b.turn[i].x);
  const Circle circle{shrink * centre, shrink * radius};
  return scale * scale * overlap_area(model.outlines, model.shapes[b.shape[i]], b.radius[i], at, circle);
}
Real share_of(const Model<3>&, const State<3>&, std::size_t, const Vec3&, Real) { return 0; }

}  // namespace

template <int D>
Real porosity_in_ball(const Model<D>& model, const State<D>& state, const Vec<D>& centre, Real radius) {
  const Cell<D>& cell = state.globals.cell;
  const Mat<D> inverse_h = inverse(cell.h);
  std::vector<std::pair<u32, Real>> shares;
  for (std::size_t i = 0; i < state.grains(); ++i) {
    const Real r = state.globals.radius_scale * state.bodies.radius[i];
    const Vec<D> apart = state.bodies.position[i] - centre;
    const Vec<D> s = inverse_h * apart;
    Vec<D, i32> low{}, high{};
    for (int k = 0; k < D; ++k)
      if (cell.periodic[k]) {  // images that can reach the region
        const Real reach = (r + radius) / cell.width(k, inverse_h);
        low[k] = i32(std::ceil(-reach - s[k]));
        high[k] = i32(std::floor(reach - s[k]));
      }
    Real share = 0;
    Vec<D, i32> m = low;
    for (bool more = true; more;) {
      bool inside = true;
      for (int k = 0; k < D; ++k) inside = inside && m[k] <= high[k];
      if (inside) {
        const Real d = length(apart + cell.translation(m));
        if (d < r + radius && is_ball(model.shapes[state.bodies.shape[i]]))
          share += D == 3 ? shared_volume(r, radius, d) : shared_area(r, radius, d);
        else if (d < r + radius)
          share += share_of(model, state, i, centre - cell.translation(m), radius);
      }
      int k = 0;
      for (; k < D; ++k) {
        if (++m[k] <= high[k]) break;
        m[k] = low[k];
      }
      more = k < D;
    }
    if (share > 0) shares.emplace_back(state.bodies.uid[i], share);
  }
  std::sort(shares.begin(), shares.end());
  Real sum = 0;
  for (const auto& [uid, v] : shares) sum += v;
  return 1 - sum / ball_volume<D>(radius);
}

#define TALUS_INSTANTIATE(D)                                                    \
  template Real grain_volume(const Model<D>&, const State<D>&, std::size_t);    \
  template Real solid_volume(const Model<D>&, const State<D>&);                 \
  template Real porosity(const Model<D>&, const State<D>&, const WallView<D>&); \
  template Real porosity_in_ball(const Model<D>&, const State<D>&, const Vec<D>&, Real);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

}  // namespace talus::measure
