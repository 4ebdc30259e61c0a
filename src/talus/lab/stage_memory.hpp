#pragma once
// What a stage remembers from step to step: a struct of its own. State keeps it as plain words, which are part of
// checkpoints and of the state hash. The struct lists its fields, numbers and counters each in the order of their words:
//
//   struct Memory {
//     Real from = 0;  // m
//     i64 done = 0;
//     auto words() { return std::tie(from, done); }
//   };
#include <tuple>
#include <type_traits>

#include <talus/state/state.hpp>

namespace talus::lab {

template <class T, class Tuple>
inline constexpr std::size_t count_of = 0;
template <class T, class... W>
inline constexpr std::size_t count_of<T, std::tuple<W&...>> = (std::size_t(std::is_same_v<T, W>) + ... + 0);

template <class Memory>
using MemoryWords = decltype(std::declval<Memory&>().words());

// The last of the words are the ramp's. A stage whose memory needs them cannot have gravity or friction on their way.
inline constexpr std::size_t ramp_words = 4;
template <class Memory>
inline constexpr bool leaves_room_for_ramp =
    count_of<Real, MemoryWords<Memory>> + ramp_words <= std::extent_v<decltype(StageWords::real)>;

// Calls f(field, word) for each field, numbers from `first` on.
template <class Memory, class Words, class F>
void visit_words(Memory& memory, Words& words, F&& f, std::size_t first = 0) {
  using All = MemoryWords<Memory>;
  static_assert(count_of<Real, All> + count_of<i64, All> == std::tuple_size_v<All>, "fields are Real or i64");
  static_assert(count_of<Real, All> <= std::extent_v<decltype(StageWords::real)>, "too many numbers");
  static_assert(count_of<i64, All> <= std::extent_v<decltype(StageWords::count)>, "too many counters");
  std::size_t real = first, count = 0;
  const auto one = [&](auto& field) {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(field)>, Real>)
      f(field, words.real[real++]);
    else
      f(field, words.count[count++]);
  };
  std::apply([&](auto&... field) { (one(field), ...); }, memory.words());
}

template <class Memory, int D>
Memory recall(const State<D>& state, std::size_t first = 0) {
  Memory memory;
  visit_words(
      memory, state.globals.stage.words, [](auto& field, const auto& word) { field = word; }, first);
  return memory;
}

template <class Memory, int D>
void remember(State<D>& state, Memory memory, std::size_t first = 0) {
  visit_words(
      memory, state.globals.stage.words, [](const auto& field, auto& word) { word = field; }, first);
}

}  // namespace talus::lab
