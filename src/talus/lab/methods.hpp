#pragma once
// The methods that there are: the only place that knows them all.
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <talus/method/method.hpp>

namespace talus::lab {

template <int D>
struct MethodKind {
  std::string_view word, about;
  std::unique_ptr<Method<D>> (*make)();
};
template <int D>
const std::vector<MethodKind<D>>& method_kinds();

std::vector<std::string> method_words();

// A method with the options that it has without a scene. Throws InputError for a word that no method has.
template <int D>
std::unique_ptr<Method<D>> make_method(std::string_view word);

}  // namespace talus::lab
