#pragma once
// Pictures of a continuum: its particles coloured by one column, in the frame of the cell.
#include <string>
#include <vector>

#include <talus/lab/observation.hpp>
#include <talus/report/picture.hpp>

namespace talus::simulation {

// Coloured by speed, from 0 to that of a fall over the height of the cell; a frame of the film.
template <int D>
report::Picture speed_picture(const lab::Observation<D>& seen, int width = 1200);

// Coloured by pressure.
template <int D>
report::Picture pressure_picture(const lab::Observation<D>& seen);

}  // namespace talus::simulation
