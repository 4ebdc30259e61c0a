#include <talus/verify/cases.hpp>

namespace talus::verify {

const std::vector<Case>& cases() {
  static const std::vector<Case> all{
      {"impact-1", "Chung & Ooi (2011), test 1: two equal elastic spheres, head-on; Hertz's closed forms", "verify/pair.toml", two_spheres},
      {"impact-2", "test 2: elastic sphere on a rigid plane, head-on; Hertz's closed forms", "verify/impact.toml", rigid_plane},
      {"impact-3", "test 3: dashpots; the restitution that the scene states", "verify/impact.toml", restitution},
      {"impact-4", "test 4: oblique, one speed, angles from 5° to 85°; the law's equations integrated a second time, and rigid bodies that slide", "verify/impact.toml", angles},
      {"impact-5", "test 5: oblique, one normal speed, elastic; the same", "verify/impact.toml", tangential_speeds},
      {"impact-6", "test 6: a spinning sphere falls on a plane; the law's equations", "verify/impact.toml", spins_on_plane},
      {"impact-7", "test 7: two equal spheres with equal spins; the law's equations", "verify/pair.toml", spins_of_two},
      {"impact-8", "test 8: a spinning sphere meets one five times as large and a thousand times as dense; the law's equations", "verify/pair.toml", spins_of_unequal},
      {"maw", "Maw, Barber & Fawcett (1976): elastic bodies that slip in part of their contact, solved by the method of dimensionality reduction (Popov & Heß)", "verify/impact.toml", maw_curve},
      {"gas", "Haff (1983): T = T₀/(1 + t/τ)², with the pair function of Carnahan & Starling and the second Sonine coefficient", "verify/gas.toml", cooling_gas},
      {"solitary-wave", "Nesterenko (1983): long waves in a chain of spheres; and the chain's equations integrated a second time", "verify/chain.toml", solitary_wave},
      {"arch", "Milankovitch (1907), Heyman (1969): lines of thrust within the joints; with many voussoirs the thinnest arch has 0.1075 of its mean radius", "verify/arch.toml", voussoir_arch},
      {"rocking-block", "Housner (1963): exact equation of motion, angular momentum about the corner that takes over", "verify/rocking.toml", rocking_block},
  };
  return all;
}

}  // namespace talus::verify
