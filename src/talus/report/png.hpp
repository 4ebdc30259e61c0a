#pragma once
// Pictures as PNG, through libpng. Caption and colour scale travel inside the file as text, so that a picture that lies in
// a run folder can be put into a report later.
#include <span>
#include <vector>

#include <talus/report/palette.hpp>

namespace talus::report {

std::vector<unsigned char> encode_png(const Picture& picture, const Palette* palette = nullptr);
std::vector<unsigned char> encode_small(const Picture& picture);  // with 256 colours where that is smaller and nothing is transparent
Picture decode_png(std::span<const unsigned char> bytes);  // throws std::runtime_error if it is no PNG

}  // namespace talus::report
