#pragma once
// Stage `coat-test`: drives a law of a coat with a mass (coat_test.hpp) and places the two grains of the sample as it says. Steps of
// the method only tell how often it is looked at.
#include <talus/lab/coat_test.hpp>
#include <talus/lab/experiment.hpp>
#include <talus/lab/stage.hpp>

namespace talus::lab {

template <int D>
StageKind<D> coat_stage();

// Overlap and force of the coats beside the closed form, in runs that have such a stage.
template <int D>
ChannelGroup<D> coat_channels();

}  // namespace talus::lab
