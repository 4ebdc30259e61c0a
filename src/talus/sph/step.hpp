#pragma once
// The step of a continuum of particles: kick, drift, kick (docs/design/029-sph.md).
#include <talus/sph/options.hpp>
#include <talus/sph/scratch.hpp>

namespace talus::sph {

struct StepReport {
  u32 status = fine;
  Real compression = 0;  // largest density / rest - 1
  Real mach = 0;         // largest speed over the speed of sound
  Real beyond = 0;       // most particles behind walls in one step
  Real time = 0;         // s, of all steps
};

// Lists, pressures and accelerations of particles as they lie, without motion.
template <int D>
StepReport prepare(const Options<D>& options, const Model<D>& model, State<D>& state, Scratch<D>& scratch);

// Makes boundary particles and lists anew, after a resume.
template <int D>
void rebuild(const Options<D>& options, const Model<D>& model, State<D>& state, Scratch<D>& scratch);

// So many steps, fewer if a check fails.
template <int D>
StepReport advance(const Options<D>& options, const Model<D>& model, State<D>& state, Scratch<D>& scratch, i64 steps);

// The particle that a status complains about (uid): the first by uid.
template <int D>
u32 culprit(const Options<D>& options, const Model<D>& model, const State<D>& state, u32 status);

}  // namespace talus::sph
