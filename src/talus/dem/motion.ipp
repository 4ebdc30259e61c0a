// Kernels that move bodies, and those that run once a step.
#pragma once
#include <talus/core/lanes.hpp>
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
  Span<Moving<D>> moving;
  Span<Vec<D>> position, wall_force;
  Globals<D>* globals;
  Tally* tally;
  TALUS_HD void operator()(std::size_t) const {
    Globals<D>& g = *globals;
    WallView<D> box = walls;
    box.cell = g.cell;
    for (std::size_t i = box.grains; i < moving.size; ++i) position[i] = moving[i].position;  // areas are seen there
    bool limited = false;
    for (std::size_t w = 0; w < box.drives.size; ++w) {
      const std::size_t i = box.grains + w;
      const WallDrive<D>& d = box.drives[w];
      const Vec<D> normal = box.normal(w);
      const Real area = box.area(w);
      limited = limited || d.is_limited(normal, force[i], area);
      moving[i].velocity = d.move(normal, force[i], area, g.time, g.dt);
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

// Bodies as steps know them, and back.
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
template <int D>
struct Unpack {
  Span<const Moving<D>> moving;
  Span<Vec<D>> position, velocity;
  Span<Spin<D>> spin;
  TALUS_HD void operator()(std::size_t i) const {
    const Moving<D>& m = moving[i];
    position[i] = m.position;
    velocity[i] = m.velocity;
    spin[i] = m.spin;
  }
};

// 2., 3. First half kick and drift. Grains move with their own velocity and with the cell; driven bodies with their
// velocity alone. Returns the square of the displacement against the deforming reference of the last rebuild.
template <int D, bool Rotation>
struct Move {
  Span<Moving<D>> moving;
  Span<const Vec<D>> force, reference;
  Span<const Spin<D>> torque;
  Span<const Real> radius, inverse_inertia;
  const Globals<D>* globals;
  std::size_t grains;
  TALUS_HD Real operator()(std::size_t i) const {
    const Cell<D>& cell = globals->cell;
    const Real dt = globals->dt, half_dt = dt / 2;
    Moving<D> m = moving[i];
    m.velocity += (half_dt * m.inverse_mass) * force[i];
    if constexpr (Rotation) m.spin += (half_dt * inverse_inertia[i]) * torque[i];
    if (i < grains) m.position += dt * (cell.rate * m.position);
    m.position += dt * m.velocity;
    if (globals->radius_rate != 0) m.radius = globals->radius_scale * radius[i];
    moving[i] = m;
    const Vec<D> moved = i < grains ? m.position - cell.h * reference[i] : m.position - reference[i];
    return finite_or_infinity(dot(moved, moved));
  }

#if !defined(__CUDACC__)
  // A range of bodies in space: a vector goes through one register, beside the number that follows it in memory. The same
  // operations in the same order as above.
  Real over(std::size_t begin, std::size_t end) const requires(D == 3) {
    using Four = Lanes<4>;
    const auto at = [](const auto& record) { return Four(four_at(reinterpret_cast<const Real*>(&record))); };
    const auto put = [](auto& record, const Four& v) { put_four(reinterpret_cast<Real*>(&record), v.v); };
    const auto column = [](const Mat<3>& m, int k) { return Four(Four::Vector{m(0, k), m(1, k), m(2, k), 0}); };
    const auto each = [](const Four& v, int k) { return Four(Real(v.v[k])); };
    const Cell<D>& cell = globals->cell;
    const Real dt = globals->dt, half_dt = dt / 2;
    const bool grow = globals->radius_rate != 0;
    const Four rate[3] = {column(cell.rate, 0), column(cell.rate, 1), column(cell.rate, 2)};
    const Four h[3] = {column(cell.h, 0), column(cell.h, 1), column(cell.h, 2)};
    const Mask<4> three{Mask<4>::Vector{-1, -1, -1, 0}};
    Real most = 0;
    std::size_t i = begin;
    for (; i < min(end, grains); ++i) {
      Moving<D>& m = moving[i];
      Four x = at(m.position), v = at(m.velocity);
      v = select(three, v + Four(half_dt * m.inverse_mass) * at(force[i]), v);
      if constexpr (Rotation) {
        const Four w = at(m.spin);
        put(m.spin, select(three, w + Four(half_dt * inverse_inertia[i]) * at(torque[i]), w));
      }
      Four drift = rate[0] * each(x, 0) + rate[1] * each(x, 1) + rate[2] * each(x, 2);
      drift = x + Four(dt) * drift;
      x = select(three, drift + Four(dt) * v, x);
      put(m.position, x);
      put(m.velocity, v);
      if (grow) m.radius = globals->radius_scale * radius[i];
      const Four r = at(reference[i]);
      const Four moved = x - (h[0] * each(r, 0) + h[1] * each(r, 1) + h[2] * each(r, 2)), square = moved * moved;
      most = max(most, finite_or_infinity(square.v[0] + square.v[1] + square.v[2]));
    }
    for (; i < end; ++i) most = max(most, (*this)(i));
    return most;
  }
#endif
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
  Span<const Vec<D>> force, wall_force;
  Span<const Moving<D>> moving;
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
        g.boundary_work -= Real(0.5) * g.dt * dot(wall_force[w] + force[grains + w], moving[grains + w].velocity);
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
