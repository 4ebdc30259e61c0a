// The explicit step as a list of stages, for any contacts: rows of spheres and discs (step.ipp), polygons (polygons.cpp), on the
// host and, in halves, on a device (cuda.ipp).
//
// `Contacts` says what depends on them:
//   Exec, Scratch                           the back end; a MotionScratch and more
//   is_ready(state, s)                      are there lists?
//   rebuild(model, state, s)                lists anew, with the memory of contacts; a status
//   keep(state, s)                          memory of contacts goes into the state
//   drive(model, state, s)                  1. walls, cell, radii
//   solve_displacements(model, state, s, always)   iterated forces of a multi-contact model; a status
//   act(model, state, s, advances)          4. to 7. touch, act, gather, kick
//   needs_stress(model)                     does act leave a virial?
#pragma once
#include <talus/dem/motion.ipp>
#include <talus/dem/step.hpp>
#include <talus/exec/timers.hpp>
#include <talus/stages/random_rebuild.hpp>

namespace talus::dem {

// Steps know bodies by their records in the scratch. The columns of the state are good again after `unpack`: before a
// rebuild, and when somebody looks.
template <class Exec, int D>
void pack(const State<D>& state, MotionScratch<D>& s, const Globals<D>* globals) {
  const Bodies<D>& b = state.bodies;
  s.moving.resize_unset(b.size());
  Exec::for_each(b.size(), Pack<D>{.position = b.position.span(),
                                   .velocity = b.velocity.span(),
                                   .spin = b.spin.span(),
                                   .radius = b.radius.span(),
                                   .inverse_mass = b.inverse_mass.span(),
                                   .globals = globals,
                                   .moving = s.moving.span()});
}
template <class Exec, int D>
void unpack(State<D>& state, const MotionScratch<D>& s) {
  Bodies<D>& b = state.bodies;
  Exec::for_each(b.size(), Unpack<D>{.moving = s.moving.span(),
                                     .position = b.position.span(),
                                     .velocity = b.velocity.span(),
                                     .spin = b.spin.span()});
}

// 2., 3. First half kick, drift, and a look whether the lists are still good.
template <class Exec, int D>
void kick_and_drift(const Model<D>& model, State<D>& state, MotionScratch<D>& s, bool forced) {
  const exec::Stage timed("kick_drift");
  Bodies<D>& b = state.bodies;
  const auto run = [&]<bool Rotation>() {
    Exec::raise(b.size(),
                Move<D, Rotation>{.moving = s.moving.span(),
                                  .force = b.force.span(),
                                  .reference = s.reference.span(),
                                  .torque = b.torque.span(),
                                  .turn = b.turn.span(),
                                  .radius = b.radius.span(),
                                  .inverse_inertia = b.inverse_inertia.span(),
                                  .globals = globals_of(state, s),
                                  .grains = state.grains(),
                                  .kicked = s.ahead},
                &s.tally.data()->moved);
  };
  model.options.rotation ? run.template operator()<true>() : run.template operator()<false>();
  Exec::for_each(1, Check<D>{.globals = globals_of(state, s),
                             .tally = s.tally.data(),
                             .closing = b.closing.span(),
                             .reference_way = s.reference_way.span(),
                             .grains = state.grains(),
                             .reference_h = s.reference_h,
                             .reference_scale = s.reference_scale,
                             .skin = s.skin,
                             .largest_radius = s.largest_radius,
                             .forced = forced});
}

// What `act` ends with for each body.
template <int D, bool Rotation, Keep K>
Kick<D, Rotation, K> kick_kernel(const Model<D>& model, State<D>& state, MotionScratch<D>& s) {
  Bodies<D>& b = state.bodies;
  return {.uid = b.uid.span(),
          .moving = s.moving.span(),
          .force = b.force.span(),
          .torque = b.torque.span(),
          .mass = b.mass.span(),
          .inverse_inertia = b.inverse_inertia.span(),
          .applied = b.applied.span(),
          .applied_work = b.applied_work.span(),
          .work = model.options.ledger ? b.work.span() : Span<BodyWork>{},
          .virial_of_uid = s.virial_of_uid.span(),
          .globals = globals_of(state, s),
          .damping = s.local_damping,
          .density_scale = model.options.density_scale,
          .ahead = s.ahead};
}

template <int D>
struct VirialOf {
  Span<const Mat<D>> of_uid;
  TALUS_HD Mat<D> operator()(std::size_t uid) const { return of_uid[uid]; }
};

// 8. The stress, work at the boundary, checks, time.
template <class Exec, int D>
void finish(const Model<D>& model, State<D>& state, MotionScratch<D>& s, bool has_virial, bool advances) {
  const exec::Stage timed("finish");
  if (has_virial)
    Exec::sum_into(s.virial_of_uid.size(), VirialOf<D>{s.virial_of_uid.span()}, s.virial.data(), s.virial_parts);
  Exec::for_each(1, Finish<D>{.globals = globals_of(state, s),
                              .virial = s.virial.data(),
                              .tally = s.tally.data(),
                              .force = state.bodies.force.span(),
                              .wall_force = s.wall_force.span(),
                              .torque = state.bodies.torque.span(),
                              .wall_torque = s.wall_torque.span(),
                              .closing = state.bodies.closing.span(),
                              .wall_push = s.wall_push.span(),
                              .moving = s.moving.span(),
                              .grains = state.grains(),
                              .overlap_limit = model.options.overlap_limit,
                              .ledger = has_virial,
                              .advances = advances});
}

// A step is these two, and new lists between them where they are needed.
template <class Contacts, int D>
void move_bodies(const Model<D>& model, State<D>& state, typename Contacts::Scratch& s, bool forced) {
  Contacts::drive(model, state, s);
  kick_and_drift<typename Contacts::Exec>(model, state, s, forced);
}
template <class Contacts, int D>
void find_forces(const Model<D>& model, State<D>& state, typename Contacts::Scratch& s, bool advances) {
  Contacts::act(model, state, s, advances);
  finish<typename Contacts::Exec>(model, state, s, Contacts::needs_stress(model), advances);
}

// A contact that remembers something touched one step ago. When the search does not find it, its bodies have parted by more than
// the skin within that step: where they are so fast the step is too long, elsewhere it is our mistake.
template <int D>
u32 blame_speed(u32 status, const State<D>& state, const MotionScratch<D>& s) {
  if (!(status & lost_history)) return status;
  const Globals<D>& g = state.globals;
  Real fastest = 0;
  for (std::size_t i = 0; i < state.bodies.size(); ++i)
    fastest = max(fastest, dot(state.bodies.velocity[i], state.bodies.velocity[i]));
  const Real parted = 2 * g.dt * (std::sqrt(fastest) + s.largest_radius * std::sqrt(contract(g.cell.rate, g.cell.rate)));
  return parted < s.skin ? status : (status & ~u32(lost_history)) | too_fast;
}

// Lists of the bodies as the records have them.
template <class Contacts, int D>
u32 rebuild_moving(const Model<D>& model, State<D>& state, typename Contacts::Scratch& s) {
  using Exec = typename Contacts::Exec;
  unpack<Exec>(state, s);
  Contacts::keep(state, s);
  const u32 status = blame_speed(Contacts::rebuild(model, state, s), state, s);
  pack<Exec>(state, s, &state.globals);
  return status;
}

// Steps on the host.
template <class Contacts, int D>
StepReport advance(const Model<D>& model, const StepOptions& options, State<D>& state, typename Contacts::Scratch& s, i64 steps) {
  using Exec = typename Contacts::Exec;
  StepReport report;
  s.local_damping = options.local_damping;
  if (!Contacts::is_ready(state, s)) report.status |= Contacts::rebuild(model, state, s);
  pack<Exec>(state, s, &state.globals);
  const Tally& tally = *s.tally.data();
  for (i64 n = 0; n < steps && report.status == fine; ++n) {
    s.tally[0] = {};
    move_bodies<Contacts>(model, state, s, random_rebuild_due(model, state));
    if (tally.halted == 1) {
      report.status |= rebuild_moving<Contacts>(model, state, s);
      report.rebuilt = true;
    }
    s.ahead = n + 1 < steps;
    if (tally.halted != 2) {
      report.status |= Contacts::solve_displacements(model, state, s, false);
      find_forces<Contacts>(model, state, s, true);
    }
    report.status |= tally.status;
    report.overlap = max(report.overlap, tally.overlap);
    report.contraction = max(report.contraction, tally.steepest);
  }
  s.ahead = false;
  unpack<Exec>(state, s);
  Contacts::keep(state, s);
  return report;
}

// Forces of the present positions, without motion: the same stages with a step of zero length.
template <class Contacts, int D>
StepReport find_first_forces(const Model<D>& model, const StepOptions& options, State<D>& state, typename Contacts::Scratch& s) {
  using Exec = typename Contacts::Exec;
  StepReport report;
  s.local_damping = options.local_damping;
  const Real dt = state.globals.dt;
  state.globals.dt = 0;
  state.globals.cell.rate = {};
  report.status |= Contacts::rebuild(model, state, s);
  pack<Exec>(state, s, &state.globals);
  s.tally[0] = {};
  // A sample begins with displacements that belong to its forces, whatever the steps will do.
  report.status |= Contacts::solve_displacements(model, state, s, true);
  find_forces<Contacts>(model, state, s, false);
  const Tally& tally = *s.tally.data();
  report.status |= tally.status & ~u32(deep_overlap);  // the caller looks at the overlap
  report.contraction = tally.contraction;
  report.overlap = tally.overlap;
  unpack<Exec>(state, s);
  Contacts::keep(state, s);
  state.globals.dt = dt;
  return report;
}

}  // namespace talus::dem
