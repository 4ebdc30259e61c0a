#include <talus/io/grain_values.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

#include <talus/measure/averages.hpp>

namespace talus {

std::vector<std::size_t> by_uid(const Column<u32>& uid, std::size_t count) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return uid[i] < uid[j]; });
  return order;
}

namespace {

// Axis times angle; q and -q are one turning: the shorter way.
Vec3 rotation_vector(const Quat& q) {
  const Vec3 v = q.vector();
  const Real s = length(v);
  if (!(s > 0)) return {};
  const Real angle = 2 * std::atan2(s, std::abs(q.w));
  return ((q.w < 0 ? -angle : angle) / s) * v;
}

// How far a grain has come since the test began. Its image is the one that is drawn.
template <int D>
Vec<D> displacement_of(const Moment<D>& seen, const Mat<D>& inverse_h, std::size_t i, std::size_t at) {
  const Vec<D> x = seen.state.bodies.position[i], periods = periods_of(seen.state.globals.cell, inverse_h, x);
  return x - seen.start.position[at] - (seen.state.globals.cell.h - seen.start.h) * periods;
}

template <int D>
Vec3 rotation_of(const Moment<D>& seen, std::size_t i, std::size_t at) {
  const Bodies<D>& b = seen.state.bodies;
  if constexpr (D == 2)
    return seen.start.turn.empty() ? Vec3{} : Vec3{0, 0, b.turn[i].x - seen.start.turn[at]};
  else
    return seen.start.orientation.empty() ? Vec3{} : rotation_vector(b.orientation[i] * seen.start.orientation[at].conjugate());
}

}  // namespace

template <int D>
GrainValues grain_values(const Moment<D>& seen, const std::vector<std::size_t>& order) {
  const Bodies<D>& b = seen.state.bodies;
  const std::vector<u32> touches = measure::contacts_of_bodies(seen.state, seen.contacts);
  const std::vector<Mat<D>> stress = measure::grain_stresses(seen.model, seen.state, seen.contacts);
  const Mat<D> inverse_h = inverse(seen.state.globals.cell.h);
  const bool turns = D == 2 ? !b.turn.empty() : !b.orientation.empty();
  const std::vector<u32>& known = seen.start.uid;
  GrainValues values;
  for (const std::size_t i : order) {
    values.coordination.push_back(touches[i]);
    values.mean_stress.push_back(float(trace(stress[i]) / D));
    const auto at = std::size_t(std::lower_bound(known.begin(), known.end(), b.uid[i]) - known.begin());
    const bool is_known = at < known.size() && known[at] == b.uid[i];
    append(values.displacement, is_known ? in_space(displacement_of(seen, inverse_h, i, at)) : Vec3{});
    if (turns) append(values.rotation, is_known ? rotation_of(seen, i, at) : Vec3{});
  }
  return values;
}

template GrainValues grain_values(const Moment<2>&, const std::vector<std::size_t>&);
template GrainValues grain_values(const Moment<3>&, const std::vector<std::size_t>&);

}  // namespace talus
