// Bounds of friction follow the normal impulses, and pushes of rigid contacts what was found.
//
// Bounds are a fixed point: those of the impulses that they lead to. It is sought as Anderson does, with the last few changes: the combination of them that explains
// most of what is lacking now is undone, and what is left of it is added.
#include <talus/impulse/compliant_solver.hpp>

namespace talus::impulse {
namespace {

constexpr std::size_t most_changes = 4;
constexpr Real new_at_least = 1e-6;  // of the square of a change: what earlier ones must not explain

Real product(const std::vector<Real>& x, const std::vector<Real>& y) {
  Real sum = 0;
  for (std::size_t n = 0; n < x.size(); ++n) sum += x[n] * y[n];
  return sum;
}
void subtract(std::vector<Real>& from, Real share, const std::vector<Real>& what) {
  for (std::size_t n = 0; n < from.size(); ++n) from[n] -= share * what[n];
}

// Where bounds go: from `bound`, which lacks `lack`.
void extrapolate(std::vector<Real>& bound, std::vector<Real>& lack, std::vector<std::vector<Real>> bounds, std::vector<std::vector<Real>> lacks) {
  for (std::size_t k = lacks.size(); k-- > 0;) {  // each made orthogonal to newer ones
    const Real before = product(lacks[k], lacks[k]);
    for (std::size_t l = lacks.size(); l-- > k + 1;) {
      const Real size = product(lacks[l], lacks[l]);
      if (!(size > 0)) continue;
      const Real share = product(lacks[l], lacks[k]) / size;
      subtract(lacks[k], share, lacks[l]);
      subtract(bounds[k], share, bounds[l]);
    }
    const Real size = product(lacks[k], lacks[k]);
    if (size > new_at_least * before) {
      const Real share = product(lacks[k], lack) / size;
      subtract(bound, share, bounds[k]);
      subtract(lack, share, lacks[k]);
    } else {
      lacks[k].assign(lack.size(), 0);
    }
  }
}

}  // namespace

void CompliantSolver::forget_bounds() {
  last_bound_.clear();
  step_bound_.clear();
  step_lack_.clear();
}

void CompliantSolver::settle() {
  const std::size_t points = contacts_.size() - coats_;
  std::vector<Real> bound(points), lack(points);
  for (std::size_t n = 0; n < points; ++n) {
    Contact& c = contacts_[coats_ + n];
    if (rigid_) c.carried = impulse_[coats_ + n];
    bound[n] = c.bound;
    lack[n] = c.friction * impulse_[coats_ + n].x - c.bound;
  }
  if (!rigid_ && !last_bound_.empty()) {
    if (step_bound_.size() == most_changes) step_bound_.erase(step_bound_.begin()), step_lack_.erase(step_lack_.begin());
    step_bound_.push_back(bound);
    step_lack_.push_back(lack);
    subtract(step_bound_.back(), 1, last_bound_);
    subtract(step_lack_.back(), 1, last_lack_);
  }
  last_bound_ = bound;
  last_lack_ = lack;
  extrapolate(bound, lack, step_bound_, step_lack_);
  for (std::size_t n = 0; n < points; ++n) contacts_[coats_ + n].bound = max(bound[n] + lack[n], Real(0));
}

}  // namespace talus::impulse
