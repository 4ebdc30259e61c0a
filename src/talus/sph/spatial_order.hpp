#pragma once
// Hilbert's curve through the cells of a grid: places that follow one another along it lie side by side, so stretches of it are compact.
#include <talus/core/vec.hpp>

namespace talus::sph {

// Number along the curve of a cell, `bits` bits an axis. Level by level from the coarsest: a quarter, or an eighth, is numbered by the
// Gray code of its corner, turned so that the curve enters where the one before it left (Hamilton and Rau-Chaplin 2008).
template <int D>
TALUS_HD u64 hilbert_number(const Vec<D, u32>& cell, int bits) {
  constexpr u32 all = (1u << D) - 1;
  const auto turn_left = [](u32 x, u32 by) { return ((x << by) | (x >> (u32(D) - by))) & all; };  // by: 0 to D - 1
  const auto trailing_ones = [](u32 x) {
    u32 n = 0;
    for (; x & 1; x >>= 1) ++n;
    return n;
  };
  u64 number = 0;
  u32 entry = 0, along = 0;
  for (int level = bits - 1; level >= 0; --level) {
    u32 corner = 0;
    for (int k = 0; k < D; ++k) corner |= (cell[k] >> level & 1) << k;
    const u32 back = (along + 1) % u32(D);
    const u32 seen = turn_left(corner ^ entry, (u32(D) - back) % u32(D));
    u32 place = seen;  // the number whose Gray code it is
    for (u32 shift = 1; shift < u32(D); ++shift) place ^= seen >> shift;
    number = number << D | place;
    const u32 even = place == 0 ? 0 : (place - 1) & ~1u, start = even ^ (even >> 1);
    entry ^= turn_left(start, back);
    along = (along + (place == 0 ? 0 : trailing_ones(place & 1 ? place : place - 1)) + 1) % u32(D);
  }
  return number;
}

}  // namespace talus::sph
