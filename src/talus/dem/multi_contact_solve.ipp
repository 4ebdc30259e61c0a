// Multi-contact models beyond the pass of every step (multi_contact.ipp): forces and displacements iterated to a tolerance, and the work that
// a model does which is not conservative.
#pragma once
#include <talus/dem/multi_contact.ipp>

namespace talus::dem {

// One row of an iteration: the force that its law would give at rest with the displacements as they are. Returns the change.
template <int D, class Law>
struct PressRow {
  BodyView<D> view;
  Span<const Moving<D>> moving;
  Span<const RowKey> key;
  Span<const u32> body_a, body_b;
  Span<const typename Law::Params> constants;
  Span<const u32> params;
  Span<const Real> shift;
  Span<const Sides> displacement, trend;
  Span<Load> load;
  Span<Real> trial;
  const Globals<D>* globals;
  Tally* tally;
  Real relax;
  Span<const u8> marks;
  Span<u8> activated;
  TALUS_HD Real operator()(std::size_t r) const {
    const u32 a = body_a[r], b = body_b[r];
    const bool is_wall = a >= view.grains || b >= view.grains;
    const Moving<D>&at_a = moving[a], &at_b = moving[b];
    const Vec<D> branch = branch_of(globals->cell, at_a.position, at_b.position, key[r]);
    const Contact<D> c = is_wall ? touch_wall(view, a, b, branch, at_a.radius, at_b.radius)
                                 : touch_pair(branch, at_a.radius, at_b.radius);
    const Real overlap = c.overlap + displacement[r].a + displacement[r].b + (shift.size > 0 ? shift[r] : Real(0));
    Real force = 0, stiffness = 0;
    if (overlap > 0) {
      const auto& p = constants[params.size > 0 ? params[r] : 0];
      const Touch<D> t{c.normal, overlap, c.radius, 1 / (at_a.inverse_mass + at_b.inverse_mass)};
      typename Law::History none{};
      Audit<D> audit;
      force = dot(Law::act(p, t, Slip<D>{{}, {}, 0, 0}, none, audit).force, c.normal);
      stiffness = Law::stiffness(p, t);
    }
    const Real change = force - trial[r], before = trial[r];
    trial[r] = force > 0 ? trial[r] + relax * change : Real(0);
    if (trial[r] > 0 && (marks[r] & row_inactive)) {  // it may become inactive again: its mark stays until the law acts
      exec::set_flag(&activated[a]);
      exec::set_flag(&activated[b]);
    }
    Load& here = load[r];  // force and displacement are those of the last step until the law acts
    here.normal = overlap > 0 ? c.normal : Vec<D>{};
    here.depth = overlap > 0 ? c.depth : Real(0);
    here.skew = overlap > 0 && !is_wall ? Real(0.5) * (displacement[r].a - displacement[r].b) : Real(0);
    here.mode =
        overlap > 0 ? tally->trend_scale * stiffness * (trend[r].a + trend[r].b) + tally->seed_scale * before : Real(0);
    return std::abs(change);
  }
};
struct StrongestOf {
  Span<const Real> trial;
  TALUS_HD Real operator()(std::size_t r) const { return finite_or_infinity(trial[r]); }
};

// An iteration begins with the forces of the last step.
struct TakeForces {
  Span<const Load> load;
  Span<Real> trial;
  TALUS_HD void operator()(std::size_t r) const { trial[r] = load[r].force; }
};
struct BeginPass {
  Tally* tally;
  TALUS_HD void operator()(std::size_t) const { tally->change = tally->strongest = 0; }
};
struct CheckConverged {
  Tally* tally;
  Real tolerance;
  TALUS_HD void operator()(std::size_t) const {
    tally->solved = tally->status != fine || tally->change <= tolerance * tally->strongest;
  }
};

template <class Exec, int D>
void begin_solving(State<D>& state, Scratch<D>& s) {
  s.trial.resize_unset(s.marks.size());
  for_each_law([&]<std::size_t L>() {
    const auto& rows = state.template rows_of<L>();
    Exec::for_each(rows.size(), TakeForces{rows.load.span(), {s.trial.data() + s.index[L].first, rows.size()}});
  });
}

// One pass of an iteration of forces and displacements of the present positions.
template <class Exec, int D>
void solve_once(const Model<D>& model, State<D>& state, Scratch<D>& s) {
  Tally* tally = s.tally.data();
  displace<Exec>(model, state, s);
  Exec::for_each(1, BeginPass{tally});
  for_each_law([&]<std::size_t L>() {
    using Law = std::tuple_element_t<L, Laws<D>>;
    auto& rows = state.template rows_of<L>();
    const RowIndex& index = s.index[L];
    Exec::raise(rows.size(),
                PressRow<D, Law>{.view = body_view(model, state),
                                 .moving = s.moving.span(),
                                 .key = rows.key.span(),
                                 .body_a = index.body_a.span(),
                                 .body_b = index.body_b.span(),
                                 .constants = std::get<L>(model.pairs.constants.of).span(),
                                 .params = index.params.span(),
                                 .shift = rows.shift.span(),
                                 .displacement = rows.displacement.span(),
                                 .trend = {s.trend.data() + index.first, rows.size()},
                                 .load = rows.load.span(),
                                 .trial = {s.trial.data() + index.first, rows.size()},
                                 .globals = globals_of(state, s),
                                 .tally = tally,
                                 .relax = displacement_relaxation,
                                 .marks = {s.marks.data() + index.first, rows.size()},
                                 .activated = s.activated.span()},
                &tally->change);
  });
  Exec::raise(s.trial.size(), StrongestOf{s.trial.span()}, &tally->strongest);
  Exec::for_each(1, CheckConverged{tally, model.multi_contact.tolerance});
}

// Iterates to the tolerance on the host. Returns a status.
template <class Exec, int D>
u32 solve_displacements(const Model<D>& model, State<D>& state, Scratch<D>& s) {
  if constexpr (D == 3) {
    const Tally& tally = *s.tally.data();
    begin_solving<Exec>(state, s);
    for (i64 n = 0; n < model.multi_contact.max_iterations; ++n) {
      solve_once<Exec>(model, state, s);
      if (tally.solved) return tally.status;
    }
    return not_solved;
  }
  return fine;
}

// Model work of each body's rows as first body, in order.
struct EnterModelWork {
  Span<const u32> start, incidence;
  Span<const Real> of_row;
  Span<Real> work;
  TALUS_HD void operator()(std::size_t i) const {
    Real sum = 0;
    for (u32 e = start[i]; e < start[i + 1]; ++e)
      if (!(incidence[e] & 1u)) sum += of_row[incidence[e] >> 1];
    work[i] += sum;
  }
};
template <class Exec, int D>
void enter_model_work(State<D>& state, Scratch<D>& s) {
  if (s.model_work.empty()) return;
  Exec::for_each(state.bodies.size(), EnterModelWork{.start = s.incidence_start.span(),
                                                    .incidence = s.incidence.span(),
                                                    .of_row = s.model_work.span(),
                                                    .work = state.bodies.model_work.span()});
}

}  // namespace talus::dem

// Compiled for the host in multi_contact_host.cpp. `Where`: as in act_host.ipp.
#define TALUS_MULTI_CONTACT_HOST(Where)                                                        \
  Where template void displace<exec::Host>(const Model<3>&, State<3>&, Scratch<3>&);      \
  Where template u32 solve_displacements<exec::Host>(const Model<3>&, State<3>&, Scratch<3>&);
