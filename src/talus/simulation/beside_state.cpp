#include <talus/simulation/beside_state.hpp>

#include <algorithm>
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

template <int D>
nlohmann::json written(const TestStart<D>& start) {
  if (start.uid.empty()) return nlohmann::json::object();
  std::vector<Real> h, position, orientation;
  for (int i = 0; i < D; ++i)
    for (int j = 0; j < D; ++j) h.push_back(start.h(i, j));
  for (const Vec<D>& x : start.position)
    for (int k = 0; k < D; ++k) position.push_back(x[k]);
  for (const Quat& q : start.orientation) orientation.insert(orientation.end(), {q.w, q.x, q.y, q.z});
  return {{"h", h}, {"uid", start.uid}, {"position", position}, {"turn", start.turn}, {"orientation", orientation}};
}

template <int D>
TestStart<D> read_test_start(const nlohmann::json& json) {
  TestStart<D> start;
  if (json.empty()) return start;
  start.uid = json.at("uid").get<std::vector<u32>>();
  start.turn = json.at("turn").get<std::vector<Real>>();
  for (int i = 0; i < D; ++i)
    for (int j = 0; j < D; ++j) start.h(i, j) = json.at("h").at(std::size_t(i * D + j)).get<Real>();
  const auto position = json.at("position").get<std::vector<Real>>(), orientation = json.at("orientation").get<std::vector<Real>>();
  for (std::size_t n = 0; n + D <= position.size(); n += D) {
    start.position.emplace_back();
    for (int k = 0; k < D; ++k) start.position.back()[k] = position[n + std::size_t(k)];
  }
  for (std::size_t n = 0; n + 4 <= orientation.size(); n += 4)
    start.orientation.push_back({orientation[n], orientation[n + 1], orientation[n + 2], orientation[n + 3]});
  return start;
}

template nlohmann::json written(const TestStart<2>&);
template nlohmann::json written(const TestStart<3>&);
template TestStart<2> read_test_start(const nlohmann::json&);
template TestStart<3> read_test_start(const nlohmann::json&);

nlohmann::json written(const Figures& figures) {
  nlohmann::json all = nlohmann::json::array();
  for (const auto& f : figures)
    all.push_back({{"name", f.name},
                   {"value", f.value ? nlohmann::json(*f.value) : nlohmann::json()},
                   {"unit", f.unit},
                   {"definition", f.definition.text},
                   {"title", f.definition.title},
                   {"symbol", f.definition.symbol},
                   {"group", int(f.definition.group)},
                   {"reason", f.reason}});
  return all;
}

Figures read_figures(const nlohmann::json& all) {
  Figures figures;
  for (const auto& f : all)
    figures.push_back({f.value("name", ""),
                       f["value"].is_number() ? std::optional<Real>(f["value"].get<Real>()) : std::nullopt,
                       f.value("unit", ""),
                       Definition(f.value("definition", ""), f.value("title", ""), f.value("symbol", ""),
                                  FigureGroup(std::clamp(f.value("group", 0), 0, 3))),
                       f.value("reason", "")});
  return figures;
}

}  // namespace talus::simulation
