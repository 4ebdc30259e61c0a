#pragma once
// The models of matter that there are. One word here adds one; a scene names it in material.NAME.model. A model has a `volume`
// (Tait), a `viscosity`, and later a law for its deviator.
#include <string>
#include <tuple>
#include <vector>

#include <talus/matter/newtonian.hpp>

namespace talus::matter {

using Models = std::tuple<Newtonian>;

inline std::vector<std::string> model_names() {
  std::vector<std::string> names;
  std::apply([&](const auto&... model) { (names.emplace_back(model.name), ...); }, Models{});
  return names;
}

// What all of them have, as kernels take it.
struct Matter {
  Tait volume;
  Real viscosity = 0;  // Pa s

  static Matter read(Input& in) {
    const std::string word = in.choice("model", model_names(), std::nullopt, "constitutive model");
    Matter m;
    std::apply([&](const auto&... model) { (read_if(word, model, in, m), ...); }, Models{});
    return m;
  }

 private:
  template <class Model>
  static void read_if(const std::string& word, const Model& kind, Input& in, Matter& out) {
    if (word != kind.name) return;
    const Model model = Model::read(in);
    out = {model.volume, model.viscosity};
  }
};

}  // namespace talus::matter
