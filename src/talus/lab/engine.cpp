#include <talus/lab/engine.hpp>

#include <utility>

namespace talus::lab {

template <int D>
Engine<D>::Engine(bool on_device) {
  if (on_device) device_ = std::make_unique<dem::Device<D>>();
}

template <int D>
dem::StepReport Engine<D>::prepare(const Model<D>& model, State<D>& state) {
  flush();
  changed();
  return dem::prepare(model, state, scratch_);
}

template <int D>
u32 Engine<D>::rebuild(const Model<D>& model, State<D>& state) {
  flush();
  changed();
  return dem::rebuild(model, state, scratch_);
}

template <int D>
dem::StepReport Engine<D>::advance(const Model<D>& model, State<D>& state, i64 steps) {
  if (device_) {
    if (current_) {
      device_->replan(model, state.globals);
    } else {
      device_->upload(model, state);
      current_ = true;
    }
    const dem::StepReport all = job_ ? device_->advance(steps, [this] { flush(); }) : device_->advance(steps);
    const u64 hash = state.globals.hash;
    const i64 hashes = state.globals.hashes;
    state.globals = device_->globals();
    state.globals.hash = hash;
    state.globals.hashes = hashes;
    fetched_ = false;
    return all;
  }
  return dem::step(model, state, scratch_, steps);
}

template <int D>
dem::TimeStepLimit Engine<D>::critical_dt(const Model<D>& model, const State<D>& state) {
  if (device_ && current_ && !fetched_) return {device_->critical_dt(), 0, 0};
  return dem::critical_dt(model, state, scratch_);
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
