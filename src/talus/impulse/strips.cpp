#include <talus/impulse/strips.hpp>

#include <algorithm>
#include <cmath>

#include <talus/impulse/patch.hpp>
#include <talus/impulse/space_patch.hpp>

namespace talus::impulse {
namespace {

constexpr u32 bins = 1024;

// Places of things in order of their groups: `start` is made, then `order`.
void sort_by(const std::vector<u32>& group, u32 groups, std::vector<u32>& start, std::vector<u32>& order,
             std::vector<u32>& next) {
  start.assign(groups + 1, 0);
  for (const u32 g : group)
    if (g != Strips::none) ++start[g + 1];
  for (u32 g = 0; g < groups; ++g) start[g + 1] += start[g];
  next.assign(start.begin(), start.end() - 1);
  order.resize(start[groups]);
  for (std::size_t i = 0; i < group.size(); ++i)
    if (group[i] != Strips::none) order[next[group[i]]++] = u32(i);
}

}  // namespace

template <class Patch, class Motion>
void Strips::cut(const std::vector<Patch>& patches, const std::vector<Motion>& motions) {
  count = 1;
  while (patches.size() >= 2 * count * fewest) count *= 2;

  using Place = decltype(Patch::place);
  Place low, high;
  for (int k = 0; k < Place::size; ++k) low[k] = HUGE_VAL, high[k] = -HUGE_VAL;
  for (const Patch& p : patches)
    for (int k = 0; k < Place::size; ++k) {
      low[k] = min(low[k], p.place[k]);
      high[k] = max(high[k], p.place[k]);
    }
  int axis = 0;
  for (int k = 1; k < Place::size; ++k)
    if (!(high[k] - low[k] < high[axis] - low[axis])) axis = k;
  const Real scale = high[axis] > low[axis] ? Real(bins) / (high[axis] - low[axis]) : 0;

  // Bins of places, and which strip each bin belongs to.
  bin_.resize(patches.size());
  next_.assign(bins, 0);
  first_.assign(motions.size(), none);
  degree_.assign(motions.size(), 0);
  for (std::size_t i = 0; i < patches.size(); ++i) {
    const Patch& p = patches[i];
    const Real at = scale * (p.place[axis] - low[axis]);
    bin_[i] = u32(at < Real(bins) ? at : Real(bins - 1));
    ++next_[bin_[i]];
    for (const u32 body : {p.a, p.b}) {
      if (!moves(motions[body])) continue;
      first_[body] = std::min(first_[body], bin_[i]);
      ++degree_[body];
    }
  }
  for (u32 b = 0, before = 0; b < bins; ++b) {
    const u32 here = next_[b];
    next_[b] = u32(u64(before) * count / std::max<std::size_t>(patches.size(), 1));
    before += here;
  }
  of_body.assign(motions.size(), none);
  for (std::size_t i = 0; i < motions.size(); ++i)
    if (first_[i] != none) of_body[i] = next_[first_[i]];

  group_.resize(patches.size());
  for (std::size_t i = 0; i < patches.size(); ++i) {
    const Patch& p = patches[i];
    const u32 a = of_body[p.a], b = of_body[p.b], lower = std::min(a, b), upper = std::max(a, b);
    const bool crowded = degree_[p.a] > many || degree_[p.b] > many;
    group_[i] = crowded              ? left_over()
                : upper == none      ? inside(lower)
                : lower == upper     ? inside(lower)
                : upper == lower + 1 ? seam(lower)
                                     : left_over();
  }
  if (done_.size() < groups()) done_ = std::vector<exec::Milestone>(groups());
  sort_by(group_, groups(), start, order, next_);
  sort_by(of_body, count, body_start, bodies, next_);
}

template void Strips::cut(const std::vector<Patch>&, const std::vector<Motion>&);
template void Strips::cut(const std::vector<SpacePatch>&, const std::vector<SpaceMotion>&);

}  // namespace talus::impulse
