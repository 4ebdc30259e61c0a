#pragma once
// Gravity and friction on their way while a stage runs. The runner's memory, in words that no such stage uses.
#include <talus/lab/stage_memory.hpp>

namespace talus::lab {

struct Ramp {
  Vec3 gravity{};  // m/s^2, when the stage began
  Real share = 0;  // of the way that is done
  auto words() { return std::tie(gravity.x, gravity.y, gravity.z, share); }
  static constexpr std::size_t first_word = std::extent_v<decltype(StageWords::real)> - ramp_words;
};
static_assert(count_of<Real, MemoryWords<Ramp>> == ramp_words);

template <int D>
Ramp ramp_of(const State<D>& state) {
  return recall<Ramp>(state, Ramp::first_word);
}
template <int D>
void set_ramp(State<D>& state, const Ramp& ramp) {
  remember(state, ramp, Ramp::first_word);
}

}  // namespace talus::lab
