#include <talus/scene/parent.hpp>

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include <talus/core/hash.hpp>
#include <talus/core/scalars.hpp>

namespace talus::scene {
namespace {

// Constants of the law between two materials.
template <int D>
u64 constants_of(const PairTable<D>& pairs, u32 slot) {
  u64 hash = 0;
  for_each_law([&]<std::size_t L>() {
    if (pairs.law[slot] != L) return;
    const auto& constants = std::get<L>(pairs.constants.of)[pairs.params[slot]];
    static_assert(WithoutPadding<std::remove_cvref_t<decltype(constants)>>, "padding bytes hold anything");
    hash = hash_bytes(Rng::mix(L), &constants, sizeof constants);
  });
  return hash;
}

struct Property {
  const char* name;
  Real Material::*value;
};
constexpr std::array properties{Property{"density", &Material::density},
                                Property{"young", &Material::young},
                                Property{"poisson", &Material::poisson},
                                Property{"friction", &Material::friction},
                                Property{"restitution", &Material::restitution},
                                Property{"rolling_friction", &Material::rolling_friction}};

template <int D>
std::string law_of(const Model<D>& model, u32 slot) {
  return model.pairs.law[slot] == no_law ? "none" : law_names()[model.pairs.law[slot]];
}

}  // namespace

template <int D>
WallCard card_of_wall(const std::string& name, const WallShape<D>& shape) {
  u64 hash = 0;
  for (const Real x : {0.0, 0.3, 1.0})  // m: two shapes that lie as near to three points are the same
    for (int k = 0; k < D; ++k) {
      Vec<D> point;
      point[k] = x;
      point[(k + 1) % D] = x / 2;
      const Real gap = shape.at(point).gap;
      hash = hash_bytes(hash, &gap, sizeof gap);
    }
  return {name, hash};
}

template <int D>
SampleCard card_of(const Model<D>& model) {
  SampleCard card{model.materials, {}, {}};
  for (std::size_t w = 0; w < model.walls.size(); ++w)  // their shapes lie in their order, after that of balls
    card.walls.push_back(card_of_wall(model.walls[w].name, model.shapes[model.shapes.size() - model.walls.size() + w].wall));
  if (model.pairs.law.empty()) return card;  // a method without contacts
  const auto n = u32(model.materials.size());
  for (u32 a = 0; a < n; ++a)
    for (u32 b = a; b < n; ++b)
      card.pairs.push_back({model.materials[a].name, model.materials[b].name, law_of(model, a * n + b),
                            constants_of(model.pairs, a * n + b)});
  return card;
}

template <int D>
std::string difference(const SampleCard& card, const Model<D>& model, const State<D>& sample, std::vector<u32>& of) {
  of.assign(card.materials.size(), 0);
  std::vector<bool> is_used(card.materials.size());
  for (const u32 m : sample.bodies.material) {
    if (m >= is_used.size()) return fmt::format("it has grains of material {}, and states {}", m, is_used.size());
    is_used[m] = true;
  }
  for (std::size_t k = 0; k < is_used.size(); ++k) {
    if (!is_used[k]) continue;
    const Material& theirs = card.materials[k];
    const auto mine = std::find_if(model.materials.begin(), model.materials.end(),
                                   [&](const Material& m) { return m.name == theirs.name; });
    if (mine == model.materials.end()) return fmt::format("its grains are of '{}', which this scene does not have", theirs.name);
    for (const Property& p : properties)
      if (theirs.*p.value != (*mine).*p.value)
        return fmt::format("its material '{}' has a {} of {}, this scene's one of {}", theirs.name, p.name, theirs.*p.value,
                           (*mine).*p.value);
    of[k] = u32(mine - model.materials.begin());
  }
  const auto n = u32(model.materials.size());
  for (const PairCard& pair : card.pairs) {
    const auto find = [&](const std::string& name) {
      std::size_t k = 0;
      while (k < card.materials.size() && card.materials[k].name != name) ++k;
      return k;
    };
    const std::size_t a = find(pair.a), b = find(pair.b);
    if (a == is_used.size() || b == is_used.size() || !is_used[a] || !is_used[b]) continue;
    const u32 slot = of[a] * n + of[b];
    if (law_of(model, slot) != pair.law)
      return fmt::format("its law between '{}' and '{}' is {}, this scene's is {}", pair.a, pair.b, pair.law, law_of(model, slot));
    if (constants_of(model.pairs, slot) != pair.constants)
      return fmt::format("its law {} between '{}' and '{}' has other constants than this scene's", pair.law, pair.a, pair.b);
  }
  return "";
}

#define TALUS_INSTANTIATE(D)                     \
  template SampleCard card_of(const Model<D>&); \
  template WallCard card_of_wall(const std::string&, const WallShape<D>&); \
  template std::string difference(const SampleCard&, const Model<D>&, const State<D>&, std::vector<u32>&);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

}  // namespace talus::scene
