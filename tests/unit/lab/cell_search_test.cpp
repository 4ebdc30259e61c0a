// The search for a porosity and a number of contacts, on a response in closed form.
#include <cmath>

#include <gtest/gtest.h>

#include <talus/lab/cell_search.hpp>

using namespace talus;
using lab::CellRecipe;
using lab::CellSearch;
using lab::CellTarget;
using lab::CellTrial;

namespace {

// After the measured cells of docs/results/pcrm/reach.csv: contacts rise as porosity falls, less friction gives denser cells with more contacts, stretching
// takes contacts down to 2.3.
CellTrial cell(const CellRecipe& r) {
  CellTrial t{r, 0, 0};
  const Real grown = 0.355 + 0.75 * (r.porosity - 0.345), slippery = std::log(0.275 / r.friction) / std::log(0.275 / 0.02);
  t.porosity = (1 - slippery) * grown + slippery * 0.354;
  t.contacts = 2.8 + 60 * (0.389 - grown);
  t.contacts += slippery * (5.6 - t.contacts);
  if (r.stretch > 0) {
    t.porosity -= 0.002 * std::tanh(Real(r.stretch) / 1000);
    t.contacts = 2.3 + (t.contacts - 2.3) * std::exp(-Real(r.stretch) / 1200);
  }
  return t;
}

CellTarget target(Real porosity, Real contacts) {
  CellTarget t;
  t.porosity = porosity;
  t.contacts = contacts;
  t.friction = 0.275;
  return t;
}

}  // namespace

TEST(CellSearch, FindsDenseCellsWithFewContactsByStretchingAndThoseWithManyByLessFriction) {
  for (const auto& [porosity, contacts] : {std::pair{0.376, 2.53}, {0.387, 2.30}, {0.388, 2.34}, {0.376, 3.23}, {0.389, 2.8}, {0.372, 4.1}}) {
    CellSearch search(target(porosity, contacts));
    const auto found = search.run(cell);
    ASSERT_TRUE(found) << porosity << ", " << contacts << ": " << search.why();
    EXPECT_LE(search.trials().size(), 15u);
    const CellTrial made = cell(*found);
    EXPECT_NEAR(made.porosity, porosity, 0.003);
    EXPECT_NEAR(made.contacts, contacts, 0.08);
    EXPECT_EQ(search.trials().back().recipe.stretch, found->stretch);
  }
}

TEST(CellSearch, BeginsWithWhatDidWellOnAnotherSize) {
  CellSearch small(target(0.376, 2.53));
  const auto first = small.run(cell);
  ASSERT_TRUE(first);
  CellSearch large(target(0.376, 2.53));
  ASSERT_TRUE(large.run(cell, first));
  EXPECT_EQ(large.trials().size(), 1u);
}

TEST(CellSearch, SaysWhyACellIsOutOfReachAndWhatCameNearest) {
  for (const auto& [porosity, contacts, words] : {std::tuple{0.387, 2.0, "longest stretch"}, {0.387, 5.5, ""}, {0.45, 2.5, ""}}) {
    CellSearch search(target(porosity, contacts));
    EXPECT_FALSE(search.run(cell));
    EXPECT_NE(search.why().find(words), std::string::npos) << search.why();
    EXPECT_FALSE(search.why().empty());
    EXPECT_LE(search.trials().size(), 30u);
    EXPECT_GT(search.trials().size(), 1u);
    for (const CellTrial& t : search.trials()) {
      const auto miss = [&](const CellTrial& x) { return std::max(std::abs(x.porosity - porosity) / 0.003, std::abs(x.contacts - contacts) / 0.08); };
      EXPECT_GE(miss(t), miss(search.nearest()));
    }
  }
}
