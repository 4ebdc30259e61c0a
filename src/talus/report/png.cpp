#include <talus/report/png.hpp>

#include <array>
#include <cstring>
#include <stdexcept>
#include <string>

#include <fmt/format.h>
#include <png.h>
#include <nlohmann/json.hpp>

#include <talus/core/nesting.hpp>

namespace talus::report {
namespace {

// libpng reports an error by a long jump, which skips destructors and leaves local variables undefined. Therefore the
// calls that may fail stand in functions of their own (write_all, read_all): what they fill belongs to the caller.
struct Bytes {
  std::vector<unsigned char> data;
  std::size_t at = 0;
};

void append(png_structp png, png_bytep from, png_size_t count) {
  auto& out = static_cast<Bytes*>(png_get_io_ptr(png))->data;
  out.insert(out.end(), from, from + count);
}
void ignore_flush(png_structp) {}

void take(png_structp png, png_bytep to, png_size_t count) {
  auto& in = *static_cast<Bytes*>(png_get_io_ptr(png));
  if (count > in.data.size() - in.at) png_error(png, "the file ends early");
  std::memcpy(to, in.data.data() + in.at, count);
  in.at += count;
}
void be_silent(png_structp, png_const_charp) {}
void jump(png_structp png, png_const_charp) { png_longjmp(png, 1); }

constexpr char caption_key[] = "Description", bar_key[] = "talus:bar";

std::string bar_text(const ColourBar& bar) {
  return nlohmann::json{{"label", bar.label},
                        {"low", bar.low},
                        {"high", bar.high},
                        {"more_below", bar.more_below},
                        {"more_above", bar.more_above}}
      .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

ColourBar read_bar(const std::string& text) {
  const auto parsed = too_deep_json(text) ? nlohmann::json() : nlohmann::json::parse(text, nullptr, false);
  if (!parsed.is_object()) return {};
  ColourBar bar;
  try {
    bar.label = parsed.value("label", "");
    bar.low = parsed.value("low", 0.0);
    bar.high = parsed.value("high", 1.0);
    bar.more_below = parsed.value("more_below", false);
    bar.more_above = parsed.value("more_above", false);
  } catch (const nlohmann::json::exception&) { return {}; }  // not one of ours: a picture without a bar
  return bar;
}

bool write_all(png_structp png, png_infop info, const Picture& picture, int kind, const std::vector<png_color>& colours,
               std::array<png_text, 2>& text, std::vector<png_const_bytep>& rows) {
  if (setjmp(png_jmpbuf(png))) return false;
  png_set_IHDR(png, info, static_cast<png_uint_32>(picture.width), static_cast<png_uint_32>(picture.height), 8, kind,
               PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  if (kind == PNG_COLOR_TYPE_PALETTE) png_set_PLTE(png, info, colours.data(), static_cast<int>(colours.size()));
  png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
  png_set_text(png, info, text.data(), picture.bar.label.empty() ? 1 : 2);
  png_set_rows(png, info, const_cast<png_bytepp>(rows.data()));
  png_write_png(png, info, kind == PNG_COLOR_TYPE_RGB ? PNG_TRANSFORM_STRIP_FILLER_AFTER : PNG_TRANSFORM_IDENTITY, nullptr);
  return true;
}

constexpr std::size_t most_pixels = 64'000'000;  // a few kilobytes can say that they are a picture of terabytes

bool read_all(png_structp png, png_infop info, Picture& picture, std::vector<png_bytep>& rows) {
  if (setjmp(png_jmpbuf(png))) return false;
  png_read_info(png, info);
  png_set_expand(png);
  png_set_strip_16(png);
  png_set_gray_to_rgb(png);
  png_set_add_alpha(png, 255, PNG_FILLER_AFTER);
  png_set_interlace_handling(png);
  png_read_update_info(png, info);
  if (std::size_t{png_get_image_width(png, info)} * png_get_image_height(png, info) > most_pixels) return false;
  picture.width = static_cast<int>(png_get_image_width(png, info));
  picture.height = static_cast<int>(png_get_image_height(png, info));
  picture.rgba.resize(png_get_rowbytes(png, info) * png_get_image_height(png, info));
  rows.resize(png_get_image_height(png, info));
  for (std::size_t y = 0; y < rows.size(); ++y) rows[y] = picture.rgba.data() + png_get_rowbytes(png, info) * y;
  png_read_image(png, rows.data());
  png_read_end(png, info);
  return true;
}

}  // namespace

static bool is_opaque(const Picture& picture) {
  for (std::size_t k = 3; k < picture.rgba.size(); k += 4)
    if (picture.rgba[k] != 255) return false;
  return true;
}

std::vector<unsigned char> encode_png(const Picture& picture, const Palette* palette) {
  const auto width = static_cast<std::size_t>(picture.width), height = static_cast<std::size_t>(picture.height);
  if (picture.width <= 0 || picture.height <= 0 || picture.rgba.size() != 4 * width * height)
    throw std::runtime_error(
        fmt::format("picture of {} x {} with {} bytes", picture.width, picture.height, picture.rgba.size()));

  const int kind = palette ? PNG_COLOR_TYPE_PALETTE : is_opaque(picture) ? PNG_COLOR_TYPE_RGB : PNG_COLOR_TYPE_RGBA;
  std::vector<png_color> colours;
  if (palette)
    for (const auto& c : palette->colours()) colours.push_back({c[0], c[1], c[2]});
  const std::vector<unsigned char> indices = palette ? palette->indices(picture) : std::vector<unsigned char>{};
  std::string caption = picture.caption, bar = bar_text(picture.bar);
  std::array<png_text, 2> text{};
  text[0].key = const_cast<char*>(caption_key);
  text[0].text = caption.data();
  text[1].key = const_cast<char*>(bar_key);
  text[1].text = bar.data();
  for (png_text& t : text) t.compression = PNG_ITXT_COMPRESSION_NONE;  // international: UTF-8
  std::vector<png_const_bytep> rows(height);
  for (std::size_t y = 0; y < height; ++y) rows[y] = palette ? indices.data() + width * y : picture.rgba.data() + 4 * width * y;

  Bytes out;
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, jump, be_silent);
  png_infop info = png ? png_create_info_struct(png) : nullptr;
  if (info) png_set_write_fn(png, &out, append, ignore_flush);
  const bool done = info && write_all(png, info, picture, kind, colours, text, rows);
  png_destroy_write_struct(&png, &info);
  if (!done) throw std::runtime_error("PNG: cannot encode the picture");
  return std::move(out.data);
}

std::vector<unsigned char> encode_small(const Picture& picture) {
  auto exact = encode_png(picture);
  if (!is_opaque(picture)) return exact;
  const Palette palette({&picture});
  auto small = encode_png(picture, &palette);
  return small.size() < exact.size() ? small : exact;
}

Picture decode_png(std::span<const unsigned char> bytes) {
  Bytes in{{bytes.begin(), bytes.end()}};
  Picture picture;
  std::vector<png_bytep> rows;
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, nullptr, jump, be_silent);
  png_infop info = png ? png_create_info_struct(png) : nullptr;
  if (info) png_set_read_fn(png, &in, take);
  const bool done = info && read_all(png, info, picture, rows);
  png_textp text = nullptr;
  const int count = done ? png_get_text(png, info, &text, nullptr) : 0;
  for (int k = 0; k < count; ++k) {
    if (std::strcmp(text[k].key, caption_key) == 0) picture.caption = text[k].text;
    if (std::strcmp(text[k].key, bar_key) == 0) picture.bar = read_bar(text[k].text);
  }
  png_destroy_read_struct(&png, &info, nullptr);
  if (!done) throw std::runtime_error("PNG: damaged, too large, or not a PNG");
  return picture;
}

}  // namespace talus::report
