#pragma once
// Why a run stops or is not begun, in words that hold for several methods.
#include <string>

#include <talus/core/input.hpp>
#include <talus/method/diagnostics.hpp>
#include <talus/stages/overlap.hpp>

namespace talus {

// What a status is said about.
struct Complaint {
  std::string grain;  // "grain 7", the body that is to blame
  std::string where;  // " at step 12, stage 'settle'"
  Real overlap = 0;   // the largest of the last steps, over the smaller radius
  const SinceRow& since;
};

// The bits that mean the same for every method; empty if none is set.
std::string explain_any(u32 status, const Complaint& c);

// Refuses grains that start further inside one another, or inside a wall, than `limit`, over the smaller radius.
template <int D>
void refuse_overlap(Input& scene, const Model<D>& model, const Overlap& deepest, Real limit, const std::string& hint);

}  // namespace talus
