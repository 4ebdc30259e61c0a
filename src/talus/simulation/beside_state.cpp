#include <talus/simulation/beside_state.hpp>

#include <cmath>

namespace talus::simulation {
namespace {

// JSON has no infinity and writes null. A residual is infinite where conditions are violated and nothing pushes.
Real number(const nlohmann::json& j) { return j.is_number() ? j.get<Real>() : HUGE_VAL; }

}  // namespace

nlohmann::json written(const SinceRow& s) {
  return {{"steps", s.steps}, {"overlap", s.overlap}, {"values", s.values}, {"in_all", s.in_all}};
}

SinceRow read_since_row(const nlohmann::json& j) {
  SinceRow s;
  s.steps = j.value("steps", i64{0});
  s.overlap = number(j.value("overlap", nlohmann::json(0.0)));
  for (const auto& v : j.value("values", nlohmann::json::array())) s.values.push_back(number(v));
  for (const auto& v : j.value("in_all", nlohmann::json::array())) s.in_all.push_back(number(v));
  return s;
}

nlohmann::json written(const Figures& figures) {
  nlohmann::json all = nlohmann::json::array();
  for (const auto& f : figures)
    all.push_back({{"name", f.name},
                   {"value", f.value ? nlohmann::json(*f.value) : nlohmann::json()},
                   {"unit", f.unit},
                   {"definition", f.definition},
                   {"reason", f.reason}});
  return all;
}

Figures read_figures(const nlohmann::json& all) {
  Figures figures;
  for (const auto& f : all)
    figures.push_back({f.value("name", ""),
                       f["value"].is_number() ? std::optional<Real>(f["value"].get<Real>()) : std::nullopt,
                       f.value("unit", ""), f.value("definition", ""), f.value("reason", "")});
  return figures;
}

}  // namespace talus::simulation
