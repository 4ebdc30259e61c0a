#pragma once
// The list of laws.hpp, in the plane and in space, for typed tests: registering a law there tests it.
#include <gtest/gtest.h>

#include <string>

#include <talus/contact/laws.hpp>

namespace talus::test {

template <class List>
struct AsTypes;
template <class... L>
struct AsTypes<std::tuple<L...>> {
  template <class... M>
  static ::testing::Types<L..., M...> join(std::tuple<M...>);
};
using EveryLaw = decltype(AsTypes<Laws<2>>::join(Laws<3>{}));

struct LawName {
  template <class Law>
  static std::string GetName(int) {
    std::string name;
    for (const char c : std::string(Law::name)) name += c == '-' ? '_' : c;
    return name + (Law::dimension == 2 ? "_2d" : "_3d");
  }
};

}  // namespace talus::test
