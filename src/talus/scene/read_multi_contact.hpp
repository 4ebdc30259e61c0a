#pragma once
// [multi_contact]: whether the contacts of a grain feel one another, and how.
#include <talus/core/input.hpp>
#include <talus/method/method.hpp>

namespace talus::scene {

template <int D>
void read_multi_contact(Input& scene, Model<D>& model, const Method<D>& method);

}  // namespace talus::scene
