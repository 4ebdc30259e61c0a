// Walls, rods and palettes of pictures.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include <talus/report/film.hpp>
#include <talus/report/picture.hpp>
#include <talus/report/png.hpp>

using namespace talus;
using namespace talus::report;

namespace {

using Colour = std::array<int, 3>;
Colour at(const Picture& p, int x, int y) {
  const std::size_t k = 4 * (std::size_t(y) * std::size_t(p.width) + std::size_t(x));
  return {p.rgba[k], p.rgba[k + 1], p.rgba[k + 2]};
}
bool is_white(const Colour& c) { return c == Colour{255, 255, 255}; }

Grains one_disc() {
  Grains g;
  g.centres = {{0, 0, 0}};
  g.radii = {1};
  g.flat = true;
  return g;
}

std::string bytes_of(const Picture& p) {
  const auto bytes = encode_png(p);
  return {bytes.begin(), bytes.end()};
}

}  // namespace

TEST(ReportPicture, IsTheSameWhateverTheOrderOfItsGrains) {
  Grains g = one_disc(), turned;
  g.centres = {{0, 0, 0}, {1, 0.5, 0}, {0.3, 1.2, 0}};  // each hides a part of another, none is nearer to the eye
  g.radii = {1, 1, 1};
  g.values = {0, 0.5, 1};
  g.high = 1;
  turned = g;
  std::reverse(turned.centres.begin(), turned.centres.end());
  std::reverse(turned.values.begin(), turned.values.end());
  EXPECT_EQ(bytes_of(draw_grains(g, 100)), bytes_of(draw_grains(turned, 100)));
}

TEST(ReportPicture, AWallOfThePlaneIsALineWhereItStands) {
  Grains g = one_disc();
  g.walls = {{0, {{-2, -1, 0}, {2, -1, 0}}, {0, 1, 0}}};
  const Picture p = draw_grains(g, 200);
  EXPECT_NEAR(p.width, 200, 2);
  // The wall lies along the lower edge, left and right of the disc too; half way up there is nothing at the sides.
  const int foot = p.height - 1 - int(0.03 * p.width / 2);
  bool found = false;
  for (int y = foot - 3; y < p.height; ++y) found = found || !is_white(at(p, 10, y));
  EXPECT_TRUE(found);
  EXPECT_TRUE(is_white(at(p, 10, p.height / 2)));
}

TEST(ReportPicture, AWallInSpaceHidesNoGrainFromTheEye) {
  Grains g;
  g.centres = {{0, 0, 0}};
  g.radii = {1};
  const Picture bare = draw_grains(g, 100);
  const Colour middle = at(bare, bare.width / 2, bare.height / 2);
  // A box: three sides behind the grain are filled, three before it are outlines.
  for (int k = 0; k < 3; ++k)
    for (const Real side : {-1.0, 1.0}) {
      WallFace wall{2 * k + (side > 0), {}, {}};
      wall.inward[k] = -side;
      for (const auto& [u, v] : {std::pair{-1.0, -1.0}, {1.0, -1.0}, {1.0, 1.0}, {-1.0, 1.0}}) {
        Vec3 corner{};
        corner[k] = side;
        corner[(k + 1) % 3] = u;
        corner[(k + 2) % 3] = v;
        wall.corners.push_back(corner);
      }
      g.walls.push_back(wall);
    }
  g.scale = bare.scale;
  const Picture boxed = draw_grains(g, 100);
  EXPECT_DOUBLE_EQ(boxed.scale, bare.scale);
  EXPECT_GT(boxed.width, bare.width);
  for (std::size_t k = 0; k < 3; ++k)  // where sample points lie on the grain moves by part of a pixel
    EXPECT_NEAR(at(boxed, boxed.width / 2, boxed.height / 2)[k], middle[k], 3);
}

TEST(ReportPicture, ARodIsColouredByItsForce) {
  Grains g;
  g.rods = {{{0, 0, 0}, {0, 0, 4}, 0.3, 0}, {{3, 0, 0}, {3, 0, 4}, 0.3, 1}};
  g.value_label = "force";
  g.low = 0;
  g.high = 1;
  const Picture p = draw_grains(g, 200);
  EXPECT_EQ(p.bar.label, "force");
  std::set<Colour> colours;
  for (int x = 0; x < p.width; ++x) colours.insert(at(p, x, p.height / 2));
  EXPECT_GT(colours.size(), 10u);  // two colours, each from light to shade
}

TEST(ReportPng, APaletteKeepsFewColoursExactlyAndManyNearly) {
  Picture few;
  few.width = few.height = 2;
  few.rgba = {0, 0, 0, 255, 255, 0, 0, 255, 0, 255, 0, 255, 9, 9, 200, 255};
  EXPECT_EQ(decode_png(encode_small(few)).rgba, few.rgba);
  Picture many;
  many.width = many.height = 128;
  for (int y = 0; y < 128; ++y)
    for (int x = 0; x < 128; ++x) many.rgba.insert(many.rgba.end(), {static_cast<unsigned char>(2 * x), static_cast<unsigned char>(2 * y), static_cast<unsigned char>(x + y), 255});
  const Palette palette({&many});
  EXPECT_EQ(palette.colours().size(), 256u);
  const Picture back = decode_png(encode_png(many, &palette));
  int worst = 0;
  for (std::size_t k = 0; k < many.rgba.size(); ++k) worst = std::max(worst, std::abs(many.rgba[k] - back.rgba[k]));
  EXPECT_LT(worst, 24);  // 256 colours for a plane of colours: 16 x 16 patches of 16 steps, some larger
  EXPECT_LE(encode_small(many).size(), encode_png(many).size());
}

TEST(Film, FramesOfSeveralSizesStandOnOneGround) {
  Picture small, large;
  small.width = small.height = 2;
  small.rgba.assign(16, 0);
  for (std::size_t k = 3; k < 16; k += 4) small.rgba[k] = 255;
  large.width = 4, large.height = 3;
  large.rgba.assign(48, 255);
  const auto frames = fit_frames({bytes_of(small), bytes_of(large)});
  ASSERT_EQ(frames.size(), 2u);
  const Picture first = decode_png({reinterpret_cast<const unsigned char*>(frames[0].data()), frames[0].size()});
  EXPECT_EQ(first.width, 4);
  EXPECT_EQ(first.height, 3);
  EXPECT_TRUE(is_white(at(first, 1, 0)));
  EXPECT_TRUE(is_white(at(first, 0, 2)));
  EXPECT_EQ(at(first, 1, 2), (Colour{0, 0, 0}));  // in the middle of the lower edge
  EXPECT_TRUE(is_film(make_film(frames, 0.1)));
}
