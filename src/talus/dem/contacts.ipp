// Kernels over contact rows: touch and act, then the gather of forces per body in key order.
#pragma once
#include <talus/dem/step.hpp>
#include <talus/state/contact_geometry.hpp>

namespace talus::dem {

// How much is kept of each row: forces only; also the branch for the stress; also the energy entries.
enum class Keep { forces, stress, ledger };

template <int D, class Law, bool Rotation, Keep K>
struct Act {
  BodyView<D> bodies;
  Span<const RowKey> key;
  Span<const u32> body_a, body_b, params;
  Span<Real> shift;
  Span<const typename Law::Params> constants;
  Span<typename Law::History> history;
  Span<Vec<D>> viscous;
  u32 first;
  Span<Vec<D>> force, branch;
  Span<Spin<D>> moment_a, moment_b;
  Span<RowWork> work;
  Span<u8> quiet;
  Span<const Real> bulge;
  Real dt, friction_scale;
  bool deforms;

  // Returns overlap over the smaller radius.
  TALUS_HD Real operator()(std::size_t r) const {
    const u32 a = body_a[r], b = body_b[r];
    const std::size_t row = first + r;
    const bool bulges = bulge.size > 0;
    if (quiet[row] && !bulges && apart(bodies, a, b, key[r])) return 0;
    const Contact<D> c = touch(bodies, a, b, key[r]);
    const Real overlap = c.overlap + shift[r] + (bulges ? bulge[row] : Real(0));
    if (!(overlap > 0)) {
      open(r, row, c.overlap, bodies.velocity[a] - bodies.velocity[b]);
      return 0;
    }
    Vec<D> velocity = bodies.velocity[a] - bodies.velocity[b];
    if (deforms) velocity += bodies.cell.rate * c.branch;
    Slip<D> slip{velocity, {}, dt, friction_scale};
    if constexpr (Rotation) {
      const Spin<D> wa = bodies.spin[a], wb = bodies.spin[b];
      slip.velocity -= cross(c.arm_a * wa + c.arm_b * wb, c.normal);
      slip.rolling = wa - wb;
    }
    const Touch<D> t{c.normal, overlap, c.radius, 1 / (bodies.inverse_mass[a] + bodies.inverse_mass[b])};
    Audit<D> audit;
    quiet[row] = 0;
    const Push<D> push = Law::act(constants[params[r]], t, slip, history[r], audit);
    force[row] = push.force;
    if constexpr (Rotation) {
      const Spin<D> twist = moment(c.normal, push.force);
      moment_a[row] = push.couple - c.arm_a * twist;
      moment_b[row] = -push.couple - c.arm_b * twist;
    }
    if constexpr (K != Keep::forces) branch[row] = c.branch;
    if constexpr (K == Keep::ledger) {
      const Real taken = Real(-0.5) * dt * dot(viscous[r] + audit.viscous, slip.velocity);
      work[row] = {audit.friction, taken, audit.stiffness, 0};
      if (bodies.radius_step != 0) work[row].growth = grow(r, c, t, slip, push.force - audit.viscous);
      viscous[r] = audit.viscous;
    }
    return overlap / smaller_radius(c);
  }

  // Work of growing radii: the elastic force in the middle of the step times the growth, and what the stored energy
  // gains because a rounder contact is stiffer at the same overlap. Dashpots do not see growth.
  TALUS_HD Real grow(std::size_t r, const Contact<D>& c, const Touch<D>& t, const Slip<D>& s,
                     const Vec<D>& elastic) const {
    const typename Law::Params& p = constants[params[r]];
    const Real share = bodies.radius_step / bodies.radius_scale, grown = (c.radius_a + c.radius_b) * share;
    const Real half = (grown - dt * dot(s.velocity, c.normal)) / 2;  // change of the overlap in half a step
    Touch<D> now = t, before = t;
    now.overlap = before.overlap = max(t.overlap - half, Real(0));
    before.radius = t.radius * (1 - share);
    return grown * (dot(elastic, c.normal) - half * Law::stiffness(p, t)) + Law::stored(p, now, {}).normal -
           Law::stored(p, before, {}).normal;
  }

  // A contact that opens forgets; what its spring still held is booked as lost with the stiffness. Its dashpot acted
  // through the first half of this step. The shift goes when the bodies no longer overlap without it either.
  // One step later the entries of that step are cleared too, and the row falls quiet.
  TALUS_HD void open(std::size_t r, std::size_t row, Real overlap, const Vec<D>& velocity) const {
    if (quiet[row]) return;
    if (!(overlap > 0)) shift[r] = 0;
    force[row] = {};
    if constexpr (Rotation) moment_a[row] = moment_b[row] = {};
    if constexpr (K != Keep::forces) branch[row] = {};
    if constexpr (K == Keep::ledger) {
      work[row] = {};
      work[row].viscous = Real(-0.5) * dt * dot(viscous[r], velocity);
      viscous[r] = {};
      if (!all_zero(history[r])) work[row].stiffness = Law::stored(constants[params[r]], {}, history[r]).shear;
    }
    quiet[row] = all_zero(history[r]) && shift[r] == 0;
    if constexpr (K == Keep::ledger) quiet[row] = quiet[row] && work[row].viscous == 0;
    history[r] = {};
  }
};

// Sums the rows of each body in order of the partner's uid. Quiet rows would add exact zeros and are passed over.
template <int D, bool Rotation, Keep K>
struct Gather {
  Span<const u32> start, incidence, uid;
  Span<const Vec<D>> row_force, row_branch;
  Span<const Spin<D>> moment_a, moment_b;
  Span<const RowWork> row_work;
  Span<const u8> quiet;
  Span<Vec<D>> force;
  Span<Spin<D>> torque;
  Span<BodyWork> work;
  Span<Mat<D>> virial_of_uid;
  TALUS_HD void operator()(std::size_t i) const {
    Vec<D> f{};
    Spin<D> m{};
    Mat<D> virial{};
    for (u32 e = start[i]; e < start[i + 1]; ++e) {
      const u32 row = incidence[e] >> 1;
      if (quiet[row]) continue;
      const bool second = incidence[e] & 1u;
      const Vec<D> push = row_force[row];
      if (second)
        f -= push;
      else
        f += push;
      if constexpr (Rotation) m += second ? moment_b[row] : moment_a[row];
      if constexpr (K != Keep::forces)
        if (!second) virial += outer(push, row_branch[row]);
      if constexpr (K == Keep::ledger)
        if (!second) {
          work[i].friction += row_work[row].friction;
          work[i].viscous += row_work[row].viscous;
          work[i].stiffness += row_work[row].stiffness;
          work[i].growth += row_work[row].growth;
        }
    }
    force[i] = f;
    if constexpr (Rotation) torque[i] = m;
    if constexpr (K != Keep::forces) virial_of_uid[uid[i]] = virial;
  }
};

}  // namespace talus::dem
