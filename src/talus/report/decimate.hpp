#pragma once
// Fewer points, same picture: of each stretch of a long curve the extremes stay.
#include <talus/report/report.hpp>

namespace talus::report {

// At most about `limit` points. Keeps the ends, the smallest and largest y of every stretch (and x, where x turns
// back, as a stress path does), and the gaps. A curve that is short enough comes back as it is.
Curve decimate(const Curve& curve, std::size_t limit = 1500);

}  // namespace talus::report
