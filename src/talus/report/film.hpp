#pragma once
// A film of pictures as an animated PNG, which every browser plays: the frames are PNGs of one size, and their compressed pixels are
// taken over as they are.
#include <span>
#include <string>
#include <vector>

namespace talus::report {

// Frames as a film wants them: of one size, the smaller ones in the middle of the lower edge of a white ground, with 256 colours in all. What is
// no PNG, or a damaged one, is left out.
std::vector<std::string> fit_frames(const std::vector<std::string>& pngs);

// Frames as encode_png made them; those of another size than the first are left out. Each is shown for `seconds`; it plays for ever.
// Text of the last frame (caption, colour scale) is kept. Throws std::runtime_error for what is no PNG.
std::vector<unsigned char> make_film(const std::vector<std::string>& frames, double seconds);

// Does a PNG move?
bool is_film(std::span<const unsigned char> png);

}  // namespace talus::report
