#include <talus/lab/runner.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

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
void Runner<D>::plan(std::size_t index) {
  model_ = x_.model;
  const Stage<D>& stage = *x_.stages[index];
  for (const auto& [wall, drive] : stage.walls) {
    model_.drives[wall] = drive;
    model_.drives[wall].since = x_.state.globals.stage.start_time;
    model_.drives[wall].until += x_.state.globals.stage.start_time;
  }
  if (!stage.membrane) model_.membrane.stress = 0;
  if (stage.friction) {
    const Real share = x_.state.globals.stage.real[7];
    const FrictionChange& f = *stage.friction;
    set_friction(model_.pairs, f.material, f.from + share * (f.to - f.from));
  }
  method_.plan_stage(stage.settings);
  stage.plan(model_, x_.state);
  method_.changed();
}

// Gravity and friction on their way.
template <int D>
void Runner<D>::ramp(std::size_t index) {
  const Stage<D>& stage = *x_.stages[index];
  Globals<D>& g = x_.state.globals;
  Real& share = g.stage.real[7];
  if (!stage.is_ramped() || share == 1) return;
  const Real done = g.time - g.stage.start_time;
  share = done > stage.ramp_time - g.dt / 2 ? 1 : done / stage.ramp_time;  // times are sums of steps, and round
  if (stage.gravity)
    for (int k = 0; k < D; ++k) g.gravity[k] = (1 - share) * g.stage.real[4 + k] + share * (*stage.gravity)[k];
  plan(index);
}

// The walls that a stage takes away when it begins.
template <int D>
std::vector<u32> walls_gone(const Model<D>& model, const Stage<D>& stage) {
  std::vector<u32> gone;
  for (const auto& [wall, drive] : stage.walls)
    if (drive.control == WallControl::away) gone.push_back(model.walls[wall].uid);
  return gone;
}

