#pragma once
// What makes the steps of an experiment: the explicit method, on this machine or on a CUDA device, the same on polygons, or
// contact dynamics. The state of the experiment always has the globals of this moment; on a device its bodies and rows are
// those of the last `fetch`.
#include <functional>
#include <memory>

#include <talus/dem/device.hpp>
#include <talus/dem/polygons.hpp>
#include <talus/dem/step.hpp>
#include <talus/impulse/step.hpp>

namespace talus::lab {

// What is said of some steps, whatever the method.
struct Steps {
  u32 status = fine;
  Real overlap = 0;      // largest over the smaller radius
  i64 sweeps = 0;        // of the contact solver, in all
  i64 capped = 0;        // steps that it gave up
  Real residual = 0;     // its largest
  Real contraction = 0;  // largest of a multi-contact model, see dem::StepReport
};

template <int D>
class Engine {
 public:
  explicit Engine(bool on_device);

  Steps prepare(const Model<D>& model, State<D>& state);
  u32 rebuild(const Model<D>& model, State<D>& state);
  // Moves on by `steps` steps, fewer if a check fails. The report's overlap is the largest of them.
  Steps advance(const Model<D>& model, State<D>& state, i64 steps);
  // Largest stable time step; on a device without the pair that limits it.
  dem::TimeStepLimit critical_dt(const Model<D>& model, const State<D>& state);
  // The touching contacts with the forces of the last step, in key order.
  ContactList<D> contacts(const Model<D>& model, const State<D>& state) const;
  // The body that a status bit complains about.
  u32 culprit(const Model<D>& model, const State<D>& state, u32 status) const;
  // Brings bodies and rows up to this moment.
  void fetch(State<D>& state);
  // Somebody changed bodies, rows or the model: the device must be given them again.
  void changed() { current_ = false; }
  // A job that only looks at bodies and rows as they are now: done while a device makes its next steps.
  void later(std::function<void()> job);
  void flush();  // does what is still to be done

  bool on_device() const { return device_ != nullptr; }

 private:
  dem::Scratch<D> scratch_;
  dem::polygons::Scratch polygons_;
  impulse::Scratch impulse_;
  std::unique_ptr<dem::Device<D>> device_;
  std::function<void()> job_;
  bool current_ = false;  // the device has model and state
  bool fetched_ = true;   // the host has bodies and rows
};

}  // namespace talus::lab
