// The integrator, velocity Verlet: kernels that move bodies, and those that run once a step. The same for spheres, discs and
// polygons, on the host and on a device.
#pragma once
#include <talus/core/simd_vec.hpp>
#include <talus/dem/step.hpp>
#include <talus/stages/wall_view.hpp>

namespace talus::dem {

template <int D>
TALUS_HD void move_cell(Globals<D>& g) {
  if (contract(g.cell.rate, g.cell.rate) > 0) g.cell.deform(g.dt);
  g.radius_scale += g.dt * g.radius_rate;
}

// 1. Walls and cell get the velocities of this step from what was measured at the end of the last; the cell and the
// radii move on.
template <int D>
struct Drive {
  WallView<D> walls;
  CellDrive<D> cell;
  Span<const Vec<D>> force;
  Span<const Spin<D>> torque;
  Span<Moving<D>> moving;
  Span<Vec<D>> position, wall_force;
  Span<Spin<D>> wall_torque;
  Span<Closing> closing;  // of all bodies; empty: no wall closes in
  Span<Real> wall_push;
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
      const Real pushed = box.pushed(w, force[i]), area = box.area(w);
      limited = limited || d.is_limited(pushed, area);
      const WallMotion<D> motion = d.motion(box.direction(w), pushed, area, g.time, g.dt);
      moving[i].velocity = motion.velocity;
      moving[i].spin = motion.spin;
      if (closing.size > 0) {
        wall_push[w] = closing[i].push;
        closing[i].speed = motion.radius_rate;
        closing[i].way += g.dt * motion.radius_rate;
      }
      wall_force[w] = force[i];
      wall_torque[w] = torque[i];
    }
    const Mat<D> stress = (1 / box.volume()) * g.virial;
    g.cell.rate = cell.rate(stress);
    g.servo_limited += cell.is_limited(stress) || limited;
    move_cell(g);
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

// 2. First half kick and drift. Grains move with their own velocity and with the cell; driven bodies with their
// velocity alone. Returns the square of the displacement against the deforming reference of the last rebuild.
template <int D, bool Rotation>
struct Move {
  Span<Moving<D>> moving;
  Span<const Vec<D>> force, reference;
  Span<const Spin<D>> torque;
  Span<Spin<D>> turn;  // empty when all grains are balls
  Span<const Real> radius, inverse_inertia;
  const Globals<D>* globals;
  std::size_t grains;
  bool kicked;  // the gather of the step before has made the half kick
  TALUS_HD Real operator()(std::size_t i) const { return one<Vec<D>, Spin<D>>(i, globals->cell.rate, globals->cell.h); }

  template <class V, class W, class M>
  TALUS_HD Real one(std::size_t i, const M& rate, const M& h) const {
    const Real dt = globals->dt, half_dt = dt / 2;
    Held<V, Moving<D>> m = moving[i];
    V v = load_as<V>(m.velocity);
    if (!kicked && m.inverse_mass > 0) {  // driven bodies are not kicked: a force times zero would change the sign of a zero
      v += (half_dt * m.inverse_mass) * load_as<V>(force[i]);
      m.velocity = to_vec(v);
      if constexpr (Rotation)
        m.spin = to_vec(load_as<W>(m.spin) + (half_dt * inverse_inertia[i]) * load_as<W>(torque[i]));
    }
    V x = load_as<V>(m.position);
    if (i < grains) x += dt * (rate * x);
    x += dt * v;
    m.position = to_vec(x);
    if constexpr (D == 2)
      if (turn.size > 0) turn[i] += dt * m.spin;
    if (globals->radius_rate != 0) m.radius = globals->radius_scale * radius[i];
    if constexpr (is_vec<V>) moving[i] = m;
    const V from = load_as<V>(reference[i]);
    const V moved = i < grains ? x - h * from : x - from;
    return finite_or_infinity(dot(moved, moved));
  }

#if !defined(__CUDACC__)
  Real over(std::size_t begin, std::size_t end) const requires(D == 3) {
    const Columns rate(globals->cell.rate), h(globals->cell.h);
    Real most = 0;
    for (std::size_t i = begin; i < end; ++i) most = max(most, one<SimdVec, SimdVec>(i, rate, h));
    return most;
  }
#endif
};

// Are the lists still good? Could two bodies touch that are not in them? A pair left out was further apart than its
// radii plus the skin; since then the cell has shrunk distances by at most `shrink`, bodies have moved by at most
// `moved` against it, radii grew, surfaces of walls closed in.
template <int D>
struct Check {
  const Globals<D>* globals;
  Tally* tally;
  Span<const Closing> closing;
  Span<const Real> reference_way;  // of walls; both empty: none closes in
  std::size_t grains;
  Mat<D> reference_h;
  Real reference_scale, skin, largest_radius;
  bool forced;
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
    Real closed = 0;
    for (std::size_t w = 0; w < reference_way.size; ++w) closed = max(closed, std::abs(closing[grains + w].way - reference_way[w]));
    const Real used = 2 * moved + closed + shrink * skin + 2 * largest_radius * (shrink + max(growth, Real(0)));
    if (!(used < skin) || forced) tally->halted = 1;
  }
};

// V, W: what a force and a moment are summed in.
template <int D, class V = Vec<D>, class W = Spin<D>>
struct GatherSums {
  V force{};
  W moment{};
  V virial[D]{};  // its rows
  RowWork spent{};
  TALUS_HD GatherSums& operator+=(const GatherSums& other) {
    force += other.force;
    moment += other.moment;
    for (int k = 0; k < D; ++k) virial[k] += other.virial[k];
    spent += other.spent;
    return *this;
  }
};

