#include <talus/sampling/placement.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace talus::sampling {

template <int D>
std::vector<Vec<D>> random_points(const Cell<D>& cell, std::size_t count, u64 seed) {
  Rng rng{seed, 0x9051710, 0};
  std::vector<Vec<D>> points(count);
  for (auto& p : points) {
    Vec<D> s;
    for (int k = 0; k < D; ++k) s[k] = rng.uniform();
    p = cell.h * s;
  }
  return points;
}

namespace {

// What is placed so far, in bins as wide as the largest diameter, wider where few grains lie in a large cell; orthogonal cells
// only (a fresh sample is never sheared).
template <int D>
class Bins {
 public:
  Bins(const Cell<D>& cell, Real wide, std::size_t grains) : cell_(cell) {
    const Real most = std::pow(4 * Real(grains) + 64, Real(1) / D);  // along an edge
    Real volume = 1;
    for (int k = 0; k < D; ++k) volume *= cell.h(k, k) / wide;
    const bool sparse = volume > std::pow(most, D);
    std::size_t total = 1;
    for (int k = 0; k < D; ++k) {
      const Real fit = cell.h(k, k) / wide;
      bins_[k] = std::max(1, int(sparse ? std::min(fit, most) : fit));
      total *= std::size_t(bins_[k]);
    }
    placed_.resize(total);
  }
  void add(const Vec<D>& x, Real radius) { placed_[number(bin_of(x))].push_back({x, radius}); }
  // Does a ball there overlap none of those placed? Looks into its bin and those around it.
  bool is_free(const Vec<D>& x, Real radius) const {
    const Vec<D, i32> c = bin_of(x);
    Vec<D, i32> o;
    for (int k = 0; k < D; ++k) o[k] = -1;
    for (int k = 0; k < D;) {
      if (overlaps(x, radius, c, o)) return false;
      for (k = 0; k < D; ++k) {
        if (++o[k] <= 1) break;
        o[k] = -1;
      }
    }
    return true;
  }

 private:
  struct Placed {
    Vec<D> x;
    Real radius;
  };
  std::size_t number(const Vec<D, i32>& c) const {
    std::size_t n = 0;
    for (int k = D - 1; k >= 0; --k) n = n * std::size_t(bins_[k]) + std::size_t(c[k]);
    return n;
  }
  Vec<D, i32> bin_of(const Vec<D>& x) const {
    Vec<D, i32> c;
    for (int k = 0; k < D; ++k) c[k] = std::clamp(int(x[k] / cell_.h(k, k) * bins_[k]), 0, bins_[k] - 1);
    return c;
  }
  // With one in the bin that is `o` away from c?
  bool overlaps(const Vec<D>& x, Real radius, const Vec<D, i32>& c, const Vec<D, i32>& o) const {
    Vec<D, i32> d;
    Vec<D> shift{};
    for (int k = 0; k < D; ++k) {
      d[k] = c[k] + o[k];
      if (d[k] >= 0 && d[k] < bins_[k]) continue;
      if (!cell_.periodic[k]) return false;
      shift[k] = d[k] < 0 ? -cell_.h(k, k) : cell_.h(k, k);
      d[k] = (d[k] + bins_[k]) % bins_[k];
    }
    for (const Placed& other : placed_[number(d)]) {
      const Vec<D> apart = x - (other.x + shift);
      const Real reach = radius + other.radius;
      if (dot(apart, apart) < reach * reach) return true;
    }
    return false;
  }

  const Cell<D>& cell_;
  Vec<D, i32> bins_;
  std::vector<std::vector<Placed>> placed_;
};

}  // namespace

template <int D>
std::vector<Vec<D>> points_without_overlap(const Cell<D>& cell, const std::vector<Real>& radii, u64 seed,
                                           const std::vector<std::pair<Vec<D>, Real>>& taken, const Within<D>& within) {
  std::vector<std::size_t> order(radii.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::stable_sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return radii[i] > radii[j]; });
  std::vector<Vec<D>> points(radii.size());
  if (radii.empty()) return points;
  Real wide = 2 * radii[order.front()];
  for (const auto& [x, r] : taken) wide = std::max(wide, 2 * r);
  Bins<D> bins(cell, wide, radii.size() + taken.size());
  for (const auto& [x, r] : taken) bins.add(x, r);
  Rng rng{seed, 0xa9a27, 0};
  for (std::size_t done = 0; done < order.size(); ++done) {
    const std::size_t i = order[done];
    bool placed = false;
    for (int attempt = 0; attempt < 20000 && !placed; ++attempt) {
      for (int k = 0; k < D; ++k) {
        const Real margin = cell.periodic[k] ? 0 : radii[i];
        points[i][k] = rng.uniform(margin, cell.h(k, k) - margin);
      }
      placed = within.holds(points[i], radii[i]) && bins.is_free(points[i], radii[i]);
    }
    if (!placed) {
      points.resize(done);
      return points;
    }
    bins.add(points[i], radii[i]);
  }
  return points;
}

