// The step, for a back end: on the host step.cpp, on a device step_cuda.cu. What changes lists or the number of particles is done at home, in
// the host's memory.
#pragma once
#include <talus/exec/host.hpp>
#include <talus/exec/timers.hpp>
#include <talus/sph/boundary.hpp>
#include <talus/sph/forces.hpp>
#include <talus/sph/gradients.hpp>
#include <talus/sph/lists.hpp>
#include <talus/sph/motion.hpp>
#include <talus/sph/step.hpp>
#include <talus/stages/random_rebuild.hpp>
#include <talus/stages/walls.hpp>

namespace talus::sph {

// How a back end goes through the members of groups: one a call, or in lanes where it has them.
template <class Exec>
struct Calls {
  template <class Kernel>
  static void in_groups(std::size_t members, const Kernel& kernel) {
    Exec::for_each(members, OneByOne<Kernel>{kernel});
  }
};
#if !defined(__CUDACC__)
template <>
struct Calls<exec::Host> {
  template <class Kernel>
  static void in_groups(std::size_t members, const Kernel& kernel) {
    exec::Host::for_each(groups_of(members), InLanes<Kernel>{kernel, u32(members)}, few_groups);
  }
};
#endif

// One bunch of steps: everything that its stages share.
template <class Exec, int D>
class Stepper {
 public:
  Stepper(const Options<D>& options, const Model<D>& model, State<D>& state, Scratch<D>& scratch)
      : o_(options), model_(model), state_(state), p_(state.particles), g_(state.globals), s_(scratch), kinds_(Kinds::of(options)), full_(options.full_sum()) {
    for (const matter::Matter& m : o_.matter) matter_.push_back(m);
    for (const Body<D>& body : o_.bodies) held_.push_back(body.held ? 1 : 0);
    for (const Real part : o_.parts()) parts_.push_back(part);
    held_.resize(max(parts_.size(), std::size_t(1)));  // nothing holds what flows in
    if (parts_.empty()) parts_.push_back(0);
    for (std::size_t w = 0; w < model.walls.size(); ++w) {
      walls_.push_back(wall_shape(model, state, w));
      places_.push_back(state.bodies.position[state.grains() + w]);
      sticks_.push_back(o_.slips(model.walls[w].name) ? 0 : 1);
    }
    move_all(Exec::memory(), matter_, held_, parts_, walls_, places_, sticks_);
    go_to(Exec::memory());
  }

  StepReport report;

  // ---- the step ----
  void step(bool last) {
    const Real before = g_.time;
    kick();
    drift();
    look_at_places(g_.dt / 2);
    if (report.status != fine) return;
    if (is_stale_) rebuild();
    record();
    gradients();
    drift();
    sum_density();
    respond(g_.dt);
    stretch();
    carry_to_walls();
    forces();
    kick();
    if (last) push_walls();
    finish();
    if (!o_.inflows.empty() || !o_.outflows.empty()) at_home([&] { pour_and_drain(before); });
  }
  void prepare() {
    at_home([&] { make_boundary(o_, model_, state_, s_.boundary); });
    look_at_places(0);
    if (report.status != fine) return;
    rebuild();
    record();
    gradients();  // for the corrections alone: nothing is strained in no time
    sum_density();
    respond(0);
    stretch();
    carry_to_walls();
    forces();
    push_walls();
    look_at_limits();
  }
  void rebuild() {
    const exec::Stage timed("rebuild");
    at_home([&] { make_lists(o_, model_, state_, s_); });
  }
  // Particles and scratch into this memory; nothing is done where they are there.
  void go_to(const exec::Memory& memory) {
    p_.move_to(memory);
    s_.move_to(memory);
  }

