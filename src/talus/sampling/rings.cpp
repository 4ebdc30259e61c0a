#include <talus/sampling/rings.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace talus::sampling {
namespace {

// One layer: how many balls from `first` on it takes, when all are given the room of the largest of the ring.
class Layer {
 public:
  Layer(const RingPlan& plan, const std::vector<Real>& radii, std::size_t first, Real bottom)
      : plan_(plan), radii_(radii), next_(first), bottom_(bottom) {}

  std::size_t fill(std::vector<Vec3>& places) {
    Real outside = plan_.radius;
    while (next_ < radii_.size() && ring(outside, places)) {
    }
    return next_;
  }
  Real top() const { return top_; }

 private:
  // Balls whose largest reaches to `outside`, which is then where the ring ends inside. False when there is no room.
  bool ring(Real& outside, std::vector<Vec3>& places) {
    // The largest among those that will lie in the ring is not known before their number is: add one after the other while all fit.
    std::size_t count = 0;
    Real largest = 0;
    for (std::size_t k = next_; k < radii_.size(); ++k) {
      const Real most = std::max(largest, plan_.spacing * radii_[k]);
      if (!fits(outside - most, most, count + 1)) break;
      largest = most;
      ++count;
    }
    if (count == 0) return false;
    const Real at = outside - largest;
    for (std::size_t k = 0; k < count; ++k) {
      const Real angle = 2 * pi * Real(k) / Real(count), r = count == 1 ? Real(0) : at;
      places.push_back(plan_.base + Vec3{r * std::cos(angle), r * std::sin(angle), bottom_ + largest});
    }
    next_ += count;
    top_ = std::max(top_, bottom_ + 2 * largest);
    outside = count == 1 ? 0 : at - largest;
    return true;
  }
  static bool fits(Real at, Real radius, std::size_t count) {
    if (at < 0) return false;
    if (count == 1) return true;
    return at * std::sin(pi / Real(count)) >= radius;
  }

  const RingPlan& plan_;
  const std::vector<Real>& radii_;
  std::size_t next_;
  Real bottom_, top_ = 0;
};

}  // namespace

std::vector<Vec3> place_in_rings(const RingPlan& plan, const std::vector<Real>& given) {
  std::vector<std::size_t> order(given.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t first = 0; first < order.size(); first += plan.batch)
    std::stable_sort(order.begin() + std::ptrdiff_t(first), order.begin() + std::ptrdiff_t(std::min(first + plan.batch, order.size())),
                     [&](std::size_t i, std::size_t j) { return given[i] > given[j]; });
  std::vector<Real> radii;
  for (const std::size_t k : order) radii.push_back(given[k]);
  std::vector<Vec3> places, out(given.size());
  Real bottom = 0;
  for (std::size_t next = 0; next < radii.size();) {
    Layer layer(plan, radii, next, bottom);
    const std::size_t after = layer.fill(places);
    if (after == next) return {};
    next = after;
    bottom = layer.top();
  }
  for (std::size_t k = 0; k < order.size(); ++k) out[order[k]] = places[k];
  return out;
}

}  // namespace talus::sampling
