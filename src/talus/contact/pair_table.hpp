#pragma once
// Which law acts between two materials, and with which constants.
#include <tuple>

#include <talus/contact/laws.hpp>
#include <talus/contact/material.hpp>
#include <talus/exec/column.hpp>

namespace talus {

template <int D, class List>
struct ParamColumns;
template <int D, class... L>
struct ParamColumns<D, std::tuple<L...>> {
  std::tuple<Column<typename L::Params>...> of;
};

inline constexpr u32 no_law = ~0u;   // materials that never meet: two rigid walls
inline constexpr u32 any_law = ~1u;  // a search that asks for pairs of all laws

template <int D>
struct PairTable {
  u32 materials = 0;
  Column<u32> law;     // index into Laws, for material a * materials + b
  Column<u32> params;  // index into that law's constants
  ParamColumns<D, Laws<D>> constants;
  Column<PairCoefficients> coefficients;  // what contact dynamics needs

  void resize(u32 count) {
    materials = count;
    law.assign(std::size_t(count) * count, no_law);
    params.assign(std::size_t(count) * count, 0);
    coefficients.assign(std::size_t(count) * count, {});
  }
  void set(u32 a, u32 b, const PairCoefficients& c) {
    coefficients[a * materials + b] = coefficients[b * materials + a] = c;
  }
  template <std::size_t L>
  void set(u32 a, u32 b, const typename std::tuple_element_t<L, Laws<D>>::Params& p) {
    auto& column = std::get<L>(constants.of);
    for (const u32 slot : {a * materials + b, b * materials + a}) {
      law[slot] = u32(L);
      params[slot] = u32(column.size());
    }
    column.push_back(p);
  }
};

template <class Params>
void set_friction(Params& p, Real friction) {
  if constexpr (requires { p.base; })
    set_friction(p.base, friction);
  else
    p.friction = friction;
}
// Of a material against itself, for either method.
template <int D>
void set_friction(PairTable<D>& pairs, u32 material, Real friction) {
  const u32 slot = material * pairs.materials + material;
  pairs.coefficients[slot].friction = friction;
  for_each_law([&]<std::size_t L>() {
    if (pairs.law[slot] == L) set_friction(std::get<L>(pairs.constants.of)[pairs.params[slot]], friction);
  });
}

// What kernels take.
struct PairView {
  Span<const u32> law, params;
  u32 materials;
  TALUS_HD u32 slot(u32 a, u32 b) const { return a * materials + b; }
};

}  // namespace talus
