#pragma once
// What lies beside the state in a checkpoint, as JSON: what steps have shown since the last row, figures of stages that are done,
// where grains were when the test began.
#include <nlohmann/json.hpp>

#include <talus/core/figure.hpp>
#include <talus/io/test_start.hpp>
#include <talus/method/diagnostics.hpp>

namespace talus::simulation {

nlohmann::json written(const SinceRow& since);
SinceRow read_since_row(const nlohmann::json& json);
nlohmann::json written(const Figures& figures);
Figures read_figures(const nlohmann::json& json);

template <int D>
nlohmann::json written(const TestStart<D>& start);
template <int D>
TestStart<D> read_test_start(const nlohmann::json& json);  // whole or not

}  // namespace talus::simulation
