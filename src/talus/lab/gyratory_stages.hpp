#pragma once
// Stages of gyratory compaction: a platen is laid on the sample and loaded (compress), and a mould gyrates under it (gyrate).
#include <talus/lab/stage.hpp>

namespace talus::lab {

template <int D>
std::unique_ptr<Stage<D>> read_compress(Input& in);
template <int D>
std::unique_ptr<Stage<D>> read_gyrate(Input& in);

// What others see of a mould that gyrates, from the plan of the running stage: gyrations done, or none.
template <int D>
std::optional<Real> gyrations(const Model<D>& model, const State<D>& state) {
  for (const WallDrive<D>& d : model.drives)
    if (d.control == WallControl::gyrate) return d.gyration.turns_at(state.globals.time);
  return std::nullopt;
}

}  // namespace talus::lab
