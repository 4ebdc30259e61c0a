#pragma once
// Do the means of two small samples differ by more than chance? Welch's t test: variances need not be equal.
#include <vector>

namespace talus::report {

struct Spread {
  std::size_t count = 0;
  double mean = 0, deviation = 0;  // standard deviation of a sample: over count - 1; 0 for one value
};
Spread spread_of(const std::vector<double>& values);

// Probability that two samples of one population differ at least by as much, 0..1. NaN with fewer than two values on a side, or
// when neither side scatters.
double chance_of_difference(const Spread& a, const Spread& b);

// P(|T| > t) of Student's distribution with `freedom` degrees of freedom, not necessarily whole.
double student_tails(double t, double freedom);

}  // namespace talus::report
