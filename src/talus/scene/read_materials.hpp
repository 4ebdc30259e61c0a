#pragma once
// [material.NAME], [contact] and [pair.A.B]: what things are made of, and how they touch.
#include <talus/core/input.hpp>
#include <talus/state/model.hpp>

namespace talus::scene {

std::vector<Material> read_materials(Input& in, bool elastic);
// Names and densities alone: the method reads the rest.
std::vector<Material> read_densities(Input& in);

// Fills model.pairs for every pair of model.materials. A law that nobody needs is read where it is stated, so that a scene may
// be run by any method.
template <int D>
void read_pairs(Input& in, Model<D>& model, bool needs_laws, const std::string& named);

}  // namespace talus::scene
