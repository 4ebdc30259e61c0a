#pragma once
// Pictures for ParaView: when they are due, and how large they are.
#include <talus/lab/experiment.hpp>

namespace talus::lab {

// The test of a protocol: the stages that shear; where none does, all of them.
template <int D>
bool is_of_test(const Experiment<D>& x, std::size_t stage);
template <int D>
std::size_t first_of_test(const Experiment<D>& x);

// Is one due after these steps? `looked`: stop rules were looked at, so that the progress of the stage is known. `taken`: those that
// the progress of the running stage has asked for; counted here.
template <int D>
bool picture_is_due(const Experiment<D>& x, const Observation<D>& seen, bool looked, i64& taken);
// And a frame of the film?
template <int D>
bool frame_is_due(const Experiment<D>& x, const Observation<D>& seen, bool looked, i64& taken);

// Bytes of one picture, roughly: contacts are as many as in a dense packing.
template <int D>
double picture_bytes(const Experiment<D>& x);

// As many as are asked for, or as take up `largest_pictures`; at least `least_frames`.
inline constexpr double largest_pictures = 250e6;  // bytes
inline constexpr i64 least_frames = 5;
template <int D>
i64 frames_within_limit(const Experiment<D>& x, i64 asked);

}  // namespace talus::lab
