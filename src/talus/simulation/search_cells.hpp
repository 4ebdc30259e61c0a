#pragma once
// A search for the settings with which the scenes of a cell give a porosity and a number of contacts. docs/design/043-search-for-cells.md
#include <filesystem>
#include <functional>

#include <talus/scene/parent.hpp>

namespace talus::simulation {

// A cell that was made, or was there already.
struct TrialCell {
  std::filesystem::path checkpoint;
  Real porosity = 0, contacts = 0;  // at rest
};
using TryCell = std::function<TrialCell(const scene::ParentRequest&)>;

// The checkpoint of the cell that hits. `trials`: all that were made, as CSV. Throws NotMade, with what came nearest.
std::filesystem::path search_cells(const scene::ParentRequest& request, const TryCell& try_cell, std::string& trials);

}  // namespace talus::simulation
