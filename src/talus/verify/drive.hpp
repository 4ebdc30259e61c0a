#pragma once
// Scenes of scenes/verify as the cases drive them.
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <talus/core/vec.hpp>
#include <talus/simulation/simulation.hpp>

namespace talus::verify {

// Settings of a scene, as --set takes them; all digits of a number.
class Settings {
 public:
  Settings& set(const std::string& name, Real value) { return put(name, fmt::format("{:.17g}", value)); }
  Settings& word(const std::string& name, const std::string& text) { return put(name, text); }
  Settings& numbers(const std::string& name, const std::vector<Real>& values);
  const std::vector<std::string>& all() const { return list_; }

 private:
  Settings& put(const std::string& name, const std::string& value) {
    list_.push_back(name + "=" + value);
    return *this;
  }
  std::vector<std::string> list_;
};

// A scene of the folder scenes/verify, beside the program or below where it was started. Throws InputError.
simulation::Simulation open(const std::string& name, const Settings& settings = {});

// Where the body of a uid is now.
template <int D>
std::size_t index_of(const State<D>& state, u32 uid) {
  std::size_t i = 0;
  while (i + 1 < state.bodies.size() && state.bodies.uid[i] != uid) ++i;
  return i;
}

// Makes steps, and throws when the run fails.
void step(simulation::Simulation& simulation, i64 steps = 1);

}  // namespace talus::verify
