#include <talus/simulation/sample_card.hpp>

#include <charconv>

#include <talus/core/hash.hpp>

namespace talus::simulation {

nlohmann::json written(const scene::SampleCard& card) {
  nlohmann::json materials = nlohmann::json::array(), pairs = nlohmann::json::array(), walls = nlohmann::json::array();
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
  for (const auto& w : card.walls) walls.push_back({{"name", w.name}, {"shape", hex(w.shape)}});
  return {{"materials", materials}, {"pairs", pairs}, {"walls", walls}};
}

namespace {

u64 number_of(const std::string& digits) {  // as hex() writes it
  u64 number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number, 16);
  return number;
}

}  // namespace

scene::SampleCard read_card(const nlohmann::json& json) {
  scene::SampleCard card;
  for (const auto& m : json.value("materials", nlohmann::json::array()))
    card.materials.push_back({m.value("name", ""), m.value("density", 0.0), m.value("young", 0.0), m.value("poisson", 0.0),
                              m.value("friction", 0.0), m.value("restitution", 0.0), m.value("rolling_friction", 0.0),
                              m.value("rigid", false)});
  for (const auto& p : json.value("pairs", nlohmann::json::array())) {
    card.pairs.push_back({p.value("a", ""), p.value("b", ""), p.value("law", ""), number_of(p.value("constants", ""))});
  }
  for (const auto& w : json.value("walls", nlohmann::json::array())) card.walls.push_back({w.value("name", ""), number_of(w.value("shape", ""))});
  return card;
}

}  // namespace talus::simulation
