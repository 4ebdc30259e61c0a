#pragma once
// Force chains of a plane sample after Peters, Muthuswamy, Wibowo & Tordesillas, Phys. Rev. E 72 (2005) 041307: grains in a
// line that carry more than most. A grain is highly stressed when the major principal value of its own stress is not below
// the mean of all grains. Two such grains that touch are linked when the line between their centres is within an angle of
// the principal direction of both. Where several neighbours lie ahead of a grain, or behind it, the one that is pressed most
// is taken, and links must be mutual: so chains do not branch. Three grains and more make a chain.
#include <vector>

#include <talus/measure/averages.hpp>
#include <talus/state/contact_sample.hpp>
#include <talus/state/model.hpp>
#include <talus/state/state.hpp>

namespace talus::measure {

struct ChainRule {
  Real angle = pi / 4;    // rad, between a link and the principal directions of its grains
  std::size_t least = 3;  // grains
};

struct ChainLink {
  std::size_t from, to;  // indices of grains
  Vec2 branch;           // m, from the first to the image of the second that it touches
  Real force;            // N, along the normals of their contacts
};

struct ForceChains {
  std::vector<std::vector<ChainLink>> chains;   // links from one end to the other; a ring has as many links as grains
  std::vector<bool> highly_stressed, in_chain;  // of each grain

  std::size_t count() const { return chains.size(); }
  Real mean_length() const;  // grains
  Real share() const;        // of all grains, those in chains
};

ForceChains force_chains(const Model<2>& model, const State<2>& state, const ContactList<2>& contacts,
                         const ChainRule& rule = {});

}  // namespace talus::measure
