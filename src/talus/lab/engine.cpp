#include <talus/lab/engine.hpp>

#include <utility>

namespace talus::lab {

template <int D>
Engine<D>::Engine(bool on_device) {
  if (on_device) device_ = std::make_unique<dem::Device<D>>();
}

namespace {

Steps steps_of(const dem::StepReport& r) { return {r.status, r.overlap, 0, 0, 0, r.contraction}; }
Steps steps_of(const impulse::StepReport& r) { return {r.status, r.overlap, r.sweeps, r.capped, r.residual, 0}; }

}  // namespace

template <int D>
Steps Engine<D>::prepare(const Model<D>& model, State<D>& state) {
  flush();
  changed();
  if constexpr (D == 2) {
    if (model.method == Method::impulse) return steps_of(impulse::look(model, state, impulse_));
    if (model.has_polygons()) return steps_of(dem::polygons::prepare(model, state, polygons_));
  }
  return steps_of(dem::prepare(model, state, scratch_));
}

template <int D>
u32 Engine<D>::rebuild(const Model<D>& model, State<D>& state) {
  flush();
  changed();
  if (model.method == Method::impulse) {
    impulse_.pairs.valid = false;
    return fine;
  }
  if constexpr (D == 2)
    if (model.has_polygons()) return dem::polygons::rebuild(model, state, polygons_);
  return dem::rebuild(model, state, scratch_);
}

template <int D>
Steps Engine<D>::advance(const Model<D>& model, State<D>& state, i64 steps) {
  if (device_) {
    if (current_) {
      device_->replan(model, state.globals);
    } else {
      device_->upload(model, state);
      current_ = true;
    }
    const Steps all = steps_of(job_ ? device_->advance(steps, [this] { flush(); }) : device_->advance(steps));
    const u64 hash = state.globals.hash;
    const i64 hashes = state.globals.hashes;
    state.globals = device_->globals();
    state.globals.hash = hash;
    state.globals.hashes = hashes;
    fetched_ = false;
    return all;
  }
  if constexpr (D == 2) {
    if (model.method == Method::impulse) return steps_of(impulse::step(model, state, impulse_, steps));
    if (model.has_polygons()) return steps_of(dem::polygons::step(model, state, polygons_, steps));
  }
  return steps_of(dem::step(model, state, scratch_, steps));
}

template <int D>
dem::TimeStepLimit Engine<D>::critical_dt(const Model<D>& model, const State<D>& state) {
  if (device_ && current_ && !fetched_) return device_->critical_dt();
  if constexpr (D == 2)
    if (model.has_polygons()) return dem::polygons::critical_dt(model, state, polygons_);
  return dem::critical_dt(model, state, scratch_);
}

template <int D>
ContactList<D> Engine<D>::contacts(const Model<D>& model, const State<D>& state) const {
  if constexpr (D == 2) {
    if (model.method == Method::impulse) return impulse::contacts(state);
    if (model.has_polygons()) return dem::polygons::contacts(model, state, polygons_);
  }
  return dem::contacts(model, state, scratch_);
}
template <int D>
u32 Engine<D>::culprit(const Model<D>& model, const State<D>& state, u32 status) const {
  if constexpr (D == 2) {
    if (model.method == Method::impulse) return impulse::culprit(state, status);
    if (model.has_polygons()) return dem::polygons::culprit(model, state, polygons_, status);
  }
  return dem::culprit(model, state, scratch_, status);
}
template <int D>
void Engine<D>::fetch(State<D>& state) {
  if (!device_ || fetched_) return;
  flush();
  const Globals<D> now = state.globals;
  device_->download(state, scratch_);
  state.globals = now;
  fetched_ = true;
}

template <int D>
void Engine<D>::later(std::function<void()> job) {
  flush();
  job_ = std::move(job);
}
template <int D>
void Engine<D>::flush() {
  if (const auto job = std::exchange(job_, nullptr)) job();
}

template class Engine<2>;
template class Engine<3>;

}  // namespace talus::lab
