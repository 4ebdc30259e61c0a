#pragma once
// The picture of the sample in the report.
#include <talus/lab/observation.hpp>
#include <talus/report/picture.hpp>

namespace talus::app {

// Grains coloured by the force they carry: the sum of their normal contact forces over the mean of all grains.
template <int D>
report::Picture sample_picture(const lab::Observation<D>& seen);

}  // namespace talus::app
