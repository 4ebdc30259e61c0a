#pragma once
// The colours of scalar values: dark blue over green to yellow. Lightness (of OKLab) rises in equal steps with the value,
// hue turns steadily, so equal differences look equal, also in grey print and to colour-blind eyes.
#include <array>

namespace talus::report {

using Rgb = std::array<double, 3>;  // linear light, 0..1

Rgb map_colour(double t);          // t in 0..1; outside: the end colour
double to_display(double linear);  // sRGB transfer curve
Rgb to_linear(unsigned char r, unsigned char g, unsigned char b);

}  // namespace talus::report
