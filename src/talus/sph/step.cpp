#include <talus/sph/step.hpp>

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

#define TALUS_INSTANTIATE(D)                                                                                 \
  template StepReport prepare(const Options<D>&, const Model<D>&, State<D>&, Scratch<D>&);                   \
  template void rebuild(const Options<D>&, const Model<D>&, State<D>&, Scratch<D>&);                         \
  template StepReport advance(const Options<D>&, const Model<D>&, State<D>&, Scratch<D>&, i64);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

}  // namespace talus::sph
