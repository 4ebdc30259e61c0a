#pragma once
// Particles: points that carry a piece of a continuum. They lie beside the bodies; walls stay bodies. In spatial order: an index
// means nothing beyond the current step, a uid names a particle for ever.
#include <talus/core/sym3.hpp>
#include <talus/exec/column.hpp>
#include <talus/state/columns.hpp>

namespace talus {

// Energy that left or entered through one particle since the start, J. Summed in uid order when measured.
struct ParticleWork {
  Real gravity = 0;  // put in by gravity
  Real viscous = 0;  // taken by viscosity, artificial or not
  Real walls = 0;    // put in by walls; by walls at rest what their discrete pressure does
  Real density = 0;  // put in by diffusion of density
  Real plastic = 0;  // taken by plastic flow
  ParticleWork& operator+=(const ParticleWork& other) {
    gravity += other.gravity;
    viscous += other.viscous;
    walls += other.walls;
    density += other.density;
    plastic += other.plastic;
    return *this;
  }
};

template <int D>
struct Particles : Table<Particles<D>> {
  Column<u32> uid, material, body;
  Column<Vec<D>> position, velocity, acceleration, origin;
  Column<Real> mass, density, pressure;
  Column<Sym3> deviator;
  Column<Real> plastic_strain, dilation;
  Column<Real> stored, sheared;
  Column<ParticleWork> work;
  Column<Vec<D>> given, wall_force, drag, wall_push;
  Column<Real> left;

  std::size_t size() const { return uid.size(); }

  template <class Self, class F>
  static constexpr void visit(Self& s, F&& f) {
    f(About{"uid", "1", "lasting number of the particle"}, s.uid);
    f(About{"material", "1", "index of its material"}, s.material);
    f(About{"body", "1", "index of the [body.NAME] that it came with"}, s.body);
    f(About{"position", "m", "not wrapped at periodic edges"}, s.position);
    f(About{"velocity", "m/s", "at the end of the step"}, s.velocity);
    f(About{"acceleration", "m/s^2", "of the forces at the end of the step: they depend on velocities, and cannot be made again"},
      s.acceleration);
    f(About{"origin", "m", "where it was laid, not wrapped"}.with(kept::origins), s.origin);
    f(About{"mass", "kg", "in the plane per metre of thickness"}, s.mass);
    f(About{"density", "kg/m^3", "integrated from the divergence of the velocity"}, s.density);
    f(About{"pressure", "Pa", "compression positive"}, s.pressure);
    f(About{"deviator", "Pa", "of the stress, tension positive: xx, yy, zz, yz, xz, xy"}.with(kept::deviators), s.deviator);
    f(About{"plastic_strain", "1", "sum of the lengths of plastic strain increments times sqrt(2/3)"}.with(kept::deviators), s.plastic_strain);
    f(About{"dilation", "1", "plastic volume strain, larger volume positive"}.with(kept::deviators), s.dilation);
    f(About{"stored", "J", "energy of its compression, and of its nearness to walls and other bodies"}.with(kept::ledger), s.stored);
    f(About{"sheared", "J", "energy of its elastic shear, and of what its strain does not see"}.with(kept::ledger | kept::deviators), s.sheared);
    f(About{"work", "J", "energy ledger of the particle: gravity, viscous, walls, density, plastic"}.with(kept::ledger), s.work);
    f(About{"given", "N s", "momentum it started with, and what gravity and walls have given it since"}.with(kept::ledger), s.given);
    f(About{"wall_force", "N", "of all walls on it, at the end of the step"}.with(kept::ledger), s.wall_force);
    f(About{"drag", "N", "viscous part of the force on it, of walls too"}.with(kept::ledger), s.drag);
    f(About{"wall_push", "N", "part of wall_force that neither its compression nor its nearness to a wall accounts for, without drag"}.with(kept::ledger),
      s.wall_push);
    f(About{"left", "kg", "mass that has left through outflows; on the particle of the smallest uid"}.with(kept::outflows), s.left);
  }
};

}  // namespace talus
