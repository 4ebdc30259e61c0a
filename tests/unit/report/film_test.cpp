#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include <talus/report/film.hpp>
#include <talus/report/png.hpp>

using namespace talus::report;

namespace {

std::string frame(int width, unsigned char grey) {
  Picture p;
  p.width = width;
  p.height = 3;
  p.caption = "grey " + std::to_string(grey);
  p.rgba.assign(std::size_t(4 * width * 3), grey);
  for (std::size_t k = 3; k < p.rgba.size(); k += 4) p.rgba[k] = 255;
  const auto bytes = encode_png(p);
  return {bytes.begin(), bytes.end()};
}

std::size_t count(const std::vector<unsigned char>& bytes, const std::string& word) {
  const std::string text(bytes.begin(), bytes.end());
  std::size_t n = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++n;
  return n;
}

}  // namespace

// A viewer that knows no films shows the first frame: it must be a PNG like any other, check sums included.
TEST(Film, IsAPngWhoseFirstFrameEveryViewerShows) {
  const auto film = make_film({frame(5, 10), frame(5, 100), frame(5, 200)}, 0.05);
  const Picture first = decode_png(film);
  EXPECT_EQ(first.width, 5);
  EXPECT_EQ(first.rgba[0], 10);
  EXPECT_EQ(first.caption, "grey 200");
  EXPECT_TRUE(is_film(film));
  EXPECT_EQ(count(film, "fcTL"), 3u);
  EXPECT_EQ(count(film, "acTL"), 1u);
  EXPECT_EQ(count(film, "fdAT"), 2u);
}

TEST(Film, LeavesOutFramesOfAnotherSize) {
  EXPECT_EQ(count(make_film({frame(5, 10), frame(6, 100), frame(5, 200)}, 0.05), "fcTL"), 2u);
}

TEST(Film, GoesOnWithoutADamagedFrame) {
  const std::string whole = frame(5, 1), damaged = whole.substr(0, whole.size() / 2);
  EXPECT_EQ(fit_frames({whole, damaged, whole}).size(), 2u);
  EXPECT_TRUE(fit_frames({damaged, "not a picture"}).empty());
}

TEST(Film, RefusesWhatIsNoPng) {
  EXPECT_THROW(make_film({"not a picture"}, 0.05), std::runtime_error);
  EXPECT_THROW(make_film({}, 0.05), std::runtime_error);
  const std::string one = frame(5, 1);
  EXPECT_FALSE(is_film({reinterpret_cast<const unsigned char*>(one.data()), one.size()}));
}
