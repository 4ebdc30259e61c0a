#pragma once
// The models of matter that there are. One word here adds one; a scene names it in material.NAME.model. A model is a plain struct:
//   name, about             word of the scene, and what it means
//   read(in)                from [material.NAME]
//   volume                  Tait's equation of its pressure
//   viscosity()             Pa s, of the drag between pairs
//   shear_modulus()         Pa; 0: a liquid, which remembers nothing
//   rubs()                  coefficient of friction on rough walls
//   diffuses                is its density spread among neighbours?
//   respond(memory, ratio, deformation)   stress, density and dissipation after a step
//   as_in_paper()           itself, as the paper integrates it: may be left out
//   stretched(f)            stress and energy of a deformation from rest: elastic models alone
#include <algorithm>
#include <cstring>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include <talus/matter/drucker_prager.hpp>
#include <talus/matter/elastic.hpp>
#include <talus/matter/newtonian.hpp>

namespace talus::matter {

using Models = std::tuple<Newtonian, Elastic, DruckerPrager>;

inline std::vector<std::string> model_names() {
  std::vector<std::string> names;
  std::apply([&](const auto&... model) { (names.emplace_back(model.name), ...); }, Models{});
  return names;
}

template <class... M>
constexpr std::size_t room_for(const std::tuple<M...>*) {
  return std::max({sizeof(M)...});
}

// One of them, as kernels take it: plain bytes, and beside them what pairs of particles ask for.
class Matter {
 public:
  template <class Model>
  Matter(const Model& model) requires(!std::is_same_v<Model, Matter>)
      : volume(model.volume), viscosity(model.viscosity()), shear_modulus(model.shear_modulus()), diffuses(Model::diffuses ? 1 : 0), friction(model.rubs()), kind_(index_of<Model>()) {
    static_assert(std::is_trivially_copyable_v<Model>);
    std::memcpy(bytes_, &model, sizeof model);
  }
  static Matter read(Input& in) {
    const std::string word = in.choice("model", model_names(), std::nullopt, "constitutive model");
    Matter m = Newtonian{};
    std::apply([&](const auto&... model) { (read_if(word, model, in, m), ...); }, Models{});
    return m;
  }

  Tait volume;
  Real viscosity = 0;      // Pa s
  Real shear_modulus = 0;  // Pa
  u64 diffuses = 0;        // 1: its density is spread among neighbours
  Real friction = 0;       // on rough walls

  TALUS_HD bool is_solid() const { return shear_modulus > 0; }
  TALUS_HD bool is_elastic() const { return is_solid() && !diffuses; }  // it keeps its shape, and its own partners
  Real wave_speed() const {  // m/s, of compression waves
    return std::sqrt((volume.modulus() + 4 * shear_modulus / 3) / volume.density);
  }
  TALUS_HD Answer respond(const Memory& before, Real ratio, const Deformation& by) const { return respond_as<0>(before, ratio, by); }
  TALUS_HD Stretched stretched(const Mat3& f) const { return stretched_as<0>(f); }
  Matter as_in_paper() const { return as_in_paper<0>(); }  // where a model has a form of its own for that

 private:
  static constexpr std::size_t count = std::tuple_size_v<Models>;
  template <class Model, std::size_t K = 0>
  static constexpr u64 index_of() {
    static_assert(K < count, "a model is one of Models");
    if constexpr (std::is_same_v<Model, std::tuple_element_t<K, Models>>) return K;
    else return index_of<Model, K + 1>();
  }
  template <class Model>
  static void read_if(const std::string& word, const Model& kind, Input& in, Matter& out) {
    if (word == kind.name) out = Matter(Model::read(in));
  }
  template <std::size_t K>
  TALUS_HD Answer respond_as(const Memory& before, Real ratio, const Deformation& by) const {
    if constexpr (K + 1 < count)
      if (kind_ != K) return respond_as<K + 1>(before, ratio, by);
    return reinterpret_cast<const std::tuple_element_t<K, Models>*>(bytes_)->respond(before, ratio, by);
  }
  template <std::size_t K>
  Matter as_in_paper() const {
    using Model = std::tuple_element_t<K, Models>;
    if constexpr (requires(const Model& m) { m.as_in_paper(); })
      if (kind_ == K) return reinterpret_cast<const Model*>(bytes_)->as_in_paper();
    if constexpr (K + 1 < count) return as_in_paper<K + 1>();
    else return *this;
  }
  template <std::size_t K>
  TALUS_HD Stretched stretched_as(const Mat3& f) const {
    using Model = std::tuple_element_t<K, Models>;
    if constexpr (requires(const Model& m) { m.stretched(f); })
      if (kind_ == K) return reinterpret_cast<const Model*>(bytes_)->stretched(f);
    if constexpr (K + 1 < count) return stretched_as<K + 1>(f);
    return {};
  }
  u64 kind_;
  alignas(Real) unsigned char bytes_[room_for(static_cast<const Models*>(nullptr))] = {};
};

}  // namespace talus::matter
