#pragma once
// A sample that another run has left, and what it is made of. The layers above open files and run scenes; a scene only says
// which sample it wants.
#include <functional>
#include <string>
#include <vector>

#include <talus/state/model.hpp>
#include <talus/state/state.hpp>

namespace talus::scene {

// The law between two materials, by their names, and a fingerprint of its constants.
struct PairCard {
  std::string a, b, law;
  u64 constants = 0;
};
// What a sample is made of. It lies beside the state in a checkpoint: a scene that takes the sample must say the same.
struct SampleCard {
  std::vector<Material> materials;
  std::vector<PairCard> pairs;
};
template <int D>
SampleCard card_of(const Model<D>& model);

// How this model differs from what the sample's grains are made of; empty when it does not. `of`: index in the model of each
// material of the card.
template <int D>
std::string difference(const SampleCard& card, const Model<D>& model, const State<D>& sample, std::vector<u32>& of);

template <int D>
struct Parent {
  State<D> state;
  SampleCard card;
  double made_in = 0;     // s, of wall time
  bool is_ready = true;  // false: only placed; the scene is looked at, not run
};

struct ParentRequest {
  std::string file;                   // a checkpoint; empty: the scene makes it
  std::string scene;                  // by name or path
  std::vector<std::string> settings;  // name=value for it
};
// Throws InputError for what is missing, damaged or does not fit.
template <int D>
using FindParent = std::function<Parent<D>(const ParentRequest&)>;

}  // namespace talus::scene
