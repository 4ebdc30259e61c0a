#pragma once
// What every method of continuum particles tells of its steps, and why a run stops.
#include <talus/continuum/limits.hpp>
#include <talus/method/method.hpp>

namespace talus::continuum {

Diagnostics diagnostics();
Steps steps_of(const StepReport& report);
std::string explain(u32 status, const Complaint& complaint);

// Refuses a stage that moves walls.
template <int D>
void check_walls_rest(const Input& table, const Column<WallDrive<D>>& drives) {
  for (const auto& drive : drives)
    if (drive.control != WallControl::fixed)
      table.fail("wall", "walls that hold particles are at rest so far", "take `control` out of [boundary.NAME] and [stage.wall.NAME]");
}

// kg, of all particles.
template <int D>
Real mass_of(const State<D>& state);

// The k-th of them, of this moment. `come`, `gone`: kg, laid and poured in since the start, and left.
template <int D>
Real now(std::size_t k, const State<D>& state, Real come, Real gone);

// What all methods of particles answer alike.
template <int D>
class ParticleMethod : public Method<D> {
 public:
  bool needs_laws() const override { return false; }
  bool has_grains() const override { return false; }
  std::string_view unit_word() const override { return "particle"; }
  bool contacts_hold_energy() const override { return false; }
  ContactList<D> contacts(const Model<D>&, const State<D>&) const override { return {}; }
  std::string explain(u32 status, const Complaint& c) const override { return continuum::explain(status, c); }
  Diagnostics diagnostics(const Model<D>&) const override { return continuum::diagnostics(); }
};

}  // namespace talus::continuum
