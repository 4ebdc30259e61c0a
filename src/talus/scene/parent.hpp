#pragma once
// A sample that another run has left, and what it is made of. The layers above open files and run scenes; a scene only says
// which sample it wants.
#include <functional>
#include <optional>
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
// A wall of the sample: its name and a fingerprint of its shape.
struct WallCard {
  std::string name;
  u64 shape = 0;
};
template <int D>
WallCard card_of_wall(const std::string& name, const WallShape<D>& shape);

// What a sample is made of. It lies beside the state in a checkpoint: a scene that takes the sample must say the same.
struct SampleCard {
  std::vector<Material> materials;
  std::vector<PairCard> pairs;
  std::vector<WallCard> walls;
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

// How the cell is to come to rest; which scenes and settings do that is searched for.
struct CellWish {
  Real porosity = 0, contacts = 0, friction = 0;  // at rest; the last is that of its grains
  Real porosity_within = 0, contacts_within = 0;
  i64 trials = 0;
  std::string mixed;                              // the scene that stretches and mixes a cell; empty: none
  std::string small;                              // edge of the cells that are tried first, as a quantity; empty: as large as the cell
};

struct ParentRequest {
  std::string file;                   // a checkpoint; empty: the scene makes it
  std::string scene;                  // by name or path
  std::vector<std::string> settings;  // name=value for it
  std::optional<CellWish> wish;
};
// Throws InputError for what is missing, damaged or does not fit.
template <int D>
using FindParent = std::function<Parent<D>(const ParentRequest&)>;

}  // namespace talus::scene
