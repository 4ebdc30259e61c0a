// The step of the explicit method. Included by host.ipp, and by cuda.ipp for the device.
#pragma once
#include <talus/dem/bulge_solve.ipp>
#include <talus/dem/contacts.ipp>
#include <talus/dem/gather.ipp>
#include <talus/dem/motion.ipp>
#include <talus/dem/rebuild.ipp>
#include <talus/dem/step.hpp>
#include <talus/dem/sweep.ipp>
#include <talus/stages/shaken.hpp>

namespace talus::dem {

// Calls f<Rotation, Keep>() with the options as compile-time constants.
template <int D, class F>
void with_options(const Model<D>& model, F&& f) {
  const auto with_keep = [&]<bool Rotation>() {
    if (model.options.ledger) return f.template operator()<Rotation, Keep::ledger>();
    if (needs_stress(model)) return f.template operator()<Rotation, Keep::stress>();
    return f.template operator()<Rotation, Keep::forces>();
  };
  return model.options.rotation ? with_keep.template operator()<true>() : with_keep.template operator()<false>();
}

// Steps know bodies by their records in the scratch. The columns of the state are good again after `unpack`: before a
// rebuild, and when somebody looks.
template <class Exec, int D>
void pack(const State<D>& state, Scratch<D>& s, const Globals<D>* globals) {
  const Bodies<D>& b = state.bodies;
  s.moving.resize_unset(b.size());
  Exec::for_each(b.size(), Pack<D>{b.position.span(), b.velocity.span(), b.spin.span(), b.radius.span(),
                                   b.inverse_mass.span(), globals, s.moving.span()});
}
template <class Exec, int D>
void unpack(State<D>& state, Scratch<D>& s) {
  Bodies<D>& b = state.bodies;
  Exec::for_each(b.size(), Unpack<D>{s.moving.span(), b.position.span(), b.velocity.span(), b.spin.span()});
}

// 1. Walls, cell, radii.
template <class Exec, int D>
void drive(const Model<D>& model, State<D>& state, Scratch<D>& s) {
  const exec::Stage timed("drive");
  Exec::for_each(1, Drive<D>{wall_view(model, state), model.cell, state.bodies.force.span(), s.moving.span(),
                             state.bodies.position.span(), s.wall_force.span(), globals_of(state, s), s.tally.data()});
}

// 2., 3. First half kick, drift, and a look whether the lists are still good.
template <class Exec, int D>
void move(const Model<D>& model, State<D>& state, Scratch<D>& s, bool shaken) {
  const exec::Stage timed("move");
  Bodies<D>& b = state.bodies;
  const auto run = [&]<bool Rotation>() {
    Exec::raise(b.size(),
                Move<D, Rotation>{s.moving.span(), b.force.span(), s.reference.span(), b.torque.span(), b.radius.span(),
                                  b.inverse_inertia.span(), globals_of(state, s), state.grains(), s.ahead},
                &s.tally.data()->moved);
  };
  model.options.rotation ? run.template operator()<true>() : run.template operator()<false>();
  Exec::for_each(1, Check<D>{globals_of(state, s), s.tally.data(), s.reference_h, s.reference_scale, s.skin,
                             s.largest_radius, shaken});
}

template <int D, std::size_t L, bool Rotation, Keep K>
auto act_kernel(const Model<D>& model, State<D>& state, Scratch<D>& s) {
  using Law = std::tuple_element_t<L, Laws<D>>;
  auto& rows = state.template rows_of<L>();
  const RowIndex& index = s.index[L];
  const auto from = [](auto& column, u32 first) {
    auto all = column.span();
    return all.size == 0 ? all : decltype(all){all.data + first, all.size - first};
  };
  return Act<D, Law, Rotation, K>{body_view(model, state),
                                  s.moving.span(),
                                  globals_of(state, s),
                                  rows.key.span(),
                                  index.body_a.span(),
                                  index.body_b.span(),
                                  index.params.span(),
                                  rows.shift.span(),
                                  std::get<L>(model.pairs.constants.of).span(),
                                  rows.history.span(),
                                  rows.viscous.span(),
                                  rows.swell.span(),
                                  rows.load.span(),
                                  rows.drag.span(),
                                  from(s.push, index.slots),
                                  from(s.couple, index.slots),
                                  from(s.branch, index.slots),
                                  from(s.work, index.slots),
                                  s.ahead ? Span<Vec<D>>{} : from(s.kept, index.first),
                                  from(s.marks, index.first),
                                  from(s.trend, index.first),
                                  from(s.close, 2 * index.first),
                                  from(s.model_work, index.first),
                                  s.woken.span(),
                                  s.tally.data(),
                                  s.plan.ring - 1,
                                  !rows.shift.empty()};
}

template <int D, bool Rotation, Keep K>
Gather<D, Rotation, K> gather_kernel(const Model<D>& model, State<D>& state, Scratch<D>& s) {
  Bodies<D>& b = state.bodies;
  return {s.incidence_start.span(),
          s.incidence.span(),
          s.active_end.span(),
          s.active.span(),
          b.uid.span(),
          s.marks.span(),
          s.woken.span(),
          s.push.span(),
          s.couple.span(),
          s.branch.span(),
          s.work.span(),
          s.moving.span(),
          b.force.span(),
          b.torque.span(),
          b.mass.span(),
          b.inverse_inertia.span(),
          b.applied.span(),
          b.applied_work.span(),
          b.work.span(),
          s.virial_of_uid.span(),
          globals_of(state, s),
          s.earliest.span(),
          slot_finder(s),
          model.options.local_damping,
          model.options.density_scale,
          s.ahead,
          D == 3 && model.bulge.acts()};
}

template <int D>
struct VirialOf {
  Span<const Mat<D>> of_uid;
  TALUS_HD Mat<D> operator()(std::size_t uid) const { return of_uid[uid]; }
};

template <class Exec>
concept OnDevice = requires {
  Exec::gate;
};

// A device: one kernel after the other.
template <OnDevice Exec, bool Rotation, Keep K, int D>
void act_then_gather(const Model<D>& model, State<D>& state, Scratch<D>& s) {
  Tally* tally = s.tally.data();
  for_each_law([&]<std::size_t L>() {
    Exec::raise(state.template rows_of<L>().size(), act_kernel<D, L, Rotation, K>(model, state, s), &tally->overlap);
  });
  const auto gather = gather_kernel<D, Rotation, K>(model, state, s);
  Exec::raise(state.grains(), gather, &tally->fastest);
  Exec::template wide<GatherSums<D>>(state.grains(), state.walls, gather);  // a wall touches thousands
}
template <class Exec, bool Rotation, Keep K, int D>
void act_then_gather(const Model<D>& model, State<D>& state, Scratch<D>& s) {
  const auto acts = [&]<std::size_t... L>(std::index_sequence<L...>) {
    return std::tuple(act_kernel<D, L, Rotation, K>(model, state, s)...);
  }
  (std::make_index_sequence<law_count>{});
  sweep<Exec>(acts, gather_kernel<D, Rotation, K>(model, state, s), s, state.grains(), state.bodies.size());
}

// 5. to 7. Contact forces of every law; forces per body, gravity, damping, second half kick; the sum of the virial.
template <class Exec, int D>
void contacts_and_sums(const Model<D>& model, State<D>& state, Scratch<D>& s) {
  {
    const exec::Stage timed("contacts");
    with_options(model, [&]<bool Rotation, Keep K>() { act_then_gather<Exec, Rotation, K>(model, state, s); });
  }
  if (!needs_stress(model)) return;
  const exec::Stage timed("virial");
  Exec::sum_into(s.virial_of_uid.size(), VirialOf<D>{s.virial_of_uid.span()}, s.virial.data(), s.virial_parts);
}

// 8. Books and time.
template <class Exec, int D>
void finish(const Model<D>& model, State<D>& state, Scratch<D>& s, bool advances) {
  const exec::Stage timed("finish");
  Exec::for_each(1, Finish<D>{globals_of(state, s), s.virial.data(), s.tally.data(), state.bodies.force.span(),
                              s.wall_force.span(), s.moving.span(), state.grains(), model.options.overlap_limit,
                              needs_stress(model), advances});
}

// Forces of the positions as they are, and what follows from them.
template <class Exec, int D>
void push(const Model<D>& model, State<D>& state, Scratch<D>& s, bool advances) {
  swell<Exec>(model, state, s);
  contacts_and_sums<Exec>(model, state, s);
  if (advances) book_model_work<Exec>(state, s);
  finish<Exec>(model, state, s, advances);
}

}  // namespace talus::dem
