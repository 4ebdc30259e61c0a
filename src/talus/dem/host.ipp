// The explicit method on the host. Compiled once per dimension: step_host_2d.cpp, step_host_3d.cpp.
#pragma once
#include <talus/dem/act_host.ipp>

namespace talus::dem {

using exec::Host;

TALUS_ACT_HOST(extern, 2, Keep::forces)
TALUS_ACT_HOST(extern, 2, Keep::stress)
TALUS_ACT_HOST(extern, 2, Keep::ledger)
TALUS_ACT_HOST(extern, 2, Keep::any)
TALUS_ACT_HOST(extern, 3, Keep::forces)
TALUS_ACT_HOST(extern, 3, Keep::stress)
TALUS_ACT_HOST(extern, 3, Keep::ledger)
TALUS_ACT_HOST(extern, 3, Keep::any)
TALUS_MULTI_CONTACT_HOST(extern)

template <int D>
StepReport step(const Model<D>& model, const StepOptions& options, State<D>& state, Scratch<D>& s, i64 steps) {
  s.walls_spin = any_wall_spins(model);
  return advance<RowContacts<Host, D>>(model, options, state, s, steps);
}
template <int D>
StepReport prepare(const Model<D>& model, const StepOptions& options, State<D>& state, Scratch<D>& s) {
  s.walls_spin = any_wall_spins(model);
  return find_first_forces<RowContacts<Host, D>>(model, options, state, s);
}

template <int D>
u32 rebuild(const Model<D>& model, State<D>& state, Scratch<D>& scratch) {
  return rebuild_on<exec::Host>(model, state, scratch);
}

#define TALUS_STEP_HOST(D)                                                                    \
  template StepReport step(const Model<D>&, const StepOptions&, State<D>&, Scratch<D>&, i64); \
  template StepReport prepare(const Model<D>&, const StepOptions&, State<D>&, Scratch<D>&);   \
  template u32 rebuild(const Model<D>&, State<D>&, Scratch<D>&);

}  // namespace talus::dem
