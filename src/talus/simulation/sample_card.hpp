#pragma once
// What a sample is made of, as it lies beside the state in a checkpoint.
#include <nlohmann/json.hpp>

#include <talus/scene/parent.hpp>

namespace talus::simulation {

nlohmann::json written(const scene::SampleCard& card);
scene::SampleCard read_card(const nlohmann::json& json);

}  // namespace talus::simulation