 private:
  template <class F>
  void at_home(F&& f) {
    go_to(exec::host_memory());
    f();
    go_to(Exec::memory());
  }
  void pour_and_drain(Real before) {
    const bool poured = pour(o_, model_, state_, before, g_.time), left = drain(o_, state_);
    if (poured || left) s_.lists.valid = false;
    if (left) s_.reference = {};  // as many may have come as went: the number of particles does not tell
  }
  void kick() {
    const exec::Stage timed("kick");
    Exec::for_each(p_.size(), Kick<D>{.acceleration = p_.acceleration.span(), .wall_force = p_.wall_force.span(), .drag = p_.drag.span(),
                                      .wall_push = p_.wall_push.span(), .mass = p_.mass.span(), .velocity = p_.velocity.span(),
                                      .given = p_.given.span(), .work = p_.work.span(), .body = p_.body.span(), .held = held_.span(),
                                      .gravity = g_.gravity, .half = g_.dt / 2});
  }
  void drift() {
    const exec::Stage timed("drift");
    Exec::for_each(p_.size(), Drift<D>{.position = p_.position.span(), .velocity = p_.velocity.span(), .mass = p_.mass.span(),
                                       .work = p_.work.span(), .gravity = g_.gravity, .half = g_.dt / 2});
  }
  void look_at_places(Real half) {
    const exec::Stage timed("drift");
    const bool known = s_.lists.valid;
    const Places seen = Exec::template reduce<Places>(
        p_.size(), LookAtPlaces<D>{.position = p_.position.span(),
                                   .velocity = p_.velocity.span(),
                                   .reference = known ? s_.lists.reference.span() : Span<Vec<D>>{},
                                   .wall_position = places_.span(),
                                   .walls = walls_.span(),
                                   .cell = g_.cell,
                                   .half = half,
                                   .reach = o_.support * o_.spacing});
    report.status |= seen.status;
    report.beyond = max(report.beyond, Real(seen.beyond));
    const Real way = free_way(o_);
    is_stale_ = !known || !(seen.moved < way * way) || random_rebuild_due(model_, state_);
  }
  void record() {
    const exec::Stage timed("gradients");
    s_.records.resize(p_.size());
    Exec::for_each(p_.size(), WriteRecord<D>{.position = p_.position.span(), .velocity = p_.velocity.span(), .mass = p_.mass.span(),
                                             .density = p_.density.span(), .pressure = p_.pressure.span(), .material = p_.material.span(),
                                             .body = p_.body.span(), .parts = parts_.span(), .records = s_.records.span()});
  }
  void gradients() {
    const exec::Stage timed("gradients");
    s_.rates.resize(p_.size());
    s_.strains.resize(p_.deviator.size());
    s_.tractions.resize(p_.deviator.size());
    s_.artificial.resize(o_.apart > 0 ? p_.deviator.size() : 0);
    Calls<Exec>::in_groups(p_.size(), Gradients<D>{.pairs = pairs(), .gravity = g_.gravity, .diffusion = 2 * o_.diffusion * o_.kernel().h(), .corrects = !o_.paper, .lattice = full_, .rates = s_.rates.span(),
                                      .strains = s_.strains.span()});
  }
  void sum_density() {  // at the end of the step
    if (!o_.paper) return;
    record();
    const exec::Stage timed("gradients");
    s_.summed.resize(p_.size());
    Calls<Exec>::in_groups(p_.size(), SumDensity<D>{.pairs = pairs(), .full = full_, .cell = std::pow(o_.spacing, D), .density = s_.summed.span()});
  }
  void respond(Real dt) {
    const exec::Stage timed("matter");
    Exec::for_each(p_.size(),
                   Respond<D>{.matter = matter_.span(), .material = p_.material.span(), .position = p_.position.span(),
                              .rates = s_.rates.span(), .strains = s_.strains.span(), .summed = s_.summed.span(), .mass = p_.mass.span(), .contact = contact(),
                              .artificial = o_.apart, .damps = o_.damps * o_.kernel().h(), .dt = dt, .density = p_.density.span(), .pressure = p_.pressure.span(),
                              .deviator = p_.deviator.span(), .plastic_strain = p_.plastic_strain.span(), .dilation = p_.dilation.span(),
                              .stored = p_.stored.span(), .sheared = p_.sheared.span(), .work = p_.work.span(),
                              .records = s_.records.span(), .tractions = s_.tractions.span(),
                              .artificials = s_.artificial.span()});
  }
  void stretch() {
    if (p_.origin.empty()) return;
    const exec::Stage timed("stretch");
    s_.pulls.resize(p_.size());
    Exec::for_each(p_.size(), Stretch<D>{.pairs = pairs(), .mass = p_.mass.span(), .stiffens = o_.stiffens, .pulls = s_.pulls.span(),
                                         .density = p_.density.span(), .pressure = p_.pressure.span(), .deviator = p_.deviator.span(),
                                         .records = s_.records.span(), .stored = p_.stored.span(), .sheared = p_.sheared.span()});
  }
  void carry_to_walls() {
    const exec::Stage timed("boundary");
    Calls<Exec>::in_groups(s_.boundary.size(), CarryToWalls<D>{.pairs = pairs(), .gravity = g_.gravity, .pressure = s_.boundary.pressure.span(),
                                                       .deviator = s_.boundary.deviator.span(), .of_particles = p_.deviator.span(),
                                                       .velocity = s_.boundary.velocity.span()});
  }
  void forces() {
    const exec::Stage timed("forces");
    Calls<Exec>::in_groups(p_.size(), Forces<D>{.pairs = pairs(), .viscosity = viscosity(), .contact = contact(), .gravity = g_.gravity, .dt = g_.dt, .mass = p_.mass.span(),
                                        .acceleration = p_.acceleration.span(), .wall_force = p_.wall_force.span(),
                                        .drag = p_.drag.span(), .wall_push = p_.wall_push.span(), .stored = p_.stored.span()});
  }
  // What walls feel: looked at after the last step of a bunch alone, since walls are at rest.
  void push_walls() {
    const exec::Stage timed("boundary");
    Boundary<D>& b = s_.boundary;
    Exec::for_each(b.size(), OneByOne<PushWalls<D>>{{.pairs = pairs(), .viscosity = viscosity(), .force = b.force.span()}});
    for (std::size_t w = 0; w < walls_.size(); ++w) {
      const OnWall<D> pushed{.force = b.force.span(), .wall = b.wall.span(), .mine = u32(w)};
      const InWallContact<D> held{.contact = {{walls_.data() + w, 1}, {places_.data() + w, 1}, {sticks_.data() + w, 1}, near(), o_.spacing / 2},
                                  .position = p_.position.span(), .mass = p_.mass.span(), .material = p_.material.span(), .by_uid = s_.lists.by_uid.span(),
                                  .records = s_.records.span(), .matter = matter_.span(), .dt = g_.dt};
      state_.bodies.force[state_.grains() + w] = sum(b.size(), pushed) - sum(p_.size(), held);
    }
  }
  template <class Kernel>
  Vec<D> sum(std::size_t n, const Kernel& kernel) {
    Column<Vec<D>> total(1, Exec::memory()), leaves(0, Exec::memory()), out;
    Exec::template sum_into<Vec<D>>(n, kernel, total.data(), leaves);
    out.copy_from(total);
    return out[0];
  }
  continuum::Limits look_at_limits() {
    const auto seen = Exec::template reduce<continuum::Limits>(p_.size(), continuum::LookAtLimits<D>::of(p_, matter_.span()));
    report.see(seen);
    return seen;
  }
  void finish() {
    const exec::Stage timed("finish");
    report.count_step(g_);
    const auto seen = look_at_limits();
    if (report.status == fine && !(o_.time_step > 0)) g_.dt = stable_step(o_, std::sqrt(seen.speed), std::sqrt(seen.acceleration));
  }

