#pragma once
// Quantities with units: "600 kPa", "0.44 mm", "530 MPa s". Everything inside the program is SI.
#include <string>
#include <string_view>

#include <talus/core/real.hpp>

namespace talus {

// Exponents of the base units.
struct Dimension {
  int mass = 0, length = 0, time = 0, temperature = 0, angle = 0;
  friend constexpr bool operator==(const Dimension&, const Dimension&) = default;
};

namespace dim {
inline constexpr Dimension none{}, mass{1, 0, 0}, length{0, 1, 0}, time{0, 0, 1}, temperature{0, 0, 0, 1},
    angle{0, 0, 0, 0, 1}, area{0, 2, 0}, volume{0, 3, 0}, speed{0, 1, -1}, acceleration{0, 1, -2}, rate{0, 0, -1},
    force{1, 1, -2}, pressure{1, -1, -2}, stiffness{1, 0, -2}, density{1, -3, 0}, energy{1, 2, -2}, spin{0, 0, -1},
    viscosity{1, -1, -1};
}  // namespace dim

struct Quantity {
  Real value;  // SI
  Dimension dimension;
  bool has_unit;
};

// Reads "number [unit]". A unit is a product ("MPa s", "N*m", "Pa.s") or quotient ("kg/m3", "W/(m K)", "1/s") of known
// units with whole powers ("m3", "m^3", "s^-1"). A decimal prefix costs no accuracy: "0.44 mm" is the double 0.44e-3.
// Angles count as an angle only when they stand alone; in "rad/s" or "rpm" they are plain numbers, as in dim::spin.
// "degC" stands alone because of its offset. "%" is 0.01.
// Throws std::invalid_argument with a sentence that names the nearest known unit.
Quantity parse_quantity(std::string_view text);

// "Pa", "m", "kg/m^3": how SI writes this dimension in messages and headers; "1" for a plain number. parse_quantity
// reads it back.
std::string si_name(const Dimension& dimension);

// "a pressure (Pa)", "a plain number", "a quantity in kg/s^3": for messages.
std::string describe(const Dimension& dimension);

}  // namespace talus
