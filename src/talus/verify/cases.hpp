#pragma once
// The cases, each in a file of its own.
#include <talus/verify/check.hpp>

namespace talus::verify {

// Chung & Ooi (2011), impacts of spheres.
std::vector<Check> two_spheres(Extent);         // test 1
std::vector<Check> rigid_plane(Extent);         // test 2
std::vector<Check> restitution(Extent);         // test 3
std::vector<Check> angles(Extent);              // test 4
std::vector<Check> tangential_speeds(Extent);   // test 5
std::vector<Check> spins_on_plane(Extent);      // test 6
std::vector<Check> spins_of_two(Extent);        // test 7
std::vector<Check> spins_of_unequal(Extent);    // test 8
std::vector<Check> maw_curve(Extent);           // Maw, Barber & Fawcett (1976)
std::vector<Check> cooling_gas(Extent);         // Haff (1983)
std::vector<Check> solitary_wave(Extent);       // Nesterenko (1983)
std::vector<Check> voussoir_arch(Extent);       // Milankovitch (1907), Heyman (1969)
std::vector<Check> rocking_block(Extent);       // Housner (1963)

}  // namespace talus::verify
