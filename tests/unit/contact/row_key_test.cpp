#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <tuple>
#include <vector>

#include <talus/contact/row_key.hpp>
#include <talus/core/rng.hpp>

using namespace talus;

namespace {

// Each field apart, in the order that decides.
auto fields(const RowKey& k) {
  const auto bits = [](i16 m) { return u32(u16(m)); };
  return std::make_tuple(k.a, k.b, k.sub_b, k.sub_a, u32(k.kind), bits(k.period[2]), bits(k.period[1]),
                         bits(k.period[0]));
}

// Few values, so that keys often agree in some fields; among them the ends of each range.
RowKey any_key(Rng& rng) {
  const std::array<u32, 4> numbers{0, 1, 65536, ~0u};
  const std::array<i32, 5> counts{0, 1, -1, image_limit, -image_limit};
  const auto number = [&] { return numbers[rng.below(numbers.size())]; };
  const auto count = [&] { return counts[rng.below(counts.size())]; };
  RowKey key = RowKey::between(number(), number(), Vec<3, i32>{count(), count(), count()});
  key = key.of_parts(number(), number());
  key.kind = ContactKind(rng.below(3));
  return key;
}

}  // namespace

TEST(RowKey, GivesImagesOfEitherSignBackInThePlaneAndInSpace) {
  for (i32 m = -image_limit; m <= image_limit; m += 160) {
    const RowKey space = RowKey::between(1, 2, Vec<3, i32>{m, -m, 5}), plane = RowKey::between(1, 2, Vec<2, i32>{m, -m});
    EXPECT_EQ(space.image<3>(), (Vec<3, i32>{m, -m, 5}));
    EXPECT_EQ(plane.image<2>(), (Vec<2, i32>{m, -m}));
    EXPECT_EQ(plane.image<3>(), (Vec<3, i32>{m, -m, 0}));  // one meaning in both
    EXPECT_TRUE(space.has_image());
    EXPECT_EQ(plane.has_image(), m != 0);
  }
}

TEST(RowKey, PartsAndKindAreNoImage) {
  RowKey key = RowKey{3, 4}.of_parts(70000, ~0u);
  key.kind = ContactKind::facet;
  EXPECT_FALSE(key.has_image());
  EXPECT_EQ(key.sub_a, 70000u);
  EXPECT_EQ(key.sub_b, ~0u);
  EXPECT_EQ(key.a, 3u);
  EXPECT_EQ(key.b, 4u);
}

TEST(RowKey, IsEqualWhereAllFieldsAreAndOrderedByThem) {
  Rng rng{1};
  for (int trial = 0; trial < 20000; ++trial) {
    const RowKey p = any_key(rng), q = any_key(rng);
    ASSERT_EQ(p == q, fields(p) == fields(q));
    ASSERT_EQ(p < q, fields(p) < fields(q));
    ASSERT_EQ(p.a == q.a && p.b == q.b && comes_first(p, q), p.a == q.a && p.b == q.b && p < q);
  }
}

TEST(RowKey, EachFieldTellsTwoContactsApart) {
  const RowKey plain{1, 2};
  std::vector<RowKey> keys{plain, {1, 3}, {2, 2}, plain.of_parts(1, 0), plain.of_parts(0, 1)};
  for (const ContactKind kind : {ContactKind::coat, ContactKind::facet}) {
    keys.push_back(plain);
    keys.back().kind = kind;
  }
  for (int k = 0; k < 3; ++k)
    for (const i16 m : {-1, 1}) {
      keys.push_back(plain);
      keys.back().period[k] = m;
    }
  std::sort(keys.begin(), keys.end());
  EXPECT_EQ(std::adjacent_find(keys.begin(), keys.end()), keys.end());
}
