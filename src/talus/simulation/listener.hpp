#pragma once
// Who drives a simulation hears what happens in it: the command line, a window, a notebook. All are optional.
#include <string>

#include <talus/lab/runner.hpp>

namespace talus::simulation {

class Listener {
 public:
  virtual ~Listener() = default;
  virtual void begins(i64 /*step*/) {}                // the run starts, or goes on, here
  virtual void says(const std::string& /*line*/) {}   // what a person should know
  virtual void notes(const std::string& /*line*/) {}  // what a person must know in any case: what to change in the scene, what is gone
  virtual bool wants_progress() { return false; }     // asked every few steps; the clock is the listener's
  virtual void progress(const lab::Progress&) {}
  virtual bool wants_stop() { return false; }  // asked every few steps; a checkpoint is written before the run stops
};

}  // namespace talus::simulation
