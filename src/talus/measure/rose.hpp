#pragma once
// How contacts between grains of a plane sample are directed.
#include <vector>

#include <talus/state/contact_sample.hpp>
#include <talus/state/state.hpp>

namespace talus::measure {

// Normals within pi / sectors of one another, whichever way they point: sector k begins at the angle k pi / sectors from x.
struct Sector {
  Real share = 0;  // of all contacts between grains
  Real force = 0;  // mean normal force over that of all
};
std::vector<Sector> rose(const State<2>& state, const ContactList<2>& contacts, std::size_t sectors);

}  // namespace talus::measure
