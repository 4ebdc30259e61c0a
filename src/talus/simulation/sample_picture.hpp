#pragma once
// The picture of the sample in the report.
#include <string>
#include <utility>
#include <vector>

#include <talus/lab/observation.hpp>
#include <talus/report/picture.hpp>

namespace talus::simulation {

// Grains coloured by the force they carry: the sum of their normal contact forces over the mean of all grains. With cell and walls; in the
// plane with contact forces.
template <int D>
report::Grains sample_grains(const lab::Observation<D>& seen);

// Contact forces above the mean as rods.
report::Grains force_rods(const lab::Observation<3>& seen);

// Force chains drawn over the grains, which are coloured by the major principal value of their stress.
report::Picture chains_picture(const lab::Observation<2>& seen);

// Pictures of a plane sample that was sheared inside a membrane, with the names of their files: how far grains have turned,
// the void ratio around each place, and a rose of the contacts. None of other samples.
template <int D>
std::vector<std::pair<std::string, report::Picture>> shear_pictures(const lab::Observation<D>& seen);

}  // namespace talus::simulation
