#include <talus/sph/step.hpp>

#include <cmath>

#include <talus/sph/step.ipp>

namespace talus::sph {

template <int D>
StepReport prepare(const Options<D>& o, const Model<D>& model, State<D>& state, Scratch<D>& scratch) {
  scratch.lists.valid = false;
  scratch.reference = {};
  Stepper<exec::Host, D> stepper(o, model, state, scratch);
  stepper.prepare();
  return stepper.report;
}

template <int D>
void rebuild(const Options<D>& o, const Model<D>& model, State<D>& state, Scratch<D>& scratch) {
  make_boundary(o, model, state, scratch.boundary);
  Stepper<exec::Host, D>(o, model, state, scratch).rebuild();
}

template <int D>
StepReport advance(const Options<D>& o, const Model<D>& model, State<D>& state, Scratch<D>& scratch, i64 steps) {
  return advance_on<exec::Host>(o, model, state, scratch, steps);
}

template <int D>
u32 culprit(const Options<D>& o, const Model<D>&, const State<D>& state, u32 status) {
  const Particles<D>& p = state.particles;
  u32 first = 0xffffffffu;
  for (std::size_t i = 0; i < p.size(); ++i) {
    bool broken = true, lost = false;
    for (int k = 0; k < D; ++k) {
      const Real x = p.position[i][k], far = o.support * o.spacing;
      broken = broken && std::isfinite(x) && std::isfinite(p.velocity[i][k]) && std::isfinite(p.acceleration[i][k]);
      lost = lost || (!state.globals.cell.periodic[k] && !(x > -far && x < state.globals.cell.h(k, k) + far));
    }
    broken = !(broken && std::isfinite(p.density[i]));
    const bool dense = !(p.density[i] < densest * o.matter[p.material[i]].volume.density);
    const bool guilty = status & not_finite ? broken : status & lost_particle ? lost : dense;
    if (guilty && p.uid[i] < first) first = p.uid[i];
  }
  return first;
}

#define TALUS_INSTANTIATE(D)                                                                                 \
  template StepReport prepare(const Options<D>&, const Model<D>&, State<D>&, Scratch<D>&);                   \
  template void rebuild(const Options<D>&, const Model<D>&, State<D>&, Scratch<D>&);                         \
  template StepReport advance(const Options<D>&, const Model<D>&, State<D>&, Scratch<D>&, i64);              \
  template u32 culprit(const Options<D>&, const Model<D>&, const State<D>&, u32);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

}  // namespace talus::sph
