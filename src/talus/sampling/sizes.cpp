#include <talus/sampling/sizes.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

#include <talus/core/csv.hpp>
#include <talus/core/input_error.hpp>

namespace talus::sampling {

Real normal_cdf(Real z) { return 0.5 * std::erfc(-z / std::sqrt(2.0)); }

// Bisection on the distribution itself: 60 halvings reach the last bit, and set-up time does not matter.
Real normal_quantile(Real p) {
  Real low = -40, high = 40;
  for (int i = 0; i < 200 && high - low > 1e-15 * std::max(1.0, std::abs(low)); ++i) {
    const Real mid = 0.5 * (low + high);
    (normal_cdf(mid) < p ? low : high) = mid;
  }
  return 0.5 * (low + high);
}

Real lognormal_sigma(Real cu) { return std::log(cu) / (normal_quantile(0.6) - normal_quantile(0.1)); }

std::vector<Real> lognormal_by_mass(Real d50, Real cu, Real low, Real high, std::size_t count, int power) {
  const Real sigma = lognormal_sigma(cu);
  if (!(sigma > 0)) return std::vector<Real>(count, d50);
  // By number the same shape with a smaller median: mass = number x d^power.
  const Real median = d50 * std::exp(-power * sigma * sigma);
  const Real from = normal_cdf(std::log(low / median) / sigma), to = normal_cdf(std::log(high / median) / sigma);
  std::vector<Real> d(count);
  for (std::size_t k = 0; k < count; ++k) {
    const Real share = from + (to - from) * (Real(k) + 0.5) / Real(count);
    d[k] = median * std::exp(sigma * normal_quantile(share));
  }
  return d;
}

namespace {

// Diameters from a grading curve that is straight between its points on a logarithmic axis.
std::vector<Real> from_grading(const Grading& g, std::size_t count, int power) {
  constexpr int parts = 64;
  std::vector<Real> edge{g.diameter.front()}, number{0};
  for (std::size_t k = 0; k + 1 < g.diameter.size(); ++k)
    for (int q = 0; q < parts; ++q) {
      const Real ratio = g.diameter[k + 1] / g.diameter[k];
      const Real a = g.diameter[k] * std::pow(ratio, Real(q) / parts);
      const Real b = g.diameter[k] * std::pow(ratio, Real(q + 1) / parts);
      const Real mass = (g.passing[k + 1] - g.passing[k]) / parts;
      edge.push_back(b);
      number.push_back(number.back() + mass / std::pow(std::sqrt(a * b), power));
    }
  std::vector<Real> d(count);
  for (std::size_t k = 0; k < count; ++k) {
    const Real goal = number.back() * (Real(k) + 0.5) / Real(count);
    const auto at = std::size_t(std::lower_bound(number.begin(), number.end(), goal) - number.begin());
    const Real t = (goal - number[at - 1]) / (number[at] - number[at - 1]);
    d[k] = edge[at - 1] * std::pow(edge[at] / edge[at - 1], t);
  }
  return d;
}

void shuffle(std::vector<Real>& d, u64 seed) {
  Rng rng{seed, 0x5123e5, 0};
  for (std::size_t k = d.size(); k > 1; --k) std::swap(d[k - 1], d[rng.below(k)]);
}

Sizes read_single(Input& in, std::size_t count) {
  const bool by_radius = in.has("radius");
  const Real size = in.number(by_radius ? "radius" : "diameter", dim::length, Range::positive(), std::nullopt,
                              "size of every grain (give diameter or radius)");
  Sizes s;
  s.diameters.assign(count, by_radius ? 2 * size : size);
  return s;
}

Sizes read_uniform(Input& in, std::size_t count, int power) {
  const bool by_ratio = in.has("ratio");
  if (by_ratio && in.has("min")) in.fail("ratio", "min states the smallest diameter already", "keep one of the two");
  Real low = by_ratio ? 0 : in.number("min", dim::length, Range::positive(), std::nullopt, "smallest diameter");
  const Real high = in.number("max", dim::length, Range::positive(), std::nullopt, "largest diameter");
  if (by_ratio)
    low = high / in.number("ratio", dim::none, Range::closed(1, 1000), std::nullopt,
                           "largest over smallest diameter, instead of min");
  if (high < low) in.fail("max", "the largest diameter is below the smallest", "exchange min and max");
  Sizes s;
  for (std::size_t k = 0; k < count; ++k) s.diameters.push_back(low + (high - low) * (Real(k) + 0.5) / Real(count));
  for (int q = 0; q <= 40; ++q) {
    const Real d = low + (high - low) * q / 40.0;
    s.target.diameter.push_back(d);
    s.target.passing.push_back(high > low ? (std::pow(d, power + 1) - std::pow(low, power + 1)) /
                                                (std::pow(high, power + 1) - std::pow(low, power + 1))
                                          : 1.0);
  }
  return s;
}

Sizes read_lognormal(Input& in, std::size_t count, int power) {
  const Real d50 = in.number("d50", dim::length, Range::positive(), std::nullopt, "median diameter by mass");
  const Real cu = in.number("cu", dim::none, {1, 100, false, false}, std::nullopt, "uniformity D60/D10");
  const Real low = in.number("min", dim::length, Range::positive(), d50 / 10, "smallest diameter kept");
  const Real high = in.number("max", dim::length, Range::positive(), d50 * 10, "largest diameter kept");
  if (low >= d50) in.fail("min", "the smallest diameter is not below d50", "lower min");
  if (high <= d50) in.fail("max", "the largest diameter is not above d50", "raise max");
  Sizes s;
  s.diameters = lognormal_by_mass(d50, cu, low, high, count, power);
  const Real sigma = lognormal_sigma(cu);
  for (int q = 0; q <= 60; ++q) {
    const Real d = low * std::pow(high / low, q / 60.0);
    s.target.diameter.push_back(d);
    s.target.passing.push_back(sigma > 0 ? normal_cdf(std::log(d / d50) / sigma) : (d >= d50 ? 1.0 : 0.0));
  }
  return s;
}

Sizes read_sieve(Input& in, std::size_t count, int power) {
  const std::string text = in.file("file", "CSV with columns size and passing (share or per cent of mass)");
  const std::string name = in.text("file", std::nullopt, "CSV with columns size and passing");
  const CsvTable csv = parse_csv(text, name);
  csv.need_known({"size", "passing"});
  Sizes s;
  s.target.diameter = csv.values("size", dim::length);
  s.target.passing = csv.values("passing", dim::none);
  auto& d = s.target.diameter;
  auto& p = s.target.passing;
  if (d.size() < 2) throw InputError(name, 0, "size", "a grading curve needs at least two sieves", "");
  if (p.back() > 1.5)
    for (Real& x : p) x /= 100;
  if (d.front() > d.back()) {
    std::reverse(d.begin(), d.end());
    std::reverse(p.begin(), p.end());
  }
  for (std::size_t k = 0; k < d.size(); ++k) {
    if (!(d[k] > 0) || (k > 0 && !(d[k] > d[k - 1])))
      throw InputError(name, int(k) + 2, "size", "sieve sizes must be positive and all different",
                       "sort the rows by size");
    if (p[k] < 0 || p[k] > 1 || (k > 0 && p[k] < p[k - 1]))
      throw InputError(name, int(k) + 2, "passing", "the share passing must rise from 0 to 1 with the sieve size", "");
  }
  if (std::abs(p.front()) > 1e-9 || std::abs(p.back() - 1) > 1e-9)
    throw InputError(name, 0, "passing", "the curve must start at 0 and end at 1 (100 %)",
                     "add the sieve through which nothing and the one through which everything passes");
  s.diameters = from_grading(s.target, count, power);
  return s;
}

// So many of each hundred in each class, by largest remainder; sizes are linear by number within a class.
Sizes read_classes(Input& in, std::size_t count) {
  const auto edges = in.numbers("edges", dim::length, Range::positive(), 0, std::nullopt, "sieve sizes between classes, from the smallest");
  const auto shares = in.numbers("shares", dim::none, Range::not_negative(), 0, std::nullopt, "share of grains by number, one for each class");
  if (edges.size() < 2 || shares.size() + 1 != edges.size())
    in.fail("shares", "there is one share for each two neighbouring edges", std::to_string(edges.size() - 1) + " numbers are needed");
  Real total = 0;
  for (const Real share : shares) total += share;
  for (std::size_t k = 1; k < edges.size(); ++k)
    if (!(edges[k] > edges[k - 1])) in.fail("edges", "the edges of classes rise", "sort them");
  if (!(total > 0)) in.fail("shares", "all classes are empty", "");
  std::vector<std::size_t> number(shares.size()), order(shares.size());
  std::vector<Real> left(shares.size());
  std::size_t given = 0;
  for (std::size_t k = 0; k < shares.size(); ++k) {
    const Real exact = shares[k] / total * Real(count);
    number[k] = std::size_t(exact);
    left[k] = exact - Real(number[k]);
    given += number[k];
  }
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t p, std::size_t q) { return left[p] > left[q]; });
  for (std::size_t k = 0; given < count; ++given, ++k) ++number[order[k]];
  Sizes s;
  for (std::size_t k = 0; k < shares.size(); ++k)
    for (std::size_t n = 0; n < number[k]; ++n)
      s.diameters.push_back(edges[k] + (edges[k + 1] - edges[k]) * (Real(n) + 0.5) / Real(number[k]));
  return s;
}

}  // namespace

