#pragma once
// Pictures as PNG, through libpng. Caption and colour scale travel inside the file as text, so that a picture that lies in
// a run folder can be put into a report later.
#include <span>
#include <vector>

#include <talus/report/report.hpp>

namespace talus::report {

std::vector<unsigned char> encode_png(const Picture& picture);
Picture decode_png(std::span<const unsigned char> bytes);  // throws std::runtime_error if it is no PNG

}  // namespace talus::report
