#pragma once
// Where a law stands in the list of laws.hpp: tests name the law, never its number.
#include <talus/contact/laws.hpp>

namespace talus::test {

template <class List, class Law>
struct IndexIn;
template <class Law, class... L>
struct IndexIn<std::tuple<Law, L...>, Law> {
  static constexpr std::size_t value = 0;
};
template <class Law, class First, class... L>
struct IndexIn<std::tuple<First, L...>, Law> {
  static constexpr std::size_t value = 1 + IndexIn<std::tuple<L...>, Law>::value;
};
template <class Law>
inline constexpr std::size_t law_index = IndexIn<Laws<Law::dimension>, Law>::value;

}  // namespace talus::test
