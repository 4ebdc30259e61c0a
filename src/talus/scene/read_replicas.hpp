#pragma once
// [sample] with a scene or a checkpoint: the sample is made of copies of a cell that another run has prepared.
#include <talus/core/input.hpp>
#include <talus/lab/experiment.hpp>
#include <talus/lab/replica_analysis.hpp>
#include <talus/scene/parent.hpp>

namespace talus::scene {

// Does [sample] name such a cell? Else it names places of grains (read_sample.hpp), or there is none.
bool takes_cell(Input& scene);

// Grains, contacts and cell of the experiment, ready for its first step, and the diameters in order of uids. Throws InputError.
template <int D>
lab::Origin read_replicas(Input& scene, lab::Experiment<D>& x, std::vector<Real>& diameters, const FindParent<D>& find);

// [analysis] of a cell or of copies of one: the stage after which it is at rest, and the one that shears it.
template <int D>
void read_replica_test(Input& scene, Input& in, lab::Experiment<D>& x, const lab::Origin& origin);

}  // namespace talus::scene
