#pragma once
// The step of a continuum of particles: kick, drift, kick (docs/design/029-sph.md).
#include <talus/continuum/limits.hpp>
#include <talus/sph/options.hpp>
#include <talus/sph/scratch.hpp>

namespace talus::sph {

using continuum::StepReport;

// Lists, pressures and accelerations of particles as they lie, without motion.
template <int D>
StepReport prepare(const Options<D>& options, const Model<D>& model, State<D>& state, Scratch<D>& scratch);

// Makes boundary particles and lists anew, after a resume.
template <int D>
void rebuild(const Options<D>& options, const Model<D>& model, State<D>& state, Scratch<D>& scratch);

// So many steps, fewer if a check fails.
template <int D>
StepReport advance(const Options<D>& options, const Model<D>& model, State<D>& state, Scratch<D>& scratch, i64 steps);

}  // namespace talus::sph
