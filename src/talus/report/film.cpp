#include <talus/report/film.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string_view>

#include <talus/report/png.hpp>

namespace talus::report {
namespace {

constexpr unsigned char signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};

std::uint32_t word_at(std::string_view bytes, std::size_t at) {
  std::uint32_t w = 0;
  for (std::size_t k = 0; k < 4; ++k) w = w << 8 | static_cast<unsigned char>(bytes[at + k]);
  return w;
}

struct Chunk {
  std::string_view kind, data;
};

std::vector<Chunk> chunks_of(std::string_view png) {
  if (png.size() < 8 || std::memcmp(png.data(), signature, 8) != 0) throw std::runtime_error("a frame of the film is no PNG");
  std::vector<Chunk> out;
  for (std::size_t at = 8; at + 12 <= png.size();) {
    const std::size_t size = word_at(png, at);
    if (size > png.size() - at - 12) throw std::runtime_error("a frame of the film ends early");
    out.push_back({png.substr(at + 4, 4), png.substr(at + 8, size)});
    at += 12 + size;
  }
  return out;
}

void add_word(std::string& out, std::uint32_t w) {
  for (const int shift : {24, 16, 8, 0}) out += static_cast<char>(w >> shift & 0xff);
}
void add_half(std::string& out, unsigned w) {
  out += static_cast<char>(w >> 8 & 0xff);
  out += static_cast<char>(w & 0xff);
}

// The check sum of a chunk, bit by bit: frames are few.
std::uint32_t check_sum(std::string_view bytes) {
  std::uint32_t c = 0xffffffffu;
  for (const char byte : bytes) {
    c ^= static_cast<unsigned char>(byte);
    for (int k = 0; k < 8; ++k) c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1;
  }
  return ~c;
}

void add_chunk(std::string& out, std::string_view kind, std::string_view data) {
  add_word(out, static_cast<std::uint32_t>(data.size()));
  std::string body(kind);
  body += data;
  out += body;
  add_word(out, check_sum(body));
}

std::string header_of(const std::vector<Chunk>& chunks) {
  for (const Chunk& c : chunks)
    if (c.kind == "IHDR") return std::string(c.data);
  throw std::runtime_error("a frame of the film has no size");
}

// fcTL: number, size, place, time over 1000, what becomes of it.
std::string control(std::uint32_t number, const std::string& header, double seconds) {
  std::string out;
  add_word(out, number);
  out += header.substr(0, 8);
  add_word(out, 0);
  add_word(out, 0);
  add_half(out, static_cast<unsigned>(std::lround(1000 * seconds)));
  add_half(out, 1000);
  return out + std::string(2, '\0');
}

}  // namespace

std::vector<unsigned char> make_film(const std::vector<std::string>& frames, double seconds) {
  if (frames.empty()) throw std::runtime_error("a film needs a frame");
  std::vector<std::vector<Chunk>> parts;
  std::string header;
  for (const std::string& frame : frames) {
    auto chunks = chunks_of(frame);
    if (header.empty()) header = header_of(chunks);
    if (header_of(chunks) == header) parts.push_back(std::move(chunks));
  }
  std::string out(reinterpret_cast<const char*>(signature), 8);
  add_chunk(out, "IHDR", header);
  std::string animation;
  add_word(animation, static_cast<std::uint32_t>(parts.size()));
  add_word(animation, 0);
  add_chunk(out, "acTL", animation);
  for (const Chunk& c : parts.back())
    if (c.kind != "IHDR" && c.kind != "IDAT" && c.kind != "IEND") add_chunk(out, c.kind, c.data);
  std::uint32_t number = 0;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    add_chunk(out, "fcTL", control(number++, header, seconds));
    for (const Chunk& c : parts[k]) {
      if (c.kind != "IDAT") continue;
      std::string data;
      if (k > 0) add_word(data, number++);
      data += c.data;
      add_chunk(out, k == 0 ? "IDAT" : "fdAT", data);
    }
  }
  add_chunk(out, "IEND", "");
  return {out.begin(), out.end()};
}

std::vector<std::string> fit_frames(const std::vector<std::string>& pngs) {
  std::vector<Picture> frames;
  for (const std::string& png : pngs) {
    try {
      frames.push_back(decode_png({reinterpret_cast<const unsigned char*>(png.data()), png.size()}));
    } catch (const std::runtime_error&) {
      continue;  // damaged on the disk: the film goes on without it
    }
  }
  int width = 0, height = 0;
  for (const Picture& p : frames) width = std::max(width, p.width), height = std::max(height, p.height);
  std::vector<const Picture*> all;
  for (Picture& p : frames) {
    std::vector<unsigned char> ground(std::size_t(4) * std::size_t(width) * std::size_t(height), 255);
    const auto left = std::size_t((width - p.width) / 2), top = std::size_t(height - p.height);
    for (std::size_t y = 0; y < std::size_t(p.height); ++y)
      std::copy_n(p.rgba.begin() + std::ptrdiff_t(4 * y * std::size_t(p.width)), 4 * p.width,
                  ground.begin() + std::ptrdiff_t(4 * ((y + top) * std::size_t(width) + left)));
    p.rgba = std::move(ground);
    p.width = width;
    p.height = height;
    all.push_back(&p);
  }
  const Palette palette(all);
  std::vector<std::string> out;
  for (const Picture& p : frames) {
    const auto bytes = encode_png(p, &palette);
    out.emplace_back(bytes.begin(), bytes.end());
  }
  return out;
}

bool is_film(std::span<const unsigned char> png) {
  const std::string_view bytes(reinterpret_cast<const char*>(png.data()), png.size());
  try {
    for (const Chunk& c : chunks_of(bytes))
      if (c.kind == "acTL") return true;
  } catch (const std::runtime_error&) {
    return false;
  }
  return false;
}

}  // namespace talus::report
