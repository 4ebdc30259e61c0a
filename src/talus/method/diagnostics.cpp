#include <talus/method/diagnostics.hpp>

#include <algorithm>

namespace talus {

namespace {

void add_to(std::vector<Real>& sums, const Diagnostics& diagnostics, const std::vector<Real>& values) {
  sums.resize(diagnostics.size(), 0);
  for (std::size_t k = 0; k < diagnostics.size() && k < values.size(); ++k)
    sums[k] = diagnostics[k].reduce == Reduce::most ? std::max(sums[k], values[k]) : sums[k] + values[k];
}

}  // namespace

void SinceRow::add(const Diagnostics& diagnostics, const Steps& report, i64 made) {
  steps += made;
  overlap = std::max(overlap, report.overlap);
  add_to(values, diagnostics, report.values);
  add_to(in_all, diagnostics, report.values);
}

void SinceRow::begin_row() {
  steps = 0;
  overlap = 0;
  values.clear();
}

Real SinceRow::value(std::size_t k, Reduce how) const {
  if (k >= values.size()) return 0;
  if (how != Reduce::mean) return values[k];
  return steps > 0 ? values[k] / Real(steps) : 0;
}

}  // namespace talus