// What springs hold whose wall or grain is taken away is lost: they open loaded.
template <int D>
void Runner<D>::book_lost(const ContactList<D>& before, const std::vector<u32>& gone) {
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

template <int D>
void Runner<D>::begin(std::size_t index) {
  Globals<D>& g = x_.state.globals;
  g.stage = {};
  g.stage.index = i64(index);
  g.stage.first_step = g.step;
  g.stage.start_time = g.time;
  g.stage.start_h = g.cell.h;
  g.friction_scale = x_.stages[index]->friction_scale;
  const Stage<D>& stage = *x_.stages[index];
  method_.begin_stage(stage.settings, x_.dt_start, x_.state);
  const std::vector<u32> gone = walls_gone(x_.model, stage);
  const bool springs_open = method_.contacts_hold_energy() && g.step > 0 && (stage.changes_bodies() || !gone.empty());
  if (springs_open) method_.fetch(x_.state);
  const ContactList<D> before = springs_open ? method_.contacts(model_, x_.state) : ContactList<D>{};
  x_.stages[index]->begin(x_.model, x_.state);
  book_lost(before, gone);
  if (springs_open) forget_contacts(x_.state, gone);
  for (const auto& [wall, drive] : stage.walls)  // out by the width of the cell: no grain comes there
    if (drive.control == WallControl::away)
      shift_wall(x_.model, x_.state, wall, -g.cell.h(drive.axis, drive.axis));
  if (stage.is_ramped())
    for (int k = 0; k < D; ++k) g.stage.real[4 + k] = g.gravity[k];
  plan(index);
  ramp(index);
  if (stage.changes_bodies() || springs_open) method_.rebuild(model_, x_.state);
  x_.stages[index]->tend(model_, x_.state);
  method_.changed();
}

template <int D>
Result Runner<D>::choose_dt() {
  const std::string why = method_.follow_contacts(model_, x_.state, x_.dt_start);
  return why.empty() ? Result{} : Result{Outcome::failed, why};
}

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

// Steps until something must be looked at: the same steps on every back end.
template <int D>
i64 Runner<D>::steps_to_next_look(const Stage<D>& stage, i64 probe, Real until) const {
  const Globals<D>& g = x_.state.globals;
  const i64 done = g.step - g.stage.first_step;
  i64 n = control_every - done % control_every;
  if (stage.exact_steps() > done) n = std::min(n, stage.exact_steps() - done);
  for (const i64 every : {probe, x_.cadence.hash_every, x_.cadence.checkpoint_every,
                          x_.cadence.vtk && x_.cadence.vtk_every > 0 ? x_.cadence.vtk_every : probe})
    n = std::min(n, every - g.step % every);
  return stage.watches_each_step() || (until - g.time) < Real(n + 2) * g.dt ? 1 : n;
}

template <int D>
Result Runner<D>::fail(u32 status) {
  method_.flush();
  method_.fetch(x_.state);
  const u32 uid = method_.culprit(model_, x_.state, status);
  std::string where = " at step " + std::to_string(x_.state.globals.step) + ", stage '" +
                      x_.stages[std::size_t(x_.state.globals.stage.index)]->name + "'";
  const std::string grain = "grain " + std::to_string(uid);
  return {Outcome::failed, method_.explain(status, {grain, where, overlap_, since_row})};
}

template <int D>
Result Runner<D>::run(bool resumed, Real until) {
  State<D>& state = x_.state;
  Globals<D>& g = state.globals;
  const auto look = [&] {
    return Observation<D>(model_, state, method_, x_.stages[std::size_t(g.stage.index)]->axis, since_row);
  };
  const Diagnostics diagnostics = method_.diagnostics(x_.model);
  const auto none_left = [&] {
    return Result{Outcome::failed, "stage '" + x_.stages[std::size_t(g.stage.index)]->name +
                                       "' took all grains away; raise its height"};
  };
  if (resumed) {
    plan(std::size_t(g.stage.index));
    if (const u32 status = method_.rebuild(model_, state)) return fail(status);
  } else {
    g.dt = x_.dt_start;
    begin(0);
    if (state.grains() == 0) return none_left();
    const auto report = method_.prepare(model_, state);
    overlap_ = report.overlap;
    since_row.add(diagnostics, report, 0);
    g.initial_energy = look().energy().held() + g.removed_kinetic;
    if (report.status) return fail(report.status);
    if (!(report.overlap <= model_.options.overlap_limit)) return fail(deep_overlap);
    if (Result r = choose_dt(); r.outcome == Outcome::failed) return r;
    write_row(look());
    method_.flush();
  }
  while (true) {
    Stage<D>& stage = *x_.stages[std::size_t(g.stage.index)];
    const i64 probe = stage.probe_every > 0 ? stage.probe_every : x_.cadence.probe_every;
    bool finished = stage.is_static();
    while (!finished) {
      const i64 first = g.step;
      const Steps report = method_.advance(model_, state, steps_to_next_look(stage, probe, until));
      overlap_ = report.overlap;
      since_row.add(diagnostics, report, g.step - first);
      if (report.status) return fail(report.status);
      const Observation<D> seen = look();
      if (stage.watches_each_step()) {
        stage.watch(seen, state);
        finished = stage.done(seen);
      }
      const bool control = seen.stage_steps() % control_every == 0 || seen.stage_steps() == stage.exact_steps();
      if (g.step % probe == 0 && !(control && stage.part_done(seen))) write_row(seen);
      if (control) {
        if (Result r = choose_dt(); r.outcome == Outcome::failed) return r;
        const bool bodies = stage.tends_bodies(state);
        if (bodies) {
          method_.fetch(state);
          method_.flush();
        }
        stage.tend(model_, state);
        if (bodies) method_.changed();
        if (stage.part_done(seen)) {
          stage.mark(state);
          write_row(seen);
          method_.flush();  // rows of parts are few
          stage.next_part(state);
          stage.plan(model_, state);
        }
        ramp(std::size_t(g.stage.index));
        if (stage.go_on(seen, state)) plan(std::size_t(g.stage.index));
        finished = finished || stage.done(seen);
        if (stage.is_ramped() && g.stage.real[7] < 1) finished = false;
        if (hooks_.wants_progress && hooks_.wants_progress()) hooks_.progress(progress_of(x_, channels, seen));
        if (!finished && stage.max_steps > 0 && seen.stage_steps() >= stage.max_steps)
          return method_.flush(),
                 Result{Outcome::failed, "stage '" + stage.name + "' did not reach its goal in max_steps = " +
                                             std::to_string(stage.max_steps)};
      }
      if (g.step % x_.cadence.hash_every == 0) {
        method_.fetch(state);
        extend_chain(state);
        if (hooks_.hash) hooks_.hash(g.step, g.hash);
      }
      if (finished) break;
      if (x_.cadence.vtk && x_.cadence.vtk_every > 0 && g.step % x_.cadence.vtk_every == 0 && hooks_.picture) {
        method_.fetch(state);
        hooks_.picture(seen);
      }
      const bool stopping = control && hooks_.stop && hooks_.stop();
      if (g.step % x_.cadence.checkpoint_every == 0 || stopping || g.time >= until)
        if (hooks_.checkpoint) {
          method_.fetch(state);
          method_.flush();  // the row of this step comes before its checkpoint
          hooks_.checkpoint(state);
        }
      if (stopping) return {Outcome::interrupted, ""};
      if (g.time >= until) {  // the checkpoint before this shall not know figures of a stage that is not done
        method_.fetch(state);
        method_.flush();
        if (x_.analysis) x_.analysis->stage_end(seen, stage.is_shear(), figures);
        if (hooks_.stopped) hooks_.stopped(seen);
        return {Outcome::until, ""};
      }
    }
    method_.fetch(state);
    method_.flush();
    stage.end(state);
    {
      const Observation<D> seen = look();
      stage.figures(seen, figures);
      if (x_.analysis) x_.analysis->stage_end(seen, stage.is_shear(), figures);
      write_row(seen);
      method_.flush();
      if (hooks_.stage_end) hooks_.stage_end(seen);
      if (x_.cadence.vtk && hooks_.picture) hooks_.picture(seen);
    }
    if (std::size_t(g.stage.index) + 1 == x_.stages.size()) break;
    begin(std::size_t(g.stage.index) + 1);
    if (state.grains() == 0) return none_left();
    if (!model_.options.ledger && model_.cell.needs_stress())  // not kept up by a stage that had no use for it
      g.virial = sample_volume(model_, state) * look().stress();
    write_row(look());  // where the new stage starts from
    method_.flush();
    // A stage without steps is made again after a resume: its forces are not part of a checkpoint.
    if (hooks_.checkpoint && !x_.stages[std::size_t(g.stage.index)]->is_static()) hooks_.checkpoint(state);
  }
  extend_chain(state);
  if (hooks_.hash) hooks_.hash(g.step, g.hash);
  if (hooks_.checkpoint) hooks_.checkpoint(state);
  return verdict();
}

template <int D>
Result Runner<D>::verdict() const {
  const std::string why = method_.verdict(since_row.in_all, x_.state.globals.step);
  return why.empty() ? Result{} : Result{Outcome::failed, why};
}

#define TALUS_INSTANTIATE(D)            \
  template class Runner<D>;             \
  template void stop_motion(State<D>&);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

}  // namespace talus::lab
