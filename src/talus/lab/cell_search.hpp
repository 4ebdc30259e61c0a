#pragma once
// How a cell is to be prepared so that it comes to rest with a stated porosity and number of contacts: a search over trials. Two paths leave from one
// middle: grown and compressed with all of the friction. Less friction in compression gives more contacts; stretched while its grains are mixed, and
// compressed again, the cell has fewer. docs/design/043-search-for-cells.md
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <talus/core/real.hpp>

namespace talus::lab {

struct CellTarget {
  Real porosity = 0, contacts = 0;                         // at rest; contacts of a grain, rattlers counted
  Real porosity_within = 0.003, contacts_within = 0.08;
  Real friction = 0;                                       // the largest in compression: that of the grains
  i64 trials = 30;  // at most
};

// What a trial is made with.
struct CellRecipe {
  Real porosity = 0;  // when its grains have grown
  Real friction = 0;  // in compression
  i64 stretch = 0;    // steps of stretching; 0: the cell stays as it was grown and compressed
};
struct CellTrial {
  CellRecipe recipe;
  Real porosity = 0, contacts = 0;  // at rest
};

class CellSearch {
 public:
  explicit CellSearch(const CellTarget& target) : target_(target) {}

  using Make = std::function<CellTrial(const CellRecipe&)>;
  // Makes trials until one is within the target, from a recipe that did well on another size where there is one. The recipe of the one that hit; none: it is
  // out of reach, and why.
  std::optional<CellRecipe> run(const Make& make, const std::optional<CellRecipe>& first = std::nullopt);

  const std::vector<CellTrial>& trials() const { return trials_; }
  const std::string& why() const { return why_; }
  const CellTrial& nearest() const;  // of those made

 private:
  // One number for both paths: 0 the middle, 1 the longest stretch, -1 the least friction.
  CellRecipe recipe(Real porosity, Real path) const;
  Real path_of(const CellRecipe& recipe) const;
  Real miss(const CellTrial& trial) const;  // in widths of the target; below 1: it hits
  Real next_porosity(const CellTrial& last) const;
  std::optional<Real> next_path(Real path, const CellTrial& last);

  CellTarget target_;
  std::vector<CellTrial> trials_;
  std::string why_;
  std::optional<std::pair<Real, Real>> more_, fewer_;  // path and contacts of trials on both sides of the target
};

}  // namespace talus::lab