  Pairs<D> pairs() const { return Pairs<D>::of(o_, kinds_, matter_.span(), state_, s_); }
  WallContact<D> contact() const { return {walls_.span(), places_.span(), sticks_.span(), near(), o_.spacing / 2}; }
  Real near() const { return nearest_to_wall * o_.spacing; }
  Viscosity viscosity() const { return {o_.artificial, o_.kernel().h(), 1 / o_.kernel().value(o_.spacing), o_.blind}; }

  const Options<D>& o_;
  const Model<D>& model_;
  State<D>& state_;
  Particles<D>& p_;
  Globals<D>& g_;
  Scratch<D>& s_;
  const Kinds kinds_;
  const Real full_;
  Column<matter::Matter> matter_;
  Column<u32> held_;    // of each body
  Column<Real> parts_;  // likewise
  Column<WallShape<D>> walls_;
  Column<Vec<D>> places_;  // m, of each wall
  Column<u32> sticks_;  // of each wall
  bool is_stale_ = true;
};

// So many steps, fewer if a check fails; particles are at home before and after them.
template <class Exec, int D>
StepReport advance_on(const Options<D>& o, const Model<D>& model, State<D>& state, Scratch<D>& scratch, i64 steps) {
  Stepper<Exec, D> stepper(o, model, state, scratch);
  for (i64 k = 0; k < steps && stepper.report.status == fine; ++k) stepper.step(k + 1 == steps);
  stepper.go_to(exec::host_memory());
  return stepper.report;
}

}  // namespace talus::sph
