#pragma once
// The persistent name of a contact: the two bodies by uid, the periodic image, and in the plane the parts of both.
// It survives rebuilds, reorders, checkpoints and replication; history follows it.
#include <compare>

#include <talus/core/vec.hpp>

namespace talus {

struct alignas(16) RowKey {
  u32 a = 0, b = 0;  // uids, a <= b; a == b when a body touches its own image
  u64 detail =
      0;  // periods between b's position and its image that a touches: three signed 16-bit counts; 16 bits free

  TALUS_HD static u64 pack(const Vec<3, i32>& m) { return u64(u16(m.x)) | u64(u16(m.y)) << 16 | u64(u16(m.z)) << 32; }
  TALUS_HD static u64 pack(const Vec<2, i32>& m) { return u64(u16(m.x)) | u64(u16(m.y)) << 16; }
  template <int D>
  TALUS_HD Vec<D, i32> image() const {
    Vec<D, i32> m;
    for (int k = 0; k < D; ++k) m[k] = i32(i16(u16(detail >> (16 * k))));
    return m;
  }
  // In the plane the upper half of `detail` names the part of each body: compounds touch with several.
  TALUS_HD RowKey of_parts(u32 part_a, u32 part_b) const {
    return {a, b, (detail & 0xffffffffu) | u64(u16(part_a)) << 32 | u64(u16(part_b)) << 48};
  }
  TALUS_HD u32 part_a() const { return u16(detail >> 32); }
  TALUS_HD u32 part_b() const { return u16(detail >> 48); }
  TALUS_HD friend bool operator==(const RowKey& p, const RowKey& q) {
    return p.a == q.a && p.b == q.b && p.detail == q.detail;
  }
  TALUS_HD friend bool operator<(const RowKey& p, const RowKey& q) {
    return p.a != q.a ? p.a < q.a : p.b != q.b ? p.b < q.b : p.detail < q.detail;
  }
};

inline constexpr i32 image_limit = 32000;  // two neighbours further apart than this many periods stop the run

}  // namespace talus