// 7. What the contacts of a body do to it is written down; gravity, forces from outside and local damping are added, and the
// second half kick is made. Returns a number that is infinite when a velocity is not finite.
template <int D, bool Rotation, Keep K>
struct Kick {
  Span<const u32> uid;
  Span<Moving<D>> moving;
  Span<Vec<D>> force;
  Span<Spin<D>> torque;
  Span<const Real> mass, inverse_inertia;
  Span<const Vec<D>> applied;  // empty: none
  Span<Real> applied_work;
  Span<BodyWork> work;
  Span<Mat<D>> virial_of_uid;
  const Globals<D>* globals;
  Real damping, density_scale;
  bool ahead;  // the first half kick of the next step is made here too, and grains' forces need not be kept

  TALUS_HD bool keeps_virial() const { return K == Keep::any ? virial_of_uid.size > 0 : K != Keep::forces; }
  TALUS_HD bool keeps_work() const { return K == Keep::any ? work.size > 0 : K == Keep::ledger; }

  template <class V, class W>
  TALUS_HD Real operator()(std::size_t i, const GatherSums<D, V, W>& sums) const {
    if (keeps_virial()) {
      Mat<D>& virial = virial_of_uid[uid[i]];
      for (int k = 0; k < D; ++k)
        for (int l = 0; l < D; ++l) virial(k, l) = sums.virial[k][l];
    }
    BodyWork done{};
    if (keeps_work()) {
      done = work[i];
      done.friction += sums.spent.friction;
      done.viscous += sums.spent.viscous;
      done.stiffness += sums.spent.stiffness;
      done.growth += sums.spent.growth;
    }
    const Real speed = kick(i, sums.force, sums.moment, done);
    if (keeps_work()) work[i] = done;
    return speed;
  }

  template <class V>
  TALUS_HD V damped(const V& f, const V& v) const {
    return damping > 0 ? f - times(damping * size_of(f), sign_of(v)) : f;
  }

  template <class V, class W>
  TALUS_HD Real kick(std::size_t i, const V& pushed, const W& twist, BodyWork& done) const {
    const Held<V, const Moving<D>> m = moving[i];
    if (!(m.inverse_mass > 0)) {  // driven bodies keep the force of the grains for their servo
      force[i] = to_vec(pushed);
      if constexpr (Rotation) torque[i] = to_vec(twist);
      return 0;
    }
    const Real dt = globals->dt;
    const V weight = mass[i] * V((1 / density_scale) * globals->gravity);
    V whole = pushed + weight;
    if (applied.size > 0) whole += V(applied[i]);
    const V middle = load_as<V>(m.velocity), braked = damped(whole, middle);
    if (applied.size > 0) applied_work[i] += dt * dot(V(applied[i]), middle);
    const V half = (Real(0.5) * dt * m.inverse_mass) * braked, v = middle + half;
    if (!ahead) force[i] = to_vec(braked);
    moving[i].velocity = to_vec(ahead ? v + half : v);
    W w{}, braked_twist{};
    if constexpr (Rotation) {
      const W before = load_as<W>(m.spin);
      braked_twist = damped(twist, before);
      const W half_turn = (Real(0.5) * dt * inverse_inertia[i]) * braked_twist;
      w = before + half_turn;
      if (!ahead) torque[i] = to_vec(braked_twist);
      moving[i].spin = to_vec(ahead ? w + half_turn : w);
    }
    if (keeps_work()) {
      // This force acts over the half kick just made and the first half of the next step: its work is force times the
      // velocity in the middle, v.
      done.local += dt * (dot(whole - braked, v) + dot(twist - braked_twist, w));
      done.gravity += dt * dot(weight, middle);  // weight times displacement: exact
    }
    return finite_or_infinity(dot(v, v) + dot(w, w));
  }
};

// 8. The ledger of the step: the work of cell and walls by the mean of their forces before and after; the time.
template <int D>
struct Finish {
  Globals<D>* globals;
  const Mat<D>* virial;  // of this step; read when `ledger` says so
  Tally* tally;
  Span<const Vec<D>> force, wall_force;
  Span<const Spin<D>> torque, wall_torque;
  Span<const Closing> closing;
  Span<const Real> wall_push;
  Span<const Moving<D>> moving;
  std::size_t grains;
  Real overlap_limit;
  bool ledger, advances;
  TALUS_HD void operator()(std::size_t) const {
    Globals<D>& g = *globals;
    if (ledger) {
      const Mat<D> before = g.virial;
      g.virial = *virial;
      g.boundary_work -= Real(0.5) * g.dt * contract(before + g.virial, g.cell.rate);
      for (std::size_t w = 0; w < wall_force.size; ++w)
        g.boundary_work -= Real(0.5) * g.dt * dot(wall_force[w] + force[grains + w], moving[grains + w].velocity);
      for (std::size_t w = 0; w < wall_force.size; ++w)  // torques of walls are kept while they spin
        if (const Spin<D>& spin = moving[grains + w].spin; !(spin == Spin<D>{}))
          g.boundary_work -= Real(0.5) * g.dt * dot(wall_torque[w] + torque[grains + w], spin);
      if (closing.size > 0)
        for (std::size_t w = 0; w < wall_push.size; ++w)
          g.boundary_work += Real(0.5) * g.dt * (wall_push[w] + closing[grains + w].push) * closing[grains + w].speed;
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
