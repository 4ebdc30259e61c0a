#include <talus/report/decimate.hpp>

#include <algorithm>
#include <cmath>

namespace talus::report {
namespace {

// The points of [begin, end) that must stay.
void keep_extremes(const Curve& curve, std::size_t begin, std::size_t end, bool x_too, std::vector<std::size_t>& kept) {
  constexpr std::size_t none = static_cast<std::size_t>(-1);
  std::size_t low = none, high = none, left = none, right = none, gap = none;
  for (std::size_t i = begin; i < end; ++i) {
    if (!std::isfinite(curve.x[i]) || !std::isfinite(curve.y[i])) {
      gap = i;
      continue;
    }
    if (low == none || curve.y[i] < curve.y[low]) low = i;
    if (high == none || curve.y[i] > curve.y[high]) high = i;
    if (left == none || curve.x[i] < curve.x[left]) left = i;
    if (right == none || curve.x[i] > curve.x[right]) right = i;
  }
  std::vector<std::size_t> mine{low, high, gap};
  if (x_too) mine.insert(mine.end(), {left, right});
  std::sort(mine.begin(), mine.end());
  mine.erase(std::unique(mine.begin(), mine.end()), mine.end());
  for (const std::size_t i : mine)
    if (i != none) kept.push_back(i);
}

}  // namespace

Curve decimate(const Curve& curve, std::size_t limit) {
  const std::size_t count = std::min(curve.x.size(), curve.y.size());
  if (count <= limit || count < 8) return curve;

  const bool turns_back = !std::is_sorted(curve.x.begin(), curve.x.begin() + static_cast<std::ptrdiff_t>(count));
  const std::size_t stretches = std::max<std::size_t>(1, limit / (turns_back ? 4 : 2));
  std::vector<std::size_t> kept{0};
  for (std::size_t s = 0; s < stretches; ++s) {
    const std::size_t begin = 1 + s * (count - 2) / stretches, end = 1 + (s + 1) * (count - 2) / stretches;
    keep_extremes(curve, begin, end, turns_back, kept);
  }
  kept.push_back(count - 1);

  Curve out = curve;
  const auto pick = [&](const std::vector<double>& from, std::vector<double>& to) {
    if (from.empty()) return;
    to.clear();
    for (const std::size_t i : kept) to.push_back(from[i]);
  };
  pick(curve.x, out.x);
  pick(curve.y, out.y);
  pick(curve.low, out.low);
  pick(curve.high, out.high);
  return out;
}

}  // namespace talus::report
