// The largest stable step, by Gershgorin's bound on the highest frequency: w^2 <= 2 sum(k) / m over the contacts of a
// body, with k the normal stiffness. Shear springs act across it, so in no direction do both count in full. The stable
// step is 2 / w. Dashpots see the velocity of half a step ago: with C, the same bound of their sum, a step h is stable while
// 4 - 2 h C - h^2 w^2 > 0.
#pragma once
#include <talus/dem/step.hpp>
#include <talus/exec/shared_memory.hpp>
#include <talus/stages/contact_geometry.hpp>

namespace talus::dem {

enum class Resists : u32 { spring, dashpot };

// Normal stiffness or dashpot of a row that touches, else 0; as a maximum, then summed per body in whole units.
template <int D, class Law, Resists By>
struct RowStiffness {
  BodyView<D> bodies;
  Span<const RowKey> key;
  Span<const u32> body_a, body_b, params;
  Span<const Real> shift;
  Span<const Sides> displacement;
  Span<const typename Law::Params> constants;
  Real unit;  // 0: only look for the largest
  Span<u64> sum;
  TALUS_HD Real operator()(std::size_t r) const {
    const u32 a = body_a[r], b = body_b[r];
    const Contact<D> c = touch(bodies, a, b, key[r]);
    const Real overlap = c.overlap + (shift.size > 0 ? shift[r] : Real(0)) +
                         (displacement.size > 0 ? displacement[r].a + displacement[r].b : Real(0));
    if (!(overlap > 0)) return 0;
    const Touch<D> t{c.normal, overlap, c.radius, 1 / (bodies.inverse_mass[a] + bodies.inverse_mass[b])};
    const auto& p = constants[params.size > 0 ? params[r] : 0];
    const Real k = By == Resists::spring ? Law::stiffness(p, t) : Law::dashpot(p, t);
    if (unit > 0) {
      const u64 whole = u64(k / unit) + 1;
      exec::atomic_add(&sum[a], whole);
      exec::atomic_add(&sum[b], whole);
    }
    return k;
  }
};
template <int D>
struct BodyFrequency {
  Span<const u64> sum;
  Span<const Real> inverse_mass;
  TALUS_HD Real operator()(std::size_t i) const { return 2 * Real(sum[i]) * inverse_mass[i]; }
};

// The inverse of the longest step that is stable with dashpots.
template <int D>
struct DampedFrequency {
  Span<const u64> springs, dashpots;
  Real spring, dashpot;  // units
  Span<const Real> inverse_mass;
  TALUS_HD Real operator()(std::size_t i) const {
    const Real k = 2 * (Real(springs[i]) * spring) * inverse_mass[i];
    const Real c = 2 * (Real(dashpots[i]) * dashpot) * inverse_mass[i];
    return (c + std::sqrt(c * c + 4 * k)) / 4;
  }
};

template <int D>
struct Frequencies {
  Real unit = 0;     // N/m
  Real fastest = 0;  // largest 2 sum / m, in units
  Column<u64> sum;   // of the stiffnesses of each body's contacts, in units
  Real damped = 0;   // 1/s, inverse of the longest stable step; 0 without dashpots
  Real stable_step() const { return fastest > 0 ? 2 / std::sqrt(fastest * unit) : Real(HUGE_VAL); }
  Real damped_step() const { return damped > 0 ? 1 / damped : stable_step(); }
};

// The largest value that a loop raises.
template <class Exec, class Loop>
Real largest_of(const Loop& loop) {
  const exec::Memory& memory = Exec::memory();
  Column<Real> most(1, memory);
  Real value = 0;
  memory.clear(most.data(), sizeof(Real));
  loop(most.data());
  memory.copy(&value, most.data(), sizeof(Real));
  return value;
}

// Summed in whole units of 2^-24 of the largest row, so that the order of rows leaves no trace. Returns the unit.
template <class Exec, Resists By, int D>
Real sum_rows(const Model<D>& model, const State<D>& state, const Scratch<D>& s, Column<u64>& sum) {
  const BodyView<D> bodies = body_view(model, state);
  Real unit = 0;
  const auto over_rows = [&](Real* most) {
    for_each_law([&]<std::size_t L>() {
      using Law = std::tuple_element_t<L, Laws<D>>;
      const auto& rows = state.template rows_of<L>();
      const RowIndex& index = s.index[L];
      Exec::raise(rows.size(),
                  RowStiffness<D, Law, By>{.bodies = bodies,
                                           .key = rows.key.span(),
                                           .body_a = index.body_a.span(),
                                           .body_b = index.body_b.span(),
                                           .params = index.params.span(),
                                           .shift = rows.shift.span(),
                                           .displacement = rows.displacement.span(),
                                           .constants = std::get<L>(model.pairs.constants.of).span(),
                                           .unit = unit,
                                           .sum = sum.span()},
                  most);
    });
  };
  unit = largest_of<Exec>(over_rows) * 0x1p-24;
  if (!(unit > 0)) return 0;
  Exec::memory().clear(sum.data(), sum.size() * sizeof(u64));
  largest_of<Exec>(over_rows);
  return unit;
}

template <class Exec, int D>
Frequencies<D> frequencies(const Model<D>& model, const State<D>& state, const Scratch<D>& s) {
  const exec::Memory& memory = Exec::memory();
  const std::size_t n = state.bodies.size();
  Frequencies<D> f{0, 0, Column<u64>(n, memory), 0};
  f.unit = sum_rows<Exec, Resists::spring>(model, state, s, f.sum);
  if (!(f.unit > 0)) return f;
  const Span<const Real> inverse_mass = state.bodies.inverse_mass.span();
  const Span<const u64> springs = f.sum.span();
  f.fastest = largest_of<Exec>([&](Real* most) { Exec::raise(n, BodyFrequency<D>{springs, inverse_mass}, most); });
  Column<u64> dashpots(n, memory);
  const Real unit = sum_rows<Exec, Resists::dashpot>(model, state, s, dashpots);
  if (unit > 0)
    f.damped = largest_of<Exec>([&](Real* most) {
      Exec::raise(n, DampedFrequency<D>{springs, dashpots.span(), f.unit, unit, inverse_mass}, most);
    });
  return f;
}

}  // namespace talus::dem
