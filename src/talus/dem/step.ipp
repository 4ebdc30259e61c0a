// The step of the explicit method. Included by step_host.cpp, and by step_cuda.cu for the device.
#pragma once
#include <talus/dem/contacts.ipp>
#include <talus/dem/motion.ipp>
#include <talus/dem/rebuild.ipp>
#include <talus/dem/step.hpp>
#include <talus/state/sample_volume.hpp>
#include <talus/state/wall_area.hpp>

namespace talus::dem {

template <int D>
bool needs_stress(const Model<D>& model) {
  return model.cell.needs_stress() || model.options.ledger;
}

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

// 1. Walls and cell get the velocities of this step from what was measured at the end of the last.
template <int D>
void drive(const Model<D>& model, State<D>& state) {
  const exec::Stage timed("drive");
  Globals<D>& g = state.globals;
  bool walls_limited = false;
  for (std::size_t w = 0; w < model.walls.size(); ++w) {
    const std::size_t i = state.grains() + w;
    const WallDrive<D>& d = model.walls[w].drive;
    const Vec<D> normal = model.shapes[state.bodies.shape[i]].normal;
    const Real area = wall_area(model, state, w);
    walls_limited = walls_limited || d.is_limited(normal, state.bodies.force[i], area);
    state.bodies.velocity[i] = d.move(normal, state.bodies.force[i], area, g.time, g.dt);
  }
  const Mat<D> stress = (1 / sample_volume(model, state)) * g.virial;
  g.cell.rate = model.cell.rate(stress);
  g.servo_limited += model.cell.is_limited(stress) || walls_limited;
}

// 2. First half kick.
template <class Exec, int D>
void kick(const Model<D>& model, State<D>& state) {
  const exec::Stage timed("kick");
  Bodies<D>& b = state.bodies;
  const auto run = [&]<bool Rotation>() {
    Exec::for_each(b.size(), Kick<D, Rotation>{b.velocity.span(), b.spin.span(), b.force.span(), b.torque.span(),
                                               b.inverse_mass.span(), b.inverse_inertia.span(), state.globals.dt / 2});
  };
  model.options.rotation ? run.template operator()<true>() : run.template operator()<false>();
}

template <int D>
bool deforms(const Cell<D>& cell) {
  return contract(cell.rate, cell.rate) > 0;
}

// Positions, cell and radii move on. Returns the largest displacement since the last rebuild.
template <class Exec, int D>
Real drift(State<D>& state, const Scratch<D>& s) {
  const exec::Stage timed("drift");
  Globals<D>& g = state.globals;
  Bodies<D>& b = state.bodies;
  const Mat<D> rate = g.cell.rate;
  const bool moving = deforms(g.cell);
  if (moving) g.cell.deform(g.dt);
  g.radius_scale += g.dt * g.radius_rate;
  return std::sqrt(Exec::max(b.size(), Drift<D>{b.position.span(), b.velocity.span(), s.reference.span(), rate,
                                                g.cell.h, g.dt, state.grains(), moving}));
}

// 4., 5. Contact forces of every law. Returns the largest overlap over the smaller radius.
template <class Exec, int D>
Real act(const Model<D>& model, State<D>& state, Scratch<D>& s) {
  const exec::Stage timed("act");
  const Globals<D>& g = state.globals;
  const BodyView<D> bodies = body_view(model, state);
  Real deepest = 0;
  with_options(model, [&]<bool Rotation, Keep K>() {
    for_each_law([&]<std::size_t L>() {
      using Law = std::tuple_element_t<L, Laws<D>>;
      auto& rows = state.template rows_of<L>();
      if (rows.size() == 0) return;
      const RowIndex& index = s.index[L];
      deepest =
          max(deepest, Exec::max(rows.size(), Act<D, Law, Rotation, K>{bodies,
                                                                       rows.key.span(),
                                                                       index.body_a.span(),
                                                                       index.body_b.span(),
                                                                       index.params.span(),
                                                                       rows.shift.span(),
                                                                       std::get<L>(model.pairs.constants.of).span(),
                                                                       rows.history.span(),
                                                                       rows.viscous.span(),
                                                                       index.first,
                                                                       s.force.span(),
                                                                       s.branch.span(),
                                                                       s.moment_a.span(),
                                                                       s.moment_b.span(),
                                                                       s.work.span(),
                                                                       s.quiet.span(),
                                                                       s.bulge.span(),
                                                                       g.dt,
                                                                       g.friction_scale,
                                                                       deforms(g.cell)}));
    });
  });
  return deepest;
}

template <int D>
struct VirialOf {
  Span<const Mat<D>> of_uid;
  TALUS_HD Mat<D> operator()(std::size_t uid) const { return of_uid[uid]; }
};

// 6. Forces per body; the stress; the work of cell and walls by the mean of their forces before and after the step.
template <class Exec, int D>
void gather(const Model<D>& model, State<D>& state, Scratch<D>& s) {
  const exec::Stage timed("gather");
  Globals<D>& g = state.globals;
  Bodies<D>& b = state.bodies;
  std::vector<Vec<D>> wall_force(b.force.begin() + std::ptrdiff_t(state.grains()), b.force.end());
  with_options(model, [&]<bool Rotation, Keep K>() {
    Exec::for_each(b.size(), Gather<D, Rotation, K>{s.incidence_start.span(), s.incidence.span(), b.uid.span(),
                                                    s.force.span(), s.branch.span(), s.moment_a.span(),
                                                    s.moment_b.span(), s.work.span(), s.quiet.span(), b.force.span(),
                                                    b.torque.span(), b.work.span(), s.virial_of_uid.span()});
  });
  if (!needs_stress(model)) return;
  const Mat<D> before = g.virial;
  g.virial = Exec::template sum<Mat<D>>(s.virial_of_uid.size(), VirialOf<D>{s.virial_of_uid.span()});
  g.boundary_work -= Real(0.5) * g.dt * contract(before + g.virial, g.cell.rate);
  for (std::size_t w = 0; w < wall_force.size(); ++w) {
    const std::size_t i = state.grains() + w;
    g.boundary_work -= Real(0.5) * g.dt * dot(wall_force[w] + b.force[i], b.velocity[i]);
  }
}

// 7. Gravity, local damping, second half kick. Returns a number that is infinite when a velocity is not finite.
template <class Exec, int D>
Real body_forces(const Model<D>& model, State<D>& state) {
  const exec::Stage timed("body_forces");
  const Globals<D>& g = state.globals;
  Bodies<D>& b = state.bodies;
  Real fastest = 0;
  const auto run = [&]<bool Rotation, bool Ledger>() {
    fastest = Exec::max(b.size(), BodyForces<D, Rotation, Ledger>{
                                      b.velocity.span(), b.force.span(), b.spin.span(), b.torque.span(), b.mass.span(),
                                      b.inverse_mass.span(), b.inverse_inertia.span(), b.work.span(),
                                      weight_per_mass(model, state), model.options.local_damping, g.dt});
  };
  with_options(model, [&]<bool Rotation, Keep K>() { run.template operator()<Rotation, K == Keep::ledger>(); });
  return fastest;
}

// Tests: rebuild at random moments with a random order of bodies.
template <int D>
bool shaken(const Model<D>& model, const State<D>& state) {
  if (!(model.options.shake > 0)) return false;
  Rng rng{model.options.shake_seed, u64(state.globals.step), 1};
  return rng.uniform() < model.options.shake;
}

template <class Exec, int D>
StepReport step_on(const Model<D>& model, State<D>& state, Scratch<D>& scratch) {
  StepReport report;
  drive(model, state);
  kick<Exec>(model, state);
  if (!scratch.valid) report.status |= rebuild_on<Exec>(model, state, scratch);
  const Real moved = drift<Exec>(state, scratch);
  if (!(moved < HUGE_VAL)) {  // no search among positions that are not numbers
    report.status |= not_finite;
    return report;
  }
  if (list_is_stale(state.globals, scratch, moved) || shaken(model, state)) {
    report.status |= rebuild_on<Exec>(model, state, scratch);
    report.rebuilt = true;
  }
  report.overlap = act<Exec>(model, state, scratch);
  gather<Exec>(model, state, scratch);
  const Real fastest = body_forces<Exec>(model, state);
  if (!(fastest < HUGE_VAL)) report.status |= not_finite;
  if (!(report.overlap <= model.options.overlap_limit)) report.status |= deep_overlap;
  ++state.globals.step;
  state.globals.time += state.globals.dt;
  return report;
}

// Forces of the present positions, without motion: the same stages with a step of zero length.
template <class Exec, int D>
StepReport prepare_on(const Model<D>& model, State<D>& state, Scratch<D>& scratch) {
  StepReport report;
  const Real dt = state.globals.dt;
  state.globals.dt = 0;
  state.globals.cell.rate = {};
  report.status |= rebuild_on<Exec>(model, state, scratch);
  report.overlap = act<Exec>(model, state, scratch);
  gather<Exec>(model, state, scratch);
  body_forces<Exec>(model, state);
  state.globals.dt = dt;
  return report;
}

}  // namespace talus::dem
