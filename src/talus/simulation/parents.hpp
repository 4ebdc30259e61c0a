#pragma once
// Samples that scenes take from other runs: read from a checkpoint, or made by running another scene first. What was made is kept as a run folder of its own,
// runs/cells/NAME-HASH, named by the resolved text of its scene: no cell is made twice, one that was
// interrupted is gone on with, and one that the bank has is not made at all.
#include <stdexcept>

#include <talus/scene/parent.hpp>
#include <talus/simulation/listener.hpp>
#include <talus/simulation/loaded_scene.hpp>
#include <talus/simulation/recorder.hpp>

namespace talus::simulation {

// The run that makes a cell was stopped, or failed.
struct NotMade : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// For build_scene. What it reads is kept among the files of the loaded scene: a run folder can be resumed alone. `loaded` and `listener` outlive it.
template <int D>
scene::FindParent<D> parents_of(LoadedScene& loaded, const RunOptions& options, Listener& listener);

// The same for a look at a scene that is not run: a cell that is not there yet is taken as it would be placed.
template <int D>
scene::FindParent<D> parents_as_placed(LoadedScene& loaded, const RunOptions& options);

}  // namespace talus::simulation
