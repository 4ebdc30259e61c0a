#pragma once
// The explicit method on a CUDA device. Bodies and rows stay there between steps; the host gets them when it asks.
#include <functional>
#include <memory>

#include <talus/dem/step.hpp>

namespace talus::dem {

template <int D>
class Device {
 public:
  Device();
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  // Takes model and state over. To be called again whenever the host has changed bodies or rows.
  void upload(const Model<D>& model, const StepOptions& options, const State<D>& state);
  // Takes over what a stage may change while it runs: the plan of walls and cell, and the globals.
  void replan(const Model<D>& model, const Globals<D>& globals);
  // Moves on by `steps` steps, fewer if a check fails. `overlap` of the report is the largest of all these steps.
  // `meanwhile` runs on the host while the device makes the first of them.
  StepReport advance(i64 steps, const std::function<void()>& meanwhile = {});
  // The globals as they are now; cheap.
  const Globals<D>& globals() const;
  // Everything the measures need, into the host's state and scratch.
  void download(State<D>& state, Scratch<D>& scratch) const;
  // As dem::critical_dt, without the pair.
  TimeStepLimit critical_dt() const;

  i64 rebuilds() const;
  std::size_t bytes() const;  // of device memory in use

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace talus::dem