template <int D>
FixedPoints<D> fixed_points(const Cell<D>& cell, std::size_t count, u64 seed) {
  Vec<D, i32> along;
  const Real edge = std::pow(cell.volume() / Real(count), Real(1) / D);
  const auto total = [&] {
    std::size_t n = 1;
    for (int k = 0; k < D; ++k) n *= std::size_t(along[k]);
    return n;
  };
  for (int k = 0; k < D; ++k) along[k] = std::max(1, i32(cell.h(k, k) / edge));
  while (total() < count) {
    int widest = 0;
    for (int k = 1; k < D; ++k)
      if (cell.h(k, k) / along[k] > cell.h(widest, widest) / along[widest]) widest = k;
    ++along[widest];
  }
  FixedPoints<D> out{std::vector<Vec<D>>(total()), HUGE_VAL};
  for (std::size_t n = 0; n < out.points.size(); ++n) {
    std::size_t rest = n;
    for (int k = 0; k < D; ++k) {
      out.points[n][k] = (Real(rest % std::size_t(along[k])) + Real(0.5)) * cell.h(k, k) / along[k];
      rest /= std::size_t(along[k]);
    }
  }
  for (int k = 0; k < D; ++k) out.apart = std::min(out.apart, cell.h(k, k) / along[k]);
  Rng rng{seed, 0xf17ed, 0};
  for (std::size_t n = out.points.size(); n > 1; --n) std::swap(out.points[n - 1], out.points[rng.below(n)]);
  out.points.resize(count);
  return out;
}

template <int D>
Lattice<D> lattice(const std::string& kind, Real spacing, const Vec<D, i32>& repeats) {
  Lattice<D> out;
  Vec<D> edge;
  std::vector<Vec<D>> base{Vec<D>{}};
  if constexpr (D == 3) {
    const Real a = kind == "sc" ? spacing : kind == "bcc" ? 2 * spacing / std::sqrt(3.0) : std::sqrt(2.0) * spacing;
    edge = {a, a, a};
    out.nearest = kind == "sc" ? 6 : kind == "bcc" ? 8 : 12;
    if (kind == "bcc") base = {{0, 0, 0}, {a / 2, a / 2, a / 2}};
    if (kind == "fcc") base = {{0, 0, 0}, {a / 2, a / 2, 0}, {a / 2, 0, a / 2}, {0, a / 2, a / 2}};
  } else {
    edge = {spacing, spacing};
    out.nearest = kind == "square" ? 4 : 6;
    if (kind == "hexagonal") {
      edge = {spacing, std::sqrt(3.0) * spacing};
      base = {{0, 0}, {spacing / 2, std::sqrt(3.0) / 2 * spacing}};
    }
  }
  Vec<D, i32> c{};
  while (true) {
    for (const auto& b : base) {
      Vec<D> p = b;
      for (int k = 0; k < D; ++k) p[k] += c[k] * edge[k];
      out.points.push_back(p);
    }
    int k = 0;
    for (; k < D; ++k) {
      if (++c[k] < repeats[k]) break;
      c[k] = 0;
    }
    if (k == D) break;
  }
  for (int k = 0; k < D; ++k) out.edges[k] = repeats[k] * edge[k];
  return out;
}

#define TALUS_INSTANTIATE(D)                                                                         \
  template std::vector<Vec<D>> random_points(const Cell<D>&, std::size_t, u64);                      \
  template FixedPoints<D> fixed_points(const Cell<D>&, std::size_t, u64);                            \
  template std::vector<Vec<D>> points_without_overlap(const Cell<D>&, const std::vector<Real>&, u64, \
                                                      const std::vector<std::pair<Vec<D>, Real>>&, const Within<D>&); \
  template Lattice<D> lattice(const std::string&, Real, const Vec<D, i32>&);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

DiscRows disc_rows(const std::vector<int>& counts) {
  DiscRows rows;
  const Real pitch = std::sqrt(Real(3)) / 2;
  std::vector<int> offset{0};  // of each row, in half discs
  int least = 0, most = 0, inclined = -1;
  for (std::size_t r = 1; r < counts.size(); ++r) {
    const int more = counts[r] - counts[r - 1];
    const int shift = more == 0 ? (r % 2 == 1 ? 1 : -1) : -more;
    offset.push_back(offset.back() + shift);
    const int here = counts[r] + counts[r - 1] - 1;
    inclined = inclined == -1 || inclined == here ? here : 0;
    least = std::min(least, offset.back());
  }
  for (std::size_t r = 0; r < counts.size(); ++r) {
    most = std::max(most, offset[r] - least + 2 * counts[r]);
    for (int k = 0; k < counts[r]; ++k)
      rows.points.push_back({0.5 * (offset[r] - least) + k + 0.5, 0.5 + pitch * Real(r)});
  }
  rows.size = {0.5 * most, 1 + pitch * Real(counts.size() - 1)};
  rows.inclined = std::max(inclined, 0);
  for (const bool first : {true, false}) {  // an outer row that is longer than its neighbour, or shifted against it
    const std::size_t r = first ? 0 : counts.size() - 1, next = first ? 1 : counts.size() - 2;
    if (counts.size() > 1 && counts[r] >= counts[next]) rows.has_corners = true;
  }
  return rows;
}

}  // namespace talus::sampling
