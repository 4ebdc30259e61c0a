// The contacts of the explicit method on spheres and discs: rows of every law. Included by host.ipp, and by cuda.ipp for the
// device; the step itself is in advance.ipp.
#pragma once
#include <talus/dem/advance.ipp>
#include <talus/dem/contacts.ipp>
#include <talus/dem/gather.ipp>
#include <talus/dem/multi_contact_solve.ipp>
#include <talus/dem/rebuild.ipp>
#include <talus/dem/sweep.ipp>
#include <talus/dem/wall_sums.ipp>

namespace talus::dem {

// Calls f<Rotation, Keep>() with the options as compile-time constants.
template <int D, class F>
void with_options(const Model<D>& model, F&& f) {
  if (!model.options.rotation) return f.template operator()<false, Keep::any>();
  if (model.options.ledger) return f.template operator()<true, Keep::ledger>();
  if (needs_stress(model)) return f.template operator()<true, Keep::stress>();
  return f.template operator()<true, Keep::forces>();
}

// 1. Walls, cell, radii.
template <class Exec, int D>
void drive(const Model<D>& model, State<D>& state, Scratch<D>& s) {
  const exec::Stage timed("drive");
  Exec::for_each(1, Drive<D>{.walls = wall_view(model, state),
                             .cell = model.cell,
                             .force = state.bodies.force.span(),
                             .torque = state.bodies.torque.span(),
                             .moving = s.moving.span(),
                             .position = state.bodies.position.span(),
                             .wall_force = s.wall_force.span(),
                             .wall_torque = s.wall_torque.span(),
                             .closing = state.bodies.closing.span(),
                             .wall_push = s.wall_push.span(),
                             .globals = globals_of(state, s),
                             .tally = s.tally.data()});
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
  return Act<D, Law, Rotation, K>{.view = body_view(model, state),
                                  .moving = s.moving.span(),
                                  .globals = globals_of(state, s),
                                  .key = rows.key.span(),
                                  .body_a = index.body_a.span(),
                                  .body_b = index.body_b.span(),
                                  .params = index.params.span(),
                                  .shift = rows.shift.span(),
                                  .constants = std::get<L>(model.pairs.constants.of).span(),
                                  .history = rows.history.span(),
                                  .viscous = rows.viscous.span(),
                                  .displacement = rows.displacement.span(),
                                  .loads = rows.load.span(),
                                  .tangential_force = rows.tangential_force.span(),
                                  .push = from(s.push, index.slots),
                                  .couple = from(s.couple, index.slots),
                                  .branch = from(s.branch, index.slots),
                                  .work = from(s.work, index.slots),
                                  .kept = s.ahead ? Span<Vec<D>>{} : from(s.kept, index.first),
                                  .marks = from(s.marks, index.first),
                                  .trend = from(s.trend, index.first),
                                  .close = from(s.close, 2 * index.first),
                                  .model_work = from(s.model_work, index.first),
                                  .activated = s.activated.span(),
                                  .tally = s.tally.data(),
                                  .ring_mask = s.plan.ring - 1,
                                  .shifted = !rows.shift.empty()};
}

template <int D, bool Rotation, Keep K>
Gather<D, Rotation, K> gather_kernel(const Model<D>& model, State<D>& state, Scratch<D>& s) {
  return {.start = s.incidence_start.span(),
          .incidence = s.incidence.span(),
          .active_end = s.active_end.span(),
          .active = s.active.span(),
          .marks = s.marks.span(),
          .activated = s.activated.span(),
          .push = s.push.span(),
          .couple = s.couple.span(),
          .branch = s.branch.span(),
          .row_work = s.work.span(),
          .earliest = s.earliest.span(),
          .slot_of = slot_finder(s),
          .kick = kick_kernel<D, Rotation, K>(model, state, s),
          .skewed = D == 3 && model.multi_contact.acts()};
}

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

template <class Exec_, int D>
struct RowContacts {
  using Exec = Exec_;
  using Scratch = dem::Scratch<D>;

  static bool is_ready(const State<D>& state, const Scratch& s) {
    return s.valid && s.plan.parts == Exec::parts(state.grains());
  }
  static u32 rebuild(const Model<D>& model, State<D>& state, Scratch& s) { return rebuild_on<Exec>(model, state, s); }
  static void keep(State<D>&, const Scratch&) {}  // rows lie in the state
  static bool needs_stress(const Model<D>& model) { return dem::needs_stress(model); }
  static void drive(const Model<D>& model, State<D>& state, Scratch& s) { dem::drive<Exec>(model, state, s); }
  static u32 solve_displacements(const Model<D>& model, State<D>& state, Scratch& s, bool always) {
    const bool solves = model.multi_contact.acts() && (always || model.multi_contact.iterate);
    return solves ? dem::solve_displacements<Exec>(model, state, s) : u32(fine);
  }
  static void act(const Model<D>& model, State<D>& state, Scratch& s, bool advances) {
    displace<Exec>(model, state, s);
    {
      const exec::Stage timed("act_gather");
      with_options(model, [&]<bool Rotation, Keep K>() { act_then_gather<Exec, Rotation, K>(model, state, s); });
    }
    sum_on_walls<Exec>(model, state, s);
    if (advances) enter_model_work<Exec>(state, s);
    if constexpr (!OnDevice<Exec>) s.trial.clear();  // forces of an iteration are used up
  }
};

}  // namespace talus::dem
