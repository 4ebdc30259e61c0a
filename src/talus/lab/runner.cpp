#include <talus/lab/runner.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <talus/lab/pictures.hpp>
#include <talus/lab/ramp.hpp>
#include <talus/measure/state_hash.hpp>
#include <talus/state/remove.hpp>

namespace talus::lab {

template <int D>
void stop_motion(State<D>& state) {
  state.globals.removed_kinetic += measure::energy(state, ContactList<D>{}).kinetic;
  for (std::size_t i = 0; i < state.grains(); ++i) {
    state.bodies.velocity[i] = {};
    state.bodies.spin[i] = {};
  }
}

template <int D>
Runner<D>::Runner(Experiment<D>& experiment, Hooks<D> hooks, bool on_device)
    : channels(channels_of(experiment)), x_(experiment), hooks_(std::move(hooks)), method_(*x_.method), diagnostics_(method_.diagnostics(x_.model)) {
  if (on_device) method_.use_device();
}

template <int D>
Stage<D>& Runner<D>::stage() const {
  return *x_.stages[std::size_t(x_.state.globals.stage.index)];
}

template <int D>
Observation<D> Runner<D>::look() {
  return {model_, x_.state, method_, stage().axis, since_row};
}

// ---- the protocol ------------------------------------------------------------------------------------------------------

template <int D>
Result Runner<D>::start(bool resumed) {
  if (!resumed) return start_anew();
  plan();
  if (const u32 status = method_.rebuild(model_, x_.state)) return fail(status);
  return {};
}

template <int D>
Result Runner<D>::start_anew() {
  Globals<D>& g = x_.state.globals;
  g.dt = x_.dt_start;
  begin_stage(0);
  if (x_.state.units() == 0) return none_left();
  const Steps report = method_.prepare(model_, x_.state);
  overlap_ = report.overlap;
  since_row.add(diagnostics_, report, 0);
  g.initial_energy = look().energy().held() + g.removed_kinetic;
  if (report.status) return fail(report.status);
  if (!(report.overlap <= model_.options.overlap_limit)) return fail(deep_overlap);
  if (Result r = choose_dt(); r.outcome == Outcome::failed) return method_.flush(), r;
  write_row(look());
  method_.flush();
  show(hooks_.stage_begin, look());
  return {};
}

template <int D>
Result Runner<D>::advance(const Limit& limit) {
  while (true) {
    if (Result r = run_stage(limit); r.outcome != Outcome::done) return r;
    end_stage();
    if (std::size_t(x_.state.globals.stage.index) + 1 == x_.stages.size()) break;
    if (Result r = next_stage(); r.outcome != Outcome::done) return r;
  }
  extend_hash_chain();
  checkpoint();
  return verdict();
}

template <int D>
Figures Runner<D>::leave() {
  Figures all = figures;  // a checkpoint shall not know those of a stage that is not done
  checkpoint();
  method_.fetch(x_.state);
  method_.flush();
  const Observation<D> seen = look();
  if (x_.analysis) x_.analysis->stage_end(seen, stage().traits.shears, all);
  if (hooks_.stopped) hooks_.stopped(seen);
  show(hooks_.halted, seen);
  return all;
}

template <int D>
Result Runner<D>::run(bool resumed, Real until) {
  Result result = start(resumed);
  if (result.outcome == Outcome::done) result = advance({.time = until});
  if (result.outcome == Outcome::until) figures = leave();
  return result;
}

// ---- a stage -----------------------------------------------------------------------------------------------------------

// From where it is to its end.
template <int D>
Result Runner<D>::run_stage(const Limit& limit) {
  const Globals<D>& g = x_.state.globals;
  const Stage<D>& stage = this->stage();
  bool finished = !stage.traits.has_steps;
  while (!finished) {
    if (g.step >= limit.step) return {Outcome::until, ""};
    if (const u32 status = make_steps(limit)) return fail(status);
    const Observation<D> seen = look();
    if (stage.traits.tends_each_step) {
      stage.tend(seen, x_.state);
      finished = stage.done(seen);
    }
    const bool due = seen.stage_steps() % control_every == 0 || seen.stage_steps() == stage.traits.exact_steps;
    const bool part_ends = due && stage.part_done(seen);
    if (g.step % probe_every() == 0 && !(part_ends && stage.traits.row_per_part)) write_row(seen);
    if (due) {
      if (Result r = control(seen, part_ends); r.outcome == Outcome::failed) return method_.flush(), r;
      finished = is_finished(seen, finished);
      if (hooks_.wants_progress && hooks_.wants_progress()) hooks_.progress(progress_of(x_, channels, seen));
      if (!finished && stage.max_steps > 0 && seen.stage_steps() >= stage.max_steps) return too_long();
    }
    if (g.step % x_.cadence.hash_every == 0) extend_hash_chain();
    if (finished) break;
    if (picture_is_due(x_, seen, due, pictures)) show(hooks_.picture, seen);
    if (hooks_.frame && frame_is_due(x_, seen, due, frames)) show(hooks_.frame, seen);
    const bool stopping = hooks_.stop && hooks_.stop();
    if (stopping || g.step % x_.cadence.checkpoint_every == 0) checkpoint();
    if (stopping) return show(hooks_.halted, seen), Result{Outcome::interrupted, ""};
    if (g.time >= limit.time) return {Outcome::until, ""};
  }
  return {};
}

template <int D>
u32 Runner<D>::make_steps(const Limit& limit) {
  const i64 first = x_.state.globals.step;
  const double start = hooks_.clock ? hooks_.clock() : 0;
  const Steps report = method_.advance(model_, x_.state, steps_in_one_turn(steps_to_next_look(limit)));
  const i64 made = x_.state.globals.step - first;
  if (hooks_.clock && made > 0) step_time_ = std::max((hooks_.clock() - start) / double(made), 1e-9);
  overlap_ = report.overlap;
  since_row.add(diagnostics_, report, made);
  return report.status;
}

// A run that is asked to stop does so within about a second. No step depends on the turn it is made in.
template <int D>
i64 Runner<D>::steps_in_one_turn(i64 steps) const {
  if (!hooks_.clock) return steps;
  return step_time_ > 0 ? std::clamp(i64(0.25 / step_time_), i64{1}, steps) : 1;
}

// Steps until something must be looked at: the same steps on every back end.
template <int D>
i64 Runner<D>::steps_to_next_look(const Limit& limit) const {
  const Globals<D>& g = x_.state.globals;
  const StageTraits& traits = stage().traits;
  const i64 done = g.step - g.stage.first_step, probe = probe_every();
  i64 n = std::min(control_every - done % control_every, limit.step - g.step);
  if (traits.exact_steps > done) n = std::min(n, traits.exact_steps - done);
  for (const i64 every : {probe, x_.cadence.hash_every, x_.cadence.checkpoint_every,
                          x_.cadence.vtk && x_.cadence.vtk_every > 0 ? x_.cadence.vtk_every : probe,
                          x_.cadence.film_every > 0 ? x_.cadence.film_every : probe})
    n = std::min(n, every - g.step % every);
  return traits.tends_each_step || (limit.time - g.time) < Real(n + 2) * g.dt ? 1 : n;
}

template <int D>
i64 Runner<D>::probe_every() const {
  return stage().probe_every > 0 ? stage().probe_every : x_.cadence.probe_every;
}

// What changes every `control_every` steps.
template <int D>
Result Runner<D>::control(const Observation<D>& seen, bool part_ends) {
  if (Result r = choose_dt(); r.outcome == Outcome::failed) return method_.flush(), r;
  if (!stage().traits.tends_each_step) stage().tend(seen, x_.state);
  rest();
  ramp();
  if (part_ends) next_part(seen);
  return {};
}

template <int D>
bool Runner<D>::is_finished(const Observation<D>& seen, bool already) const {
  if (stage().is_ramped() && ramp_of(x_.state).share < 1) return false;
  return already || stage().done(seen);
}

template <int D>
void Runner<D>::next_part(Observation<D> seen) {
  if (stage().traits.row_per_part) {
    seen.ends_part = true;
    write_row(seen);
    method_.flush();  // rows of parts are few
  }
  method_.fetch(x_.state);
  const bool moved = change_part(seen);
  plan();
  if (moved) method_.rebuild(model_, x_.state);
}

// Were bodies moved? What springs at a platen that is lifted off held is lost.
template <int D>
bool Runner<D>::change_part(const Observation<D>& seen) {
  State<D>& state = x_.state;
  const std::size_t platen = find_wall(x_.model, stage().traits.platen);
  const bool may_lift = stage().traits.changes_bodies && platen < x_.model.walls.size();
  const ContactList<D> before = may_lift ? seen.contacts() : ContactList<D>{};
  const auto where = [&] { return may_lift ? state.bodies.position[state.grains() + platen] : Vec<D>{}; };
  const Vec<D> stood = where();
  const bool moved = stage().next_part(x_.model, state);
  if (where() == stood) return moved;
  const std::vector<u32> lifted{x_.model.walls[platen].uid};
  enter_lost(before, lifted);
  forget_contacts(state, lifted);
  return moved;
}

template <int D>
void Runner<D>::end_stage() {
  method_.fetch(x_.state);
  method_.flush();
  stage().end(x_.state);
  const Observation<D> seen = look();
  stage().figures(seen, figures);
  if (x_.analysis) x_.analysis->stage_end(seen, stage().traits.shears, figures);
  write_row(seen);
  method_.flush();
  if (hooks_.stage_end) hooks_.stage_end(seen);
  if (x_.cadence.vtk && hooks_.picture) hooks_.picture(seen);
}

template <int D>
Result Runner<D>::next_stage() {
  Globals<D>& g = x_.state.globals;
  begin_stage(std::size_t(g.stage.index) + 1);
  if (x_.state.units() == 0) return none_left();
  if (!model_.options.ledger && model_.cell.needs_stress())  // not kept up by a stage that had no use for it
    g.virial = sample_volume(model_, x_.state) * look().stress();
  write_row(look());  // where the new stage starts from
  method_.flush();
  show(hooks_.stage_begin, look());
  // A stage without steps is made again after a resume: its forces are not part of a checkpoint.
  if (hooks_.checkpoint && stage().traits.has_steps) hooks_.checkpoint(x_.state);
  return {};
}

// ---- what a stage sets -------------------------------------------------------------------------------------------------

template <int D>
void Runner<D>::begin_stage(std::size_t index) {
  Globals<D>& g = x_.state.globals;
  g.stage = {};
  g.stage.index = i64(index);
  g.stage.first_step = g.step;
  g.stage.start_time = g.time;
  g.stage.start_h = g.cell.h;
  pictures = frames = 0;
  g.friction_scale = stage().friction_scale;
  method_.begin_stage(stage().settings, x_.dt_start, x_.state);
  const bool changed = change_bodies();
  if (stage().is_ramped()) {
    Ramp start;
    for (int k = 0; k < D; ++k) start.gravity[k] = g.gravity[k];
    set_ramp(x_.state, start);
  }
  plan();
  ramp();
  if (changed) method_.rebuild(model_, x_.state);
  if (!stage().traits.tends_each_step) stage().tend(look(), x_.state);
  rest();
  method_.changed();
}

// The Model of the running stage: a function of the scene and of the stage's memory.
template <int D>
void Runner<D>::plan() {
  method_.flush();  // a row that is still to be written belongs to the plan before
  model_ = x_.model;
  const Stage<D>& stage = this->stage();
  const Real start = x_.state.globals.stage.start_time;
  for (const auto& [wall, drive] : stage.walls) {
    model_.drives[wall] = drive;
    model_.drives[wall].since = start;
    model_.drives[wall].until += start;
  }
  if (!stage.membrane) model_.membrane.stress = 0;
  if (stage.friction) {
    const FrictionChange& f = *stage.friction;
    set_friction(model_.pairs, f.material, f.from + ramp_of(x_.state).share * (f.to - f.from));
  }
  method_.plan_stage(stage.settings);
  stage.plan(model_, x_.state);
  method_.changed();
}

// Gravity and friction on their way.
template <int D>
void Runner<D>::ramp() {
  Globals<D>& g = x_.state.globals;
  Ramp now = ramp_of(x_.state);
  if (!stage().is_ramped() || now.share == 1) return;
  method_.fetch(x_.state);
  const Real done = g.time - g.stage.start_time, whole = stage().ramp_time;
  now.share = done > whole - g.dt / 2 ? 1 : done / whole;  // times are sums of steps, and round
  set_ramp(x_.state, now);
  if (stage().gravity)
    for (int k = 0; k < D; ++k) g.gravity[k] = (1 - now.share) * now.gravity[k] + now.share * (*stage().gravity)[k];
  plan();
}

// Stages that let grains grow stop all motion now and then.
template <int D>
void Runner<D>::rest() {
  const i64 every = stage().traits.rest_every, done = x_.state.globals.step - x_.state.globals.stage.first_step;
  if (every == 0 || done % std::max(every, control_every) >= control_every) return;
  method_.fetch(x_.state);
  method_.flush();
  stop_motion(x_.state);
  method_.changed();
}

// What springs hold whose wall or grain is taken away is lost: they open loaded.
template <int D>
void Runner<D>::enter_lost(const ContactList<D>& before, const std::vector<u32>& gone) {
  Bodies<D>& b = x_.state.bodies;
  if (before.empty() || b.work.empty()) return;
  std::map<u32, std::size_t> index;
  for (std::size_t i = 0; i < b.size(); ++i) index[b.uid[i]] = i;
  const auto is_gone = [&](u32 uid) {
    return !index.count(uid) || std::find(gone.begin(), gone.end(), uid) != gone.end();
  };
  for (const auto& c : before) {  // in order of keys
    if (!is_gone(c.key.a) && !is_gone(c.key.b)) continue;
    auto heir = index.find(c.key.a);
    if (heir == index.end()) heir = index.find(c.key.b);
    if (heir == index.end()) heir = index.begin();
    if (heir != index.end()) b.work[heir->second].stiffness += c.stored.normal + c.stored.shear;
  }
}

// The stage begins: bodies that it moves or takes away, walls that go. Are neighbours to be found anew?
template <int D>
bool Runner<D>::change_bodies() {
  State<D>& state = x_.state;
  const std::vector<u32> gone = stage().walls_gone(x_.model);
  const bool springs_open =
      method_.contacts_hold_energy() && state.globals.step > 0 && (stage().traits.changes_bodies || !gone.empty());
  if (springs_open) method_.fetch(state);
  const ContactList<D> before = springs_open ? method_.contacts(model_, state) : ContactList<D>{};
  stage().begin(x_.model, state);
  enter_lost(before, gone);
  if (springs_open) forget_contacts(state, gone);
  for (const auto& [wall, drive] : stage().walls)  // out by the width of the cell: no grain comes there
    if (drive.control == WallControl::away)
      shift_wall(x_.model, state, wall, -state.globals.cell.h(drive.axis, drive.axis));
  return stage().traits.changes_bodies || springs_open;
}

template <int D>
Result Runner<D>::choose_dt() {
  const std::string why = method_.follow_contacts(model_, x_.state, x_.dt_start);
  return why.empty() ? Result{} : Result{Outcome::failed, why};
}

// ---- what is written ---------------------------------------------------------------------------------------------------

// On a device the row is measured and written while the next steps run.
template <int D>
void Runner<D>::write_row(const Observation<D>& seen) {
  since_row.begin_row();
  if (!hooks_.row) return;
  if (!method_.on_device()) return hooks_.row(row_of(channels, seen));
  method_.fetch(x_.state);
  method_.later([this, seen = std::make_shared<Observation<D>>(seen), then = x_.state.globals] {
    const Globals<D> now = std::exchange(x_.state.globals, then);
    hooks_.row(row_of(channels, *seen));
    x_.state.globals = now;
  });
}

template <int D>
void Runner<D>::extend_hash_chain() {
  method_.fetch(x_.state);
  extend_chain(x_.state);
  if (hooks_.hash) hooks_.hash(x_.state.globals.step, x_.state.globals.hash);
}

template <int D>
void Runner<D>::show(const typename Hooks<D>::Look& hook, const Observation<D>& seen) {
  if (!hook) return;
  method_.fetch(x_.state);
  hook(seen);
}

template <int D>
void Runner<D>::checkpoint() {
  if (!hooks_.checkpoint) return;
  method_.fetch(x_.state);
  method_.flush();  // the row of this step comes before its checkpoint
  hooks_.checkpoint(x_.state);
}

// ---- why it stops ------------------------------------------------------------------------------------------------------

template <int D>
Result Runner<D>::fail(u32 status) {
  method_.flush();
  method_.fetch(x_.state);
  const u32 uid = method_.culprit(model_, x_.state, status);
  std::string where = " at step " + std::to_string(x_.state.globals.step) + ", stage '" + stage().name + "'";
  const std::string grain = std::string(method_.unit_word()) + " " + std::to_string(uid);
  return {Outcome::failed, method_.explain(status, {grain, where, overlap_, since_row})};
}

template <int D>
Result Runner<D>::too_long() {
  method_.flush();
  return {Outcome::failed,
          "stage '" + stage().name + "' did not reach its goal in max_steps = " + std::to_string(stage().max_steps)};
}

template <int D>
Result Runner<D>::none_left() const {
  return {Outcome::failed, "stage '" + stage().name + "' took all grains away; raise its height"};
}

template <int D>
Result Runner<D>::verdict() const {
  const std::string why = method_.verdict(since_row.in_all, x_.state.globals.step);
  return why.empty() ? Result{} : Result{Outcome::failed, why};
}

#define TALUS_INSTANTIATE(D) \
  template class Runner<D>;  \
  template void stop_motion(State<D>&);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

}  // namespace talus::lab