Sizes read_sizes(Input& in, std::size_t count, int power, u64 seed) {
  const std::string kind =
      in.choice("kind", {"single", "uniform", "lognormal-by-mass", "sieve", "classes"}, "single", "how diameters are distributed");
  if (kind == "single") return read_single(in, count);
  Sizes s = kind == "uniform"             ? read_uniform(in, count, power)
            : kind == "lognormal-by-mass" ? read_lognormal(in, count, power)
            : kind == "classes"           ? read_classes(in, count)
                                          : read_sieve(in, count, power);
  if (in.has("scale")) {
    const Real scale = in.number("scale", dim::none, Range::positive(), std::nullopt, "all sizes of a curve are multiplied by this");
    for (Real& d : s.diameters) d *= scale;
    for (Real& d : s.target.diameter) d *= scale;
  }
  shuffle(s.diameters, seed);
  return s;
}

Grading grading_of(std::vector<Real> d, int power) {
  std::sort(d.begin(), d.end());
  Grading g;
  Real total = 0, sum = 0;
  for (const Real x : d) total += std::pow(x, power);
  for (const Real x : d) {
    sum += std::pow(x, power);
    g.diameter.push_back(x);
    g.passing.push_back(sum / total);
  }
  return g;
}

Real passing_diameter(std::vector<Real> diameters, Real share, int power) {
  const Grading g = grading_of(std::move(diameters), power);
  const auto at = std::size_t(std::lower_bound(g.passing.begin(), g.passing.end(), share) - g.passing.begin());
  return g.diameter[std::min(at, g.diameter.size() - 1)];
}

}  // namespace talus::sampling
