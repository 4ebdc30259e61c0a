#pragma once
// The lasting name of a contact: the two bodies by uid, the periodic image, the sub-shapes of both, and the kind.
// It survives rebuilds, reorders, checkpoints and replication; history follows it.
#include <talus/core/vec.hpp>

namespace talus {

// What touches: the bodies themselves, their coats, or a body and a facet of a wall.
enum class ContactKind : u16 { grain, coat, facet };

struct alignas(8) RowKey {
  u32 a = 0, b = 0;  // uids, a <= b; a == b when a body touches its own image
  i16 period[3]{};   // periods between b's position and its image that a touches; in the plane the third is 0
  ContactKind kind = ContactKind::grain;
  u32 sub_a = 0, sub_b = 0;  // which part of each body; 0 where it has but one

  template <int D>
  TALUS_HD static RowKey between(u32 a, u32 b, const Vec<D, i32>& periods) {
    RowKey key{a, b};
    for (int k = 0; k < D; ++k) key.period[k] = i16(periods[k]);
    return key;
  }
  TALUS_HD RowKey of_parts(u32 part_a, u32 part_b) const {
    RowKey key = *this;
    key.sub_a = part_a;
    key.sub_b = part_b;
    return key;
  }
  template <int D>
  TALUS_HD Vec<D, i32> image() const {
    Vec<D, i32> m;
    for (int k = 0; k < D; ++k) m[k] = period[k];
    return m;
  }

  // 16 bits each, from below: the three periods, the kind.
  TALUS_HD u64 image_and_kind() const {
    return u64(u16(period[0])) | u64(u16(period[1])) << 16 | u64(u16(period[2])) << 32 | u64(kind) << 48;
  }
  TALUS_HD bool has_image() const { return (image_and_kind() << 16) != 0; }
  TALUS_HD u64 bodies() const { return u64(a) << 32 | b; }
  TALUS_HD u64 parts() const { return u64(sub_b) << 32 | sub_a; }

  TALUS_HD friend bool operator==(const RowKey& p, const RowKey& q) {
    return p.bodies() == q.bodies() && p.image_and_kind() == q.image_and_kind() && p.parts() == q.parts();
  }
  // By bodies, then by what else there is: parts, kind, image.
  TALUS_HD friend bool operator<(const RowKey& p, const RowKey& q) {
    return p.bodies() != q.bodies() ? p.bodies() < q.bodies() : comes_first(p, q);
  }
  TALUS_HD friend bool comes_first(const RowKey& p, const RowKey& q) {  // of two contacts of the same bodies
    return p.parts() != q.parts() ? p.parts() < q.parts() : p.image_and_kind() < q.image_and_kind();
  }
};
static_assert(sizeof(RowKey) == 24);

inline constexpr i32 image_limit = 32000;  // two neighbours further apart than this many periods stop the run

}  // namespace talus
