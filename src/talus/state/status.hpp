#pragma once
// What can go wrong in a step, whatever the method. Bits of one word.
#include <talus/core/real.hpp>

namespace talus {

enum Status : u32 {
  fine = 0,
  not_finite = 1,        // a position, velocity or force is NaN or infinite
  deep_overlap = 2,      // an overlap exceeded the limit of the options
  lost_history = 4,      // a contact with memory was not found again by the search
  too_many_periods = 8,  // a body is more than 16000 periods from the cell
  too_fast = 16,         // bodies could pass through one another within a step
  folded = 32,           // multi-contact: forces grow without bound, there is no equilibrium beyond this compression
  short_reach = 64,      // multi-contact: a surface bulges further than contacts are looked for
  not_solved = 128,      // multi-contact: an iterated step did not reach its tolerance
  own_image = 256,       // contact dynamics: a rigid grain meets its own image across the cell
  lost_particle = 512,   // continuum: a particle has left the domain
  compressed = 1024      // continuum: a particle is denser than its material can be
};

}  // namespace talus
