#include <talus/simulation/sample_card.hpp>

#include <charconv>

#include <talus/core/hash.hpp>

namespace talus::simulation {

nlohmann::json written(const scene::SampleCard& card) {
  nlohmann::json materials = nlohmann::json::array(), pairs = nlohmann::json::array();
  for (const Material& m : card.materials)
    materials.push_back({{"name", m.name},
                         {"density", m.density},
                         {"young", m.young},
                         {"poisson", m.poisson},
                         {"friction", m.friction},
                         {"restitution", m.restitution},
                         {"rolling_friction", m.rolling_friction},
                         {"rigid", m.rigid}});
  for (const auto& p : card.pairs) pairs.push_back({{"a", p.a}, {"b", p.b}, {"law", p.law}, {"constants", hex(p.constants)}});
  return {{"materials", materials}, {"pairs", pairs}};
}

scene::SampleCard read_card(const nlohmann::json& json) {
  scene::SampleCard card;
  for (const auto& m : json.value("materials", nlohmann::json::array()))
    card.materials.push_back({m.value("name", ""), m.value("density", 0.0), m.value("young", 0.0), m.value("poisson", 0.0),
                              m.value("friction", 0.0), m.value("restitution", 0.0), m.value("rolling_friction", 0.0),
                              m.value("rigid", false)});
  for (const auto& p : json.value("pairs", nlohmann::json::array())) {
    const std::string digits = p.value("constants", "");
    u64 constants = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), constants, 16);
    card.pairs.push_back({p.value("a", ""), p.value("b", ""), p.value("law", ""), constants});
  }
  return card;
}

}  // namespace talus::simulation
