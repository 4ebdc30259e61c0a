// The step of the explicit method. Included by host.ipp, and by cuda.ipp for the device.
#pragma once
#include <talus/dem/contacts.ipp>
#include <talus/dem/motion.ipp>
#include <talus/dem/rebuild.ipp>
#include <talus/dem/step.hpp>

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

// 1. Walls, cell, radii.
template <class Exec, int D>
void drive(const Model<D>& model, State<D>& state, Scratch<D>& s) {
  const exec::Stage timed("drive");
  Bodies<D>& b = state.bodies;
  Exec::for_each(1, Drive<D>{wall_view(model, state), model.cell, b.force.span(), b.velocity.span(),
                             s.wall_force.span(), globals_of(state, s), s.tally.data()});
}

// 2., 3. First half kick, drift, and a look whether the lists are still good.
template <class Exec, int D>
void move(const Model<D>& model, State<D>& state, Scratch<D>& s, bool shaken) {
  const exec::Stage timed("move");
  Bodies<D>& b = state.bodies;
  const auto run = [&]<bool Rotation>() {
    Exec::raise(b.size(),
                Move<D, Rotation>{b.position.span(), b.velocity.span(), b.spin.span(), b.force.span(),
                                  s.reference.span(), b.torque.span(), b.radius.span(), b.inverse_mass.span(),
                                  b.inverse_inertia.span(), s.moving.span(), globals_of(state, s), state.grains()},
                &s.tally.data()->moved);
  };
  model.options.rotation ? run.template operator()<true>() : run.template operator()<false>();
  Exec::for_each(1, Check<D>{globals_of(state, s), s.tally.data(), s.reference_h, s.reference_scale, s.skin,
                             s.largest_radius, shaken});
}

// 4., 5. Contact forces of every law.
template <class Exec, int D>
void act(const Model<D>& model, State<D>& state, Scratch<D>& s) {
  const exec::Stage timed("act");
  const auto from = [](auto& column, u32 first) {
    auto all = column.span();
    return all.size == 0 ? all : decltype(all){all.data + first, all.size - first};
  };
  with_options(model, [&]<bool Rotation, Keep K>() {
    for_each_law([&]<std::size_t L>() {
      using Law = std::tuple_element_t<L, Laws<D>>;
      auto& rows = state.template rows_of<L>();
      if (rows.size() == 0) return;
      const RowIndex& index = s.index[L];
      const u32 n = index.first;
      Exec::raise(
          rows.size(),
          Act<D, Law, Rotation, K>{body_view(model, state), s.moving.span(), globals_of(state, s), rows.key.span(),
                                   index.body_a.span(), index.body_b.span(), index.params.span(), rows.shift.span(),
                                   std::get<L>(model.pairs.constants.of).span(), rows.history.span(),
                                   rows.viscous.span(), from(s.push, n), from(s.couple, n), from(s.branch, n),
                                   from(s.work, n), from(s.quiet, n), from(s.bulge, n), !rows.shift.empty()},
          &s.tally.data()->overlap);
    });
  });
}

template <int D>
struct VirialOf {
  Span<const Mat<D>> of_uid;
  TALUS_HD Mat<D> operator()(std::size_t uid) const { return of_uid[uid]; }
};

// 6., 7. Forces per body, gravity, damping, second half kick; the sum of the virial.
template <class Exec, int D>
void gather(const Model<D>& model, State<D>& state, Scratch<D>& s) {
  const exec::Stage timed("gather");
  Bodies<D>& b = state.bodies;
  with_options(model, [&]<bool Rotation, Keep K>() {
    const Gather<D, Rotation, K> kernel{s.incidence_start.span(),
                                        s.incidence.span(),
                                        b.uid.span(),
                                        s.push.span(),
                                        s.couple.span(),
                                        s.branch.span(),
                                        s.work.span(),
                                        s.quiet.span(),
                                        b.radius.span(),
                                        b.velocity.span(),
                                        b.force.span(),
                                        b.spin.span(),
                                        b.torque.span(),
                                        b.mass.span(),
                                        b.inverse_mass.span(),
                                        b.inverse_inertia.span(),
                                        b.work.span(),
                                        s.virial_of_uid.span(),
                                        globals_of(state, s),
                                        model.options.local_damping,
                                        model.options.density_scale};
    if constexpr (requires { Exec::template wide<GatherSums<D>>(0, 0, kernel); }) {  // a wall touches thousands
      Exec::raise(state.grains(), kernel, &s.tally.data()->fastest);
      Exec::template wide<GatherSums<D>>(state.grains(), state.walls, kernel);
    } else {
      Exec::raise(b.size(), kernel, &s.tally.data()->fastest);
    }
  });
  if (needs_stress(model))
    Exec::sum_into(s.virial_of_uid.size(), VirialOf<D>{s.virial_of_uid.span()}, s.virial.data(), s.virial_parts);
}

// 8. Books and time.
template <class Exec, int D>
void finish(const Model<D>& model, State<D>& state, Scratch<D>& s, bool advances) {
  const exec::Stage timed("finish");
  Exec::for_each(1, Finish<D>{globals_of(state, s), s.virial.data(), s.tally.data(), state.bodies.force.span(),
                              state.bodies.velocity.span(), s.wall_force.span(), state.grains(),
                              model.options.overlap_limit, needs_stress(model), advances});
}

// Forces of the positions as they are, and what follows from them.
template <class Exec, int D>
void push(const Model<D>& model, State<D>& state, Scratch<D>& s, bool advances) {
  act<Exec>(model, state, s);
  gather<Exec>(model, state, s);
  finish<Exec>(model, state, s, advances);
}

// Tests: rebuild at random moments with a random order of bodies.
template <int D>
bool shaken(const Model<D>& model, const State<D>& state) {
  if (!(model.options.shake > 0)) return false;
  Rng rng{model.options.shake_seed, u64(state.globals.step), 1};
  return rng.uniform() < model.options.shake;
}

}  // namespace talus::dem
