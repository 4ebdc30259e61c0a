// The explicit method on a device. Compiled once per dimension: step_cuda_2d.cu, step_cuda_3d.cu.
//
// A step is one CUDA graph, launched again and again without the host looking. When a step finds its lists too old it
// closes the gate: what is still queued returns at once, the host rebuilds and finishes that step.
#pragma once
#include <cstring>

#include <talus/dem/device.hpp>
#include <talus/dem/step.ipp>
#include <talus/dem/time_step.ipp>
#include <talus/exec/cuda.cuh>

namespace talus::dem {

template <int D>
struct Device<D>::Inside {
  using Cuda = exec::Cuda;
  using Contacts = RowContacts<Cuda, D>;

  Model<D> model;
  Column<WallDrive<D>> drives;  // as on the device, to compare with
  State<D> state;
  Scratch<D> s;
  exec::Mailbox<Globals<D>> globals;
  exec::Mailbox<Tally> tally;
  exec::Graph graph;
  exec::Graph first_half, pass, second_half;  // of a step that iterates forces and displacements

  static void move(State<D>& x, const exec::Memory& memory) {
    State<D>::visit_tables(x, [&](const AboutTable&, auto& table) { table.move_to(memory); });
  }
  void take(const Model<D>& other) {
    model = other;
    drives = other.drives;
    const exec::Memory& memory = Cuda::memory();
    model.pairs.law.move_to(memory);
    model.pairs.params.move_to(memory);
    model.shapes.move_to(memory);
    model.drives.move_to(memory);
    for_each_law([&]<std::size_t L>() { std::get<L>(model.pairs.constants.of).move_to(memory); });
    model.multi_contact.constants.move_to(memory);
    model.multi_contact.table.move_to(memory);
    model.options.random_rebuilds = 0;
  }

  void put(const Tally& now) {
    *globals = state.globals;
    *tally = now;
    globals.send(s.globals.data());
    tally.send(s.tally.data());
  }
  Tally read_tally() {
    globals.fetch(s.globals.data());
    tally.fetch(s.tally.data());
    exec::wait_for_device();
    state.globals = *globals;
    return *tally;
  }

  void forget_graphs() {
    for (exec::Graph* g : {&graph, &first_half, &pass, &second_half}) g->forget();
  }
  u32 rebuild() {
    forget_graphs();
    const u32 status = rebuild_on<Cuda>(model, state, s);
    dem::pack<Cuda>(state, s, s.globals.data());
    return status;
  }

  // A step whose forces and displacements are iterated: the host looks every few passes whether they are solved. Passes that were
  // queued beyond that do nothing, so their number is that of the host.
  void iterated_step(StepReport& report) requires(D == 3) {
    constexpr i64 at_once = 4;
    const u32* gate = &s.tally.data()->halted;
    put({});
    if (first_half.empty())
      first_half.record(gate, [&] { move_bodies<Contacts>(model, state, s, false); });
    first_half.launch();
    Tally seen = read_tally();
    if (seen.halted == 1) {
      dem::unpack<Cuda>(state, s);
      report.status |= rebuild();
      report.rebuilt = true;
      seen.halted = 0;
      put(seen);
    }
    report.status |= seen.status;
    if (report.status != fine) return;
    begin_solving<Cuda>(state, s);
    if (pass.empty()) pass.record(&s.tally.data()->solved, [&] { solve_once<Cuda>(model, state, s); });
    for (i64 n = 0; n < model.multi_contact.max_iterations && !seen.solved;) {
      for (const i64 end = min(n + at_once, model.multi_contact.max_iterations); n < end; ++n) pass.launch();
      seen = read_tally();
    }
    report.status |= seen.solved ? seen.status : u32(not_solved);
    if (second_half.empty()) second_half.record(gate, [&] { find_forces<Contacts>(model, state, s, true); });
    second_half.launch();
    seen = read_tally();
    report.status |= seen.status;
    report.overlap = max(report.overlap, seen.deepest);
    report.contraction = max(report.contraction, seen.steepest);
  }

