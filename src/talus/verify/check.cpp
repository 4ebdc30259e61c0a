#include <talus/verify/check.hpp>

#include <cmath>
#include <utility>

namespace talus::verify {

Real Check::difference() const {
  const Real over = scale > 0 ? scale : std::abs(expected);
  return std::abs(obtained - expected) / (over > 0 ? over : 1);
}

bool Check::passes() const { return difference() <= tolerance; }

Curve::Curve(std::string what, std::string unit, Real tolerance, std::string reason, Real scale)
    : made_{std::move(what), 0, 0, std::move(unit), tolerance, std::move(reason), scale} {}

void Curve::add(const std::string& where, Real expected, Real obtained) {
  points_.push_back(made_);
  points_.back().what += ", " + where;
  points_.back().expected = expected;
  points_.back().obtained = obtained;
}

Check Curve::worst() const {
  Check worst = made_;
  worst.obtained = std::nan("");  // a curve without points does not pass
  for (std::size_t i = 0; i < points_.size(); ++i)
    if (i == 0 || !(points_[i].difference() <= worst.difference())) worst = points_[i];
  worst.what += " (worst of " + std::to_string(points_.size()) + ")";
  return worst;
}

}  // namespace talus::verify
