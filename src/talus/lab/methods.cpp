#include <talus/lab/methods.hpp>

#include <talus/core/input_error.hpp>
#include <talus/dem/dem_method.hpp>
#include <talus/impulse/impulse_method.hpp>
#include <talus/mpm/mpm_method.hpp>
#include <talus/sph/sph_method.hpp>

namespace talus::lab {

template <int D>
const std::vector<MethodKind<D>>& method_kinds() {
  static const std::vector<MethodKind<D>> kinds{
      {"dem", "soft contacts in short steps", [] { return dem::make_method<D>(); }},
      {"impulse", "rigid contacts solved in long steps", [] { return impulse::make_method<D>(); }},
      {"mpm", "a continuum as material points that move through a grid", [] { return mpm::make_method<D>(); }},
      {"sph", "a continuum as smoothed particles", [] { return sph::make_method<D>(); }},
  };
  return kinds;
}

std::vector<std::string> method_words() {
  std::vector<std::string> words;
  for (const auto& kind : method_kinds<2>()) words.emplace_back(kind.word);
  return words;
}

template <int D>
std::unique_ptr<Method<D>> make_method(std::string_view word) {
  for (const auto& kind : method_kinds<D>())
    if (kind.word == word) return kind.make();
  throw InputError("", 0, "method", "there is no method '" + std::string(word) + "'", "talus list methods");
}

#define TALUS_INSTANTIATE(D)                                 \
  template const std::vector<MethodKind<D>>& method_kinds(); \
  template std::unique_ptr<Method<D>> make_method(std::string_view);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

}  // namespace talus::lab
