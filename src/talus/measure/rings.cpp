#include <talus/measure/rings.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

#include <talus/geometry/shape.hpp>
#include <talus/measure/averages.hpp>
#include <talus/measure/porosity.hpp>

namespace talus::measure {
namespace {

// m^2, of what two discs have in common whose centres are so far apart.
Real lens(Real apart, Real a, Real b) {
  if (apart >= a + b) return 0;
  if (apart <= std::abs(a - b)) return pi * std::min(a, b) * std::min(a, b);
  const auto share = [&](Real mine, Real other) {
    return std::acos(std::clamp((apart * apart + mine * mine - other * other) / (2 * apart * mine), Real(-1), Real(1)));
  };
  const Real alpha = share(a, b), beta = share(b, a);
  return a * a * (alpha - std::sin(2 * alpha) / 2) + b * b * (beta - std::sin(2 * beta) / 2);
}

// m^3, of a ball about the origin below z.
Real cap(Real z, Real r) {
  const Real h = std::clamp(z + r, Real(0), 2 * r);
  return pi * h * h * (3 * r - h) / 3;
}

std::vector<u32> in_order(const State<3>& state) {  // of uids
  std::vector<u32> order(state.grains());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](u32 i, u32 j) { return state.bodies.uid[i] < state.bodies.uid[j]; });
  return order;
}

struct Place {
  Real away, height;
  Vec3 outwards;  // unit
};
Place place_of(const State<3>& state, const Rings& rings, u32 i) {
  const Vec3 from{state.bodies.position[i].x - rings.x, state.bodies.position[i].y - rings.y, 0};
  const Real away = length(from);
  return {away, state.bodies.position[i].z, away > 0 ? (1 / away) * from : Vec3{1, 0, 0}};
}

i32 layer_of(const Rings& rings, Real z) { return i32(std::floor((z - rings.low) / (rings.high - rings.low) * Real(rings.layers))); }

}  // namespace

Real Rings::volume(std::size_t ring) const {
  return pi * (edges[ring + 1] * edges[ring + 1] - edges[ring] * edges[ring]) * (high - low) / Real(layers);
}

Real volume_near_axis(Real away, Real height, Real ball, Real radius, Real low, Real high) {
  const Real from = std::clamp(low - height, -ball, ball), to = std::clamp(high - height, -ball, ball);
  if (!(to > from) || away - ball >= radius) return 0;
  if (away + ball <= radius) return cap(to, ball) - cap(from, ball);
  // Slices by Gauss's rule in the angle, z = r sin t, between the angles at which the cylinder begins to cut them, or to lie inside them.
  const Real begin = std::asin(from / ball), end = std::asin(to / ball);
  std::vector<Real> bounds{begin, end};
  for (const Real slice : {std::abs(radius - away), radius + away})
    if (slice < ball)
      for (const Real t : {-std::acos(slice / ball), std::acos(slice / ball)})
        if (t > begin && t < end) bounds.push_back(t);
  std::sort(bounds.begin(), bounds.end());
  constexpr Real node[] = {0.1488743389816312, 0.4333953941292472, 0.6794095682990244, 0.8650633666889845, 0.9739065285171717};
  constexpr Real weight[] = {0.2955242247147529, 0.2692667193099963, 0.2190863625159820, 0.1494513491505806, 0.0666713443086881};
  Real sum = 0;
  for (std::size_t p = 0; p + 1 < bounds.size(); ++p)
    for (int n = 0; n < 5; ++n)
      for (const Real side : {-1.0, 1.0}) {
        const Real half = (bounds[p + 1] - bounds[p]) / 2, slice = ball * std::cos(bounds[p] + half * (1 + side * node[n]));
        sum += half * weight[n] * slice * lens(away, slice, radius);
      }
  return sum;
}

std::vector<Real> porosities(const State<3>& state, const Rings& rings) {
  std::vector<Real> solid(rings.size(), 0);
  for (const u32 i : in_order(state)) {
    const Place at = place_of(state, rings, i);
    const Real r = state.globals.radius_scale * state.bodies.radius[i];
    const i32 first = std::max(layer_of(rings, at.height - r), 0), last = std::min(layer_of(rings, at.height + r), rings.layers - 1);
    for (i32 layer = first; layer <= last; ++layer) {
      const Real thick = (rings.high - rings.low) / Real(rings.layers), low = rings.low + Real(layer) * thick;
      Real inner = rings.edges[0] > 0 ? volume_near_axis(at.away, at.height, r, rings.edges[0], low, low + thick) : 0;
      for (std::size_t ring = 0; ring < rings.rings(); ++ring) {
        if (at.away - r >= rings.edges[ring + 1]) continue;
        const Real outer = volume_near_axis(at.away, at.height, r, rings.edges[ring + 1], low, low + thick);
        solid[rings.index(ring, std::size_t(layer))] += outer - inner;
        if (at.away + r <= rings.edges[ring + 1]) break;
        inner = outer;
      }
    }
  }
  for (std::size_t k = 0; k < solid.size(); ++k) solid[k] = 1 - solid[k] / rings.volume(k % rings.rings());
  return solid;
}

std::vector<Vec3> stresses(const Model<3>& model, const State<3>& state, const ContactList<3>& contacts, const Rings& rings,
                           const std::vector<Real>& porosity) {
  const std::vector<Mat3> of_grain = grain_stresses(model, state, contacts);
  std::vector<Vec3> sum(rings.size());
  std::vector<Real> volume(rings.size(), 0);
  for (const u32 i : in_order(state)) {
    if (!(state.bodies.inverse_mass[i] > 0)) continue;
    const Place at = place_of(state, rings, i);
    const i32 layer = layer_of(rings, at.height);
    const auto ring = std::upper_bound(rings.edges.begin(), rings.edges.end(), at.away) - rings.edges.begin();
    if (layer < 0 || layer >= rings.layers || ring == 0 || ring == std::ptrdiff_t(rings.edges.size())) continue;
    const Vec3 out = at.outwards, around{-out.y, out.x, 0};
    const Real v = grain_volume(model, state, i);
    const std::size_t k = rings.index(std::size_t(ring - 1), std::size_t(layer));
    sum[k] += v * Vec3{dot(out, of_grain[i] * out), dot(around, of_grain[i] * around), of_grain[i](2, 2)};
    volume[k] += v;
  }
  for (std::size_t k = 0; k < sum.size(); ++k) sum[k] = (volume[k] > 0 ? (1 - porosity[k]) / volume[k] : NAN) * sum[k];
  return sum;
}

}  // namespace talus::measure
