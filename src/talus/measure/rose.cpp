#include <talus/measure/rose.hpp>

#include <algorithm>
#include <cmath>

namespace talus::measure {

std::vector<Sector> rose(const State<2>& state, const ContactList<2>& contacts, std::size_t sectors) {
  std::vector<Sector> out(sectors);
  Real count = 0, sum = 0;
  for (const auto& c : contacts) {
    if (c.a >= state.grains() || c.b >= state.grains()) continue;
    Real angle = std::atan2(c.normal.y, c.normal.x);
    if (angle < 0) angle += pi;
    const auto k = std::min(std::size_t(angle / pi * Real(sectors)), sectors - 1);
    const Real force = dot(c.force, c.normal);
    ++out[k].share;
    out[k].force += force;
    ++count;
    sum += force;
  }
  for (Sector& s : out) {
    s.force = s.share > 0 && sum > 0 ? s.force / s.share / (sum / count) : 0;
    if (count > 0) s.share /= count;
  }
  return out;
}

}  // namespace talus::measure
