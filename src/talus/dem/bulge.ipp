// The stage "bulge" of multi-contact models: what the other contacts of its grains add to the overlap of each row. See
// docs/design/018-bulges.md.
#pragma once
#include <talus/dem/swell_grain.ipp>
#include <talus/exec/timers.hpp>

namespace talus::dem {

// What an iteration takes of the step that the map would make: contacts that push one another away must not overshoot.
inline constexpr Real bulge_relaxation = 0.8;

struct Forget {
  Tally* tally;
  TALUS_HD void operator()(std::size_t) const { tally->swell = 0; }
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
    if (!(t.swell <= reach)) t.status |= t.swell < HUGE_VAL ? short_reach : not_finite;
  }
};

struct ModeOf {
  Span<const Vec2> of_uid;
  TALUS_HD Vec2 operator()(std::size_t uid) const { return of_uid[uid]; }
};

// 4. Bulges from the forces of the last step, or of the iteration.
template <class Exec, int D>
void swell(const Model<D>& model, State<D>& state, Scratch<D>& s) {
  if constexpr (D == 3) {
    if (!model.bulge.acts()) return;
    const exec::Stage timed("bulge");
    with_kernel(model.bulge, [&]<class Kernel>(const Kernel& kernel) {
      const Bodies<D>& b = state.bodies;
      u32 sole = law_count, laws = 0;
      for (u32 law = 0; law < law_count; ++law)
        if (s.index[law].body_a.size() > 0) sole = law, ++laws;
      if (laws != 1) sole = law_count;
      SwellGrain<D, Kernel> grain{kernel,
                                  {},
                                  s.incidence_start.span(),
                                  s.incidence.span(),
                                  s.meetings.span(),
                                  s.idle.span(),
                                  s.marks.span(),
                                  s.woken.span(),
                                  s.close.span(),
                                  s.trend.span(),
                                  s.trial.span(),
                                  s.moving.span(),
                                  b.material.span(),
                                  b.uid.span(),
                                  b.shape.span(),
                                  model.shapes.span(),
                                  model.bulge.constants.span(),
                                  s.bound.span(),
                                  s.mode_of_uid.span(),
                                  globals_of(state, s),
                                  model.bulge.reach,
                                  sole,
                                  model.bulge.self_term,
                                  model.bulge.tangential};
      BoundGrain<D> most{{},
                         {},
                         grain.start,
                         grain.incidence,
                         grain.meetings,
                         grain.idle,
                         grain.woken,
                         grain.trial,
                         grain.moving,
                         grain.material,
                         grain.constants,
                         s.bound.span(),
                         sole,
                         model.bulge.tangential};
      for_each_law([&]<std::size_t L>() {
        auto& rows = state.template rows_of<L>();
        most.loads[L] = rows.load.span();
        most.firsts[L] = s.index[L].first;
        grain.laws[L] = {rows.key.span(),  s.index[L].body_a.span(), s.index[L].body_b.span(), rows.load.span(),
                         rows.drag.span(), rows.swell.span(),        s.index[L].first};
      });
      Exec::for_each(1, Forget{s.tally.data()});
      Exec::for_each(state.grains(), most);
      Exec::raise(state.grains(), grain, &s.tally.data()->swell);
    });
    Exec::sum_into(s.mode_of_uid.size(), ModeOf{s.mode_of_uid.span()}, s.mode_sum.data(), s.mode_parts);
    Exec::for_each(1, Contract{s.mode_sum.data(), s.tally.data(), model.bulge.reach});
  }
}

}  // namespace talus::dem
