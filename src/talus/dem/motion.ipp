// Kernels that move bodies, and those that run once a step.
#pragma once
#include <talus/dem/step.hpp>
#include <talus/state/wall_view.hpp>

namespace talus::dem {

// 1. Walls and cell get the velocities of this step from what was measured at the end of the last; the cell and the
// radii move on.
template <int D>
struct Drive {
  WallView<D> walls;
  CellDrive<D> cell;
  Span<const Vec<D>> force;
  Span<Vec<D>> velocity, wall_force;
  Globals<D>* globals;
  Tally* tally;
  TALUS_HD void operator()(std::size_t) const {
    Globals<D>& g = *globals;
    WallView<D> box = walls;
    box.cell = g.cell;
    bool limited = false;
    for (std::size_t w = 0; w < box.drives.size; ++w) {
      const std::size_t i = box.grains + w;
      const WallDrive<D>& d = box.drives[w];
      const Vec<D> normal = box.normal(w);
      const Real area = box.area(w);
      limited = limited || d.is_limited(normal, force[i], area);
      velocity[i] = d.move(normal, force[i], area, g.time, g.dt);
      wall_force[w] = force[i];
    }
    const Mat<D> stress = (1 / box.volume()) * g.virial;
    g.cell.rate = cell.rate(stress);
    g.servo_limited += cell.is_limited(stress) || limited;
    if (contract(g.cell.rate, g.cell.rate) > 0) g.cell.deform(g.dt);
    g.radius_scale += g.dt * g.radius_rate;
    tally->moved = tally->overlap = tally->fastest = 0;
  }
};

// What contacts must know of a body.
template <int D>
struct Pack {
  Span<const Vec<D>> position, velocity;
  Span<const Spin<D>> spin;
  Span<const Real> radius, inverse_mass;
  const Globals<D>* globals;
  Span<Moving<D>> moving;
  TALUS_HD void operator()(std::size_t i) const {
    moving[i] = {position[i], globals->radius_scale * radius[i], velocity[i], inverse_mass[i], spin[i], 0};
  }
};

// 2., 3. First half kick and drift. Grains move with their own velocity and with the cell; driven bodies with their
// velocity alone. Returns the square of the displacement against the deforming reference of the last rebuild.
template <int D, bool Rotation>
struct Move {
  Span<Vec<D>> position, velocity;
  Span<Spin<D>> spin;
  Span<const Vec<D>> force, reference;
  Span<const Spin<D>> torque;
  Span<const Real> radius, inverse_mass, inverse_inertia;
  Span<Moving<D>> moving;
  const Globals<D>* globals;
  std::size_t grains;
  TALUS_HD Real operator()(std::size_t i) const {
    const Cell<D>& cell = globals->cell;
    const Real dt = globals->dt, half_dt = dt / 2;
    const Vec<D> v = velocity[i] + (half_dt * inverse_mass[i]) * force[i];
    velocity[i] = v;
    Spin<D> w{};
    if constexpr (Rotation) spin[i] = w = spin[i] + (half_dt * inverse_inertia[i]) * torque[i];
    Vec<D> x = position[i];
    if (i < grains) x += dt * (cell.rate * x);
    x += dt * v;
    position[i] = x;
    if (moving.size > 0) moving[i] = {x, globals->radius_scale * radius[i], v, inverse_mass[i], w, 0};
    const Vec<D> moved = i < grains ? x - cell.h * reference[i] : x - reference[i];
    return finite_or_infinity(dot(moved, moved));
  }
};

// Are the lists still good? Could two bodies touch that are not in them? A pair left out was further apart than its
// radii plus the skin; since then the cell has shrunk distances by at most `shrink`, bodies have moved by at most
// `moved` against it, radii grew.
template <int D>
struct Check {
  const Globals<D>* globals;
  Tally* tally;
  Mat<D> reference_h;
  Real reference_scale, skin, largest_radius;
  bool shaken;
  TALUS_HD void operator()(std::size_t) const {
    const Real moved = std::sqrt(tally->moved);
    if (!(moved < HUGE_VAL)) {  // no search among positions that are not numbers
      tally->status |= not_finite;
      tally->halted = 2;
      return;
    }
    const Mat<D> change = globals->cell.h * inverse(reference_h) - Mat<D>::identity();
    const Real shrink = std::sqrt(contract(change, change));
    const Real growth = globals->radius_scale / reference_scale - 1;
    const Real used = 2 * moved + shrink * skin + 2 * largest_radius * (shrink + max(growth, Real(0)));
    if (!(used < skin) || shaken) tally->halted = 1;
  }
};

// 8. The books of the step: the work of cell and walls by the mean of their forces before and after; the time.
template <int D>
struct Finish {
  Globals<D>* globals;
  Mat<D>* virial;  // of this step; null when nobody needs it
  Tally* tally;
  Span<const Vec<D>> force, velocity, wall_force;
  std::size_t grains;
  Real overlap_limit;
  bool books, advances;
  TALUS_HD void operator()(std::size_t) const {
    Globals<D>& g = *globals;
    if (books) {
      const Mat<D> before = g.virial;
      g.virial = *virial;
      g.boundary_work -= Real(0.5) * g.dt * contract(before + g.virial, g.cell.rate);
      for (std::size_t w = 0; w < wall_force.size; ++w)
        g.boundary_work -= Real(0.5) * g.dt * dot(wall_force[w] + force[grains + w], velocity[grains + w]);
    }
    tally->deepest = max(tally->deepest, tally->overlap);
    if (!(tally->fastest < HUGE_VAL)) tally->status |= not_finite;
    if (!(tally->overlap <= overlap_limit)) tally->status |= deep_overlap;
    if (tally->status != 0) tally->halted = 2;
    if (!advances) return;
    ++g.step;
    g.time += g.dt;
  }
};

}  // namespace talus::dem
