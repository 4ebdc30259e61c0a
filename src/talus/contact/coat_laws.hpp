#pragma once
// The list of laws of coats, for implicit solvers alone. One word here registers a law everywhere: scene schema, command line, docs,
// conformance tests. Apart from laws.hpp, whose laws act on bare grains in any method.
#include <string>
#include <tuple>
#include <vector>

#include <talus/contact/burgers.hpp>

namespace talus {

template <int D>
using CoatLaws = std::tuple<Burgers<D>, ExpandedBurgers<D>, ReducedBurgers<D>, Damper<D>, SpringDamper<D>>;

// Calls f with each law's index as a compile-time constant: for_each_coat_law([&]<std::size_t L>() { ... }).
template <class F>
constexpr void for_each_coat_law(F&& f) {
  [&]<std::size_t... L>(std::index_sequence<L...>) { (f.template operator()<L>(), ...); }
  (std::make_index_sequence<std::tuple_size_v<CoatLaws<3>>>{});
}

inline std::vector<std::string> coat_law_names() {
  std::vector<std::string> names;
  for_each_coat_law([&]<std::size_t L>() { names.emplace_back(std::tuple_element_t<L, CoatLaws<3>>::name); });
  return names;
}

}  // namespace talus
