#include <talus/contact/mortar.hpp>

#include <cstdio>

#include <talus/core/assert.hpp>

namespace talus {

namespace {

constexpr Real zero_celsius = 273.15;

std::string celsius(Real kelvin) {
  char text[32];
  std::snprintf(text, sizeof text, "%.10g degC", kelvin - zero_celsius);
  return text;
}

}  // namespace

MortarTable MortarTable::published() {
  return {3,
          {100 + zero_celsius, 125 + zero_celsius, 150 + zero_celsius},
          {{40.27e6, 613.50e6, 15.02e6, 3.33e6}, {23.45e6, 558.73e6, 11.63e6, 2.43e6}, {15.12e6, 530.09e6, 10.52e6, 2.05e6}}};
}

MortarTable MortarTable::read(Input& in) {
  const MortarTable known = published();
  const auto column = [&](std::string_view key, const Dimension& dimension, const auto& of, std::string_view about) {
    std::vector<Real> fallback;
    for (u32 i = 0; i < known.count; ++i) fallback.push_back(of(i));
    return in.numbers(key, dimension, Range::positive(), 0, fallback, about);
  };
  const auto kelvin = column("temperatures", dim::temperature, [&](u32 i) { return known.temperature[i]; },
                             "temperatures at which the constants of the mortar are stated, rising; linear between them");
  const auto km = column("maxwell_stiffness", dim::pressure, [&](u32 i) { return known.constants[i].maxwell_stiffness; },
                         "spring of the Maxwell element, at each temperature, for area over thickness 1 m");
  const auto cm = column("maxwell_viscosity", dim::viscosity, [&](u32 i) { return known.constants[i].maxwell_viscosity; },
                         "dashpot of the Maxwell element");
  const auto kk = column("kelvin_stiffness", dim::pressure, [&](u32 i) { return known.constants[i].kelvin_stiffness; },
                         "spring of the Kelvin-Voigt element");
  const auto ck = column("kelvin_viscosity", dim::viscosity, [&](u32 i) { return known.constants[i].kelvin_viscosity; },
                         "dashpot of the Kelvin-Voigt element");
  MortarTable table;
  if (kelvin.empty() || kelvin.size() > most) in.fail("temperatures", "there must be 1 to 8 temperatures", "state those that the work needs");
  for (std::size_t i = 1; i < kelvin.size(); ++i)
    if (!(kelvin[i] > kelvin[i - 1])) in.fail("temperatures", "temperatures do not rise", "sort them, each once");
  const std::pair<std::string_view, const std::vector<Real>*> rows[] = {
      {"maxwell_stiffness", &km}, {"maxwell_viscosity", &cm}, {"kelvin_stiffness", &kk}, {"kelvin_viscosity", &ck}};
  for (const auto& [key, row] : rows)
    if (row->size() != kelvin.size()) in.fail(key, "not as many values as temperatures", "state one for each of " + std::to_string(kelvin.size()));
  table.count = u32(kelvin.size());
  for (u32 i = 0; i < table.count; ++i) {
    table.temperature[i] = kelvin[i];
    table.constants[i] = {km[i], cm[i], kk[i], ck[i]};
  }
  return table;
}

void MortarTable::need(const Input& in, std::string_view key, Real kelvin) const {
  if (holds(kelvin)) return;
  const Real nearest = kelvin > hottest() ? hottest() : coldest();
  in.fail(key, "the mortar has no constants at " + celsius(kelvin),
          "its table goes from " + celsius(coldest()) + " to " + celsius(hottest()) + "; nearest: " + celsius(nearest));
}

MortarConstants MortarTable::at(Real kelvin) const {
  TALUS_ASSERT(holds(kelvin));
  u32 i = 0;
  while (i + 2 < count && kelvin >= temperature[i + 1]) ++i;
  if (count == 1 || kelvin == temperature[i]) return constants[i];
  if (kelvin == temperature[i + 1]) return constants[i + 1];
  const Real share = (kelvin - temperature[i]) / (temperature[i + 1] - temperature[i]);
  const auto between = [&](Real MortarConstants::*c) {
    return constants[i].*c + share * (constants[i + 1].*c - constants[i].*c);
  };
  return {between(&MortarConstants::maxwell_stiffness), between(&MortarConstants::maxwell_viscosity),
          between(&MortarConstants::kelvin_stiffness), between(&MortarConstants::kelvin_viscosity)};
}

}  // namespace talus