  StepReport advance(i64 steps, const std::function<void()>& meanwhile) {
    i64 batch = meanwhile ? 100 : 16;  // steps queued before the host looks
    StepReport report;
    const i64 target = state.globals.step + steps;
    *globals = state.globals;
    globals.send(s.globals.data());
    if (!s.valid) report.status |= rebuild();
    put({});
    const bool iterates = model.multi_contact.acts() && model.multi_contact.iterate;
    if constexpr (D == 3)
      for (bool first = true; iterates && target > state.globals.step && report.status == fine; first = false) {
        iterated_step(report);
        if (first && meanwhile) meanwhile();
      }
    while (state.globals.step < target && report.status == fine) {
      if (graph.empty())
        graph.record(&s.tally.data()->halted, [&] {
          move_bodies<Contacts>(model, state, s, false);
          find_forces<Contacts>(model, state, s, true);
        });
      for (i64 n = min(batch, target - state.globals.step); n > 0; --n) graph.launch();
      if (meanwhile && batch > 16) meanwhile();
      batch = 16;
      Tally seen = read_tally();
      if (seen.halted == 1) {  // in the middle of a step: positions have moved, forces have not been found
        dem::unpack<Cuda>(state, s);
        report.status |= rebuild();
        report.rebuilt = true;
        if (report.status != fine) break;
        seen.halted = 0;
        put(seen);
        find_forces<Contacts>(model, state, s, true);
        seen = read_tally();
      }
      report.overlap = max(report.overlap, seen.deepest);
      report.status |= seen.status;
      report.contraction = max(report.contraction, seen.steepest);
    }
    dem::unpack<Cuda>(state, s);
    return report;
  }
};

template <int D>
Device<D>::Device() {
  if (const std::string missing = exec::no_device(); !missing.empty()) throw exec::DeviceError(missing);
  inside_ = std::make_unique<Inside>();
}
template <int D>
Device<D>::~Device() = default;

template <int D>
void Device<D>::upload(const Model<D>& model, const StepOptions& options, const State<D>& state) {
  Inside& in = *inside_;
  in.forget_graphs();
  in.take(model);
  in.state = state;
  Inside::move(in.state, exec::Cuda::memory());
  in.s = Scratch<D>{};
  in.s.local_damping = options.local_damping;
  in.s.walls_spin = any_wall_spins(model);
  in.s.globals.move_to(exec::Cuda::memory());
  in.s.globals.resize(1);
  exec::Cuda::memory().copy(in.s.globals.data(), &state.globals, sizeof(Globals<D>));
}

template <int D>
void Device<D>::replan(const Model<D>& model, const Globals<D>& globals) {
  Inside& in = *inside_;
  in.state.globals = globals;
  const std::size_t bytes = in.drives.size() * sizeof(WallDrive<D>);
  if (std::memcmp(&in.model.cell, &model.cell, sizeof model.cell) == 0 &&
      (bytes == 0 || std::memcmp(in.drives.data(), model.drives.data(), bytes) == 0))
    return;
  in.model.cell = model.cell;
  in.drives = model.drives;
  in.model.drives.copy_from(model.drives);
  in.s.walls_spin = any_wall_spins(model);
  in.forget_graphs();
}

template <int D>
StepReport Device<D>::advance(i64 steps, const std::function<void()>& meanwhile) {
  return inside_->advance(steps, meanwhile);
}
template <int D>
const Globals<D>& Device<D>::globals() const {
  return inside_->state.globals;
}

template <int D>
void Device<D>::download(State<D>& state, Scratch<D>& scratch) const {
  const Inside& in = *inside_;
  state = in.state;
  Inside::move(state, exec::host_memory());
  scratch.valid = false;
  scratch.tally.clear();
  for (std::size_t l = 0; l < law_count; ++l) {
    scratch.index[l].body_a.copy_from(in.s.index[l].body_a);
    scratch.index[l].body_b.copy_from(in.s.index[l].body_b);
    scratch.index[l].params.copy_from(in.s.index[l].params);
    scratch.index[l].first = in.s.index[l].first;
  }
  scratch.push.copy_from(in.s.push);
  scratch.kept.release();
  scratch.mode_of_uid.copy_from(in.s.mode_of_uid);
  scratch.rebuilds = in.s.rebuilds;
}

template <int D>
TimeStepLimit Device<D>::critical_dt() const {
  const Frequencies<D> f = frequencies<exec::Cuda>(inside_->model, inside_->state, inside_->s);
  return {f.stable_step(), 0, 0, f.damped_step()};
}
template <int D>
i64 Device<D>::rebuilds() const {
  return inside_->s.rebuilds;
}
template <int D>
std::size_t Device<D>::bytes() const {
  return exec::device_bytes();
}

}  // namespace talus::dem
