#pragma once
// The list of laws. One word here registers a law everywhere: scene schema, command line, docs, conformance tests.
#include <tuple>
#include <type_traits>

#include <talus/contact/hertz_mindlin.hpp>
#include <talus/contact/hertz_saturated.hpp>
#include <talus/contact/linear.hpp>
#include <talus/contact/rolling.hpp>

namespace talus {

template <int D>
using Laws = std::tuple<HertzMindlin<D>, Linear<D>, Rolling<HertzMindlin<D>>, Rolling<Linear<D>>, HertzSaturated<D>>;

inline constexpr std::size_t law_count = std::tuple_size_v<Laws<3>>;

// Where a law stands in the list: nobody names it by its number.
template <class Law>
inline constexpr std::size_t law_index = []<class... L>(std::tuple<L...>*) {
  std::size_t at = 0;
  (void)((std::is_same_v<L, Law> || (++at, false)) || ...);
  return at;
}
(static_cast<Laws<Law::dimension>*>(nullptr));

// Calls f with each law's index as a compile-time constant: for_each_law([&]<std::size_t L>() { ... }).
template <class F>
constexpr void for_each_law(F&& f) {
  [&]<std::size_t... L>(std::index_sequence<L...>) { (f.template operator()<L>(), ...); }
  (std::make_index_sequence<law_count>{});
}

// Names in order of the list.
inline std::vector<std::string> law_names() {
  std::vector<std::string> names;
  for_each_law([&]<std::size_t L>() { names.emplace_back(std::tuple_element_t<L, Laws<3>>::name); });
  return names;
}

}  // namespace talus
