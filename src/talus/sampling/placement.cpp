#include <talus/sampling/placement.hpp>

#include <algorithm>
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

template <int D>
std::vector<Vec<D>> apart_points(const Cell<D>& cell, const std::vector<Real>& radii, u64 seed,
                                 const std::vector<std::pair<Vec<D>, Real>>& taken) {
  std::vector<std::size_t> order(radii.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::stable_sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return radii[i] > radii[j]; });
  std::vector<Vec<D>> points(radii.size());
  if (radii.empty()) return points;

  // Bins as wide as the largest diameter, wider where few grains lie in a large cell; orthogonal cells only (a fresh sample is
  // never sheared).
  const Real most = std::pow(4 * Real(radii.size() + taken.size()) + 64, Real(1) / D);  // along an edge
  Real wide = 2 * radii[order.front()];
  for (const auto& [x, r] : taken) wide = std::max(wide, 2 * r);
  Real volume = 1;
  for (int k = 0; k < D; ++k) volume *= cell.h(k, k) / wide;
  const bool sparse = volume > std::pow(most, D);
  Vec<D, i32> bins;
  std::size_t total = 1;
  for (int k = 0; k < D; ++k) {
    const Real fit = cell.h(k, k) / wide;
    bins[k] = std::max(1, int(sparse ? std::min(fit, most) : fit));
    total *= std::size_t(bins[k]);
  }
  struct Placed {
    Vec<D> x;
    Real radius;
  };
  std::vector<std::vector<Placed>> bin(total);
  const auto number = [&](const Vec<D, i32>& c) {
    std::size_t n = 0;
    for (int k = D - 1; k >= 0; --k) n = n * std::size_t(bins[k]) + std::size_t(c[k]);
    return n;
  };
  const auto bin_of = [&](const Vec<D>& x) {
    Vec<D, i32> c;
    for (int k = 0; k < D; ++k) c[k] = std::clamp(int(x[k] / cell.h(k, k) * bins[k]), 0, bins[k] - 1);
    return c;
  };
  for (const auto& [x, r] : taken) bin[number(bin_of(x))].push_back({x, r});
  Rng rng{seed, 0xa9a27, 0};
  for (std::size_t done = 0; done < order.size(); ++done) {
    const std::size_t i = order[done];
    bool placed = false;
    for (int attempt = 0; attempt < 20000 && !placed; ++attempt) {
      Vec<D> x;
      for (int k = 0; k < D; ++k) {
        const Real margin = cell.periodic[k] ? 0 : radii[i];
        x[k] = rng.uniform(margin, cell.h(k, k) - margin);
      }
      const Vec<D, i32> c = bin_of(x);
      bool free = true;
      Vec<D, i32> o;
      for (int k = 0; k < D; ++k) o[k] = -1;
      while (free) {
        Vec<D, i32> d;
        Vec<D> shift{};
        bool outside = false;
        for (int k = 0; k < D; ++k) {
          d[k] = c[k] + o[k];
          if (d[k] >= 0 && d[k] < bins[k]) continue;
          if (!cell.periodic[k]) outside = true;
          shift[k] = d[k] < 0 ? -cell.h(k, k) : cell.h(k, k);
          d[k] = (d[k] + bins[k]) % bins[k];
        }
        if (!outside)
          for (const Placed& other : bin[number(d)]) {
            const Vec<D> apart = x - (other.x + shift);
            const Real reach = radii[i] + other.radius;
            if (dot(apart, apart) < reach * reach) free = false;
          }
        int k = 0;
        for (; k < D; ++k) {
          if (++o[k] <= 1) break;
          o[k] = -1;
        }
        if (k == D) break;
      }
      if (!free) continue;
      points[i] = x;
      bin[number(c)].push_back({x, radii[i]});
      placed = true;
    }
    if (!placed) {
      points.resize(done);
      return points;
    }
  }
  return points;
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

#define TALUS_INSTANTIATE(D)                                                               \
  template std::vector<Vec<D>> random_points(const Cell<D>&, std::size_t, u64);            \
  template std::vector<Vec<D>> apart_points(const Cell<D>&, const std::vector<Real>&, u64, \
                                            const std::vector<std::pair<Vec<D>, Real>>&);  \
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
