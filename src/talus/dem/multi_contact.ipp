// The stage "displace" of multi-contact models: what the other contacts of its grains add to the overlap of each row. See
// docs/design/018-bulges.md.
#pragma once
#include <talus/dem/grain_displacements.ipp>
#if !defined(__CUDACC__)
#include <talus/dem/displacement_lanes.ipp>
#endif
#include <talus/exec/timers.hpp>

namespace talus::dem {

// What an iteration takes of the step that the map would make: contacts that push one another away must not overshoot.
inline constexpr Real displacement_relaxation = 0.8;

struct Forget {
  Tally* tally;
  TALUS_HD void operator()(std::size_t) const { tally->displacement = 0; }
};

// How the slowest mode of the map from forces to forces goes on. A mode is kept as it was over the size of the one before, so
// its size is the factor by which errors of forces change from pass to pass.
struct Contract {
  const Vec2* sum;  // of the squares of modes and forces
  Tally* tally;
  Real reach;
  TALUS_HD void operator()(std::size_t) const {
    Tally& t = *tally;
    const Real mode = std::sqrt(sum->x), force = std::sqrt(sum->y);
    const bool runs = mode > Real(1e-100);
    t.contraction = runs ? mode : Real(0);
    t.steepest = max(t.steepest, t.contraction);
    t.trend_scale = runs ? 1 / mode : Real(0);
    t.seed_scale =
        !runs && force > 0 ? Real(0.5) / force : Real(0);  // so that its first size, which means nothing, is below 1
    if (t.contraction > 1) t.status |= folded;
    if (!(t.displacement <= reach)) t.status |= t.displacement < HUGE_VAL ? short_reach : not_finite;
  }
};

struct ModeOf {
  Span<const Vec2> of_uid;
  TALUS_HD Vec2 operator()(std::size_t uid) const { return of_uid[uid]; }
};

// The only law that has rows, or law_count.
template <int D>
u32 sole_law(const Scratch<D>& s) {
  u32 sole = law_count, laws = 0;
  for (u32 law = 0; law < law_count; ++law)
    if (s.index[law].body_a.size() > 0) sole = law, ++laws;
  return laws == 1 ? sole : u32(law_count);
}

template <int D>
BoundGrain<D> bound_kernel(const Model<D>& model, State<D>& state, Scratch<D>& s) {
  BoundGrain<D> most{.loads = {},
                     .firsts = {},
                     .start = s.incidence_start.span(),
                     .incidence = s.incidence.span(),
                     .body_rows = s.body_rows.span(),
                     .idle = s.idle.span(),
                     .activated = s.activated.span(),
                     .trial = s.trial.span(),
                     .moving = s.moving.span(),
                     .material = state.bodies.material.span(),
                     .constants = model.multi_contact.constants.span(),
                     .bound = s.bound.span(),
                     .sole = sole_law(s),
                     .tangential = model.multi_contact.tangential};
  for_each_law([&]<std::size_t L>() {
    most.loads[L] = state.template rows_of<L>().load.span();
    most.firsts[L] = s.index[L].first;
  });
  return most;
}

template <int D, class Kernel>
GrainDisplacements<D, Kernel> displacement_kernel(const Model<D>& model, State<D>& state, Scratch<D>& s,
                                           const Kernel& kernel) {
  const Bodies<D>& b = state.bodies;
  GrainDisplacements<D, Kernel> grain{.kernel = kernel,
                                      .laws = {},
                                      .start = s.incidence_start.span(),
                                      .incidence = s.incidence.span(),
                                      .body_rows = s.body_rows.span(),
                                      .idle = s.idle.span(),
                                      .marks = s.marks.span(),
                                      .activated = s.activated.span(),
                                      .close = s.close.span(),
                                      .trend = s.trend.span(),
                                      .trial = s.trial.span(),
                                      .moving = s.moving.span(),
                                      .material = b.material.span(),
                                      .uid = b.uid.span(),
                                      .shape = b.shape.span(),
                                      .shapes = model.shapes.span(),
                                      .closing = b.closing.span(),
                                      .constants = model.multi_contact.constants.span(),
                                      .bound = s.bound.span(),
                                      .mode_of_uid = s.mode_of_uid.span(),
                                      .globals = globals_of(state, s),
                                      .reach = model.multi_contact.reach,
                                      .sole = sole_law(s),
                                      .self_term = model.multi_contact.self_term,
                                      .tangential = model.multi_contact.tangential};
  for_each_law([&]<std::size_t L>() {
    auto& rows = state.template rows_of<L>();
    grain.laws[L] = {.key = rows.key.span(),
                     .body_a = s.index[L].body_a.span(),
                     .body_b = s.index[L].body_b.span(),
                     .load = rows.load.span(),
                     .tangential_force = rows.tangential_force.span(),
                     .displacement = rows.displacement.span(),
                     .first = s.index[L].first};
  });
  return grain;
}

// 4. Displacements from the forces of the last step, or of the iteration.
template <class Exec, int D>
void displace(const Model<D>& model, State<D>& state, Scratch<D>& s) {
  if constexpr (D == 3) {
    if (!model.multi_contact.acts()) return;
    const exec::Stage timed("displace");
    Exec::for_each(1, Forget{s.tally.data()});
    Exec::for_each(state.grains(), bound_kernel(model, state, s));
    with_kernel(model.multi_contact, [&]<class Kernel>(const Kernel& kernel) {
      const auto grain = displacement_kernel(model, state, s, kernel);
#if defined(__CUDACC__)
      Exec::raise(state.grains(), grain, &s.tally.data()->displacement);
#else
      Exec::raise(state.grains(), DisplacementLanes<D, Kernel>{grain}, &s.tally.data()->displacement);
#endif
    });
    Exec::sum_into(s.mode_of_uid.size(), ModeOf{s.mode_of_uid.span()}, s.mode_sum.data(), s.mode_parts);
    Exec::for_each(1, Contract{s.mode_sum.data(), s.tally.data(), model.multi_contact.reach});
  }
}

}  // namespace talus::dem
