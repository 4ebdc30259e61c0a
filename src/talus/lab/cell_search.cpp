#include <talus/lab/cell_search.hpp>

#include <algorithm>
#include <cmath>

#include <talus/core/assert.hpp>

namespace talus::lab {
namespace {

constexpr Real least_friction = 0.02, longest_stretch = 6000;  // steps
constexpr Real first_way = 0.25;                               // along a path, where it begins

}  // namespace

CellRecipe CellSearch::recipe(Real porosity, Real path) const {
  CellRecipe r{porosity, target_.friction, 0};
  if (path > 0) r.stretch = std::max(i64(std::lround(path * longest_stretch)), i64{1});
  if (path < 0 && target_.friction > least_friction) r.friction = target_.friction * std::pow(least_friction / target_.friction, -path);
  return r;
}

Real CellSearch::path_of(const CellRecipe& r) const {
  if (r.stretch > 0) return Real(r.stretch) / longest_stretch;
  if (!(r.friction < target_.friction)) return 0;
  return -std::log(r.friction / target_.friction) / std::log(least_friction / target_.friction);
}

Real CellSearch::miss(const CellTrial& t) const {
  return std::max(std::abs(t.porosity - target_.porosity) / target_.porosity_within, std::abs(t.contacts - target_.contacts) / target_.contacts_within);
}

const CellTrial& CellSearch::nearest() const {
  TALUS_ASSERT(!trials_.empty());
  return *std::min_element(trials_.begin(), trials_.end(), [&](const CellTrial& a, const CellTrial& b) { return miss(a) < miss(b); });
}

// The porosity at rest follows that of growth: by how much, the last two trials on one path say.
Real CellSearch::next_porosity(const CellTrial& last) const {
  Real slope = 1;
  if (trials_.size() > 1) {
    const CellTrial& before = trials_[trials_.size() - 2];
    const Real grown = last.recipe.porosity - before.recipe.porosity;
    if (path_of(before.recipe) == path_of(last.recipe) && std::abs(grown) > 1e-4) slope = std::clamp((last.porosity - before.porosity) / grown, Real(0.2), Real(2));
  }
  return std::clamp(last.recipe.porosity + (target_.porosity - last.porosity) / slope, Real(0.3), Real(0.6));
}

// Towards the contacts that are asked for: on along the path until they lie between two trials, then between these. None: the path is at its end.
std::optional<Real> CellSearch::next_path(Real path, const CellTrial& last) {
  if (std::abs(last.contacts - target_.contacts) < target_.contacts_within) return path;
  (last.contacts > target_.contacts ? more_ : fewer_) = {path, last.contacts};
  if (more_ && fewer_) {
    if (std::abs(more_->first - fewer_->first) < Real(0.004)) {  // the porosity has changed since they were made
      more_.reset();
      fewer_.reset();
      return path;
    }
    const Real share = std::clamp((more_->second - target_.contacts) / (more_->second - fewer_->second), Real(0.2), Real(0.8));
    return more_->first + share * (fewer_->first - more_->first);
  }
  const Real way = last.contacts > target_.contacts ? 1 : -1;
  if (path * way >= 1) return std::nullopt;
  return way * std::min(path * way > 0 ? 2 * path * way : first_way, Real(1));
}

std::optional<CellRecipe> CellSearch::run(const Make& make, const std::optional<CellRecipe>& first) {
  Real porosity = first ? first->porosity : target_.porosity, path = first ? path_of(*first) : 0;
  more_.reset();
  fewer_.reset();
  int astray = 0;  // trials in a row whose porosity is far off
  while (i64(trials_.size()) < target_.trials) {
    const CellTrial last = make(recipe(porosity, path));
    trials_.push_back(last);
    if (miss(last) < 1) return last.recipe;
    const bool too_far = std::abs(last.porosity - target_.porosity) > 3 * target_.porosity_within;
    astray = too_far ? astray + 1 : 0;
    if (astray > 6) {
      why_ = "the porosity at rest does not follow that of growth there";
      return std::nullopt;
    }
    porosity = next_porosity(last);
    if (too_far) continue;  // contacts go with the porosity: first this
    const std::optional<Real> next = next_path(path, last);
    if (!next) {
      why_ = last.contacts > target_.contacts ? "the longest stretch leaves more contacts" : "the least friction leaves fewer contacts";
      return std::nullopt;
    }
    path = *next;
  }
  why_ = "no trial hit it";
  return std::nullopt;
}

}  // namespace talus::lab
