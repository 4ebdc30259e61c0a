// The largest stable step, by Gershgorin's bound on the highest frequency: w^2 <= 2 sum(k) / m over the contacts of a
// body, with k the normal stiffness. Shear springs act across it, so in no direction do both count in full. The stable
// step is 2 / w.
#pragma once
#include <talus/dem/step.hpp>
#include <talus/exec/shared_memory.hpp>
#include <talus/state/contact_geometry.hpp>

namespace talus::dem {

// Normal stiffness of a row that touches, else 0; as a maximum, then summed per body in whole units.
template <int D, class Law>
struct RowStiffness {
  BodyView<D> bodies;
  Span<const RowKey> key;
  Span<const u32> body_a, body_b, params;
  Span<const Real> shift;
  Span<const Sides> swell;
  Span<const typename Law::Params> constants;
  Real unit;  // 0: only look for the largest
  Span<u64> sum;
  TALUS_HD Real operator()(std::size_t r) const {
    const u32 a = body_a[r], b = body_b[r];
    const Contact<D> c = touch(bodies, a, b, key[r]);
    const Real overlap =
        c.overlap + (shift.size > 0 ? shift[r] : Real(0)) + (swell.size > 0 ? swell[r].a + swell[r].b : Real(0));
    if (!(overlap > 0)) return 0;
    const Touch<D> t{c.normal, overlap, c.radius, 1 / (bodies.inverse_mass[a] + bodies.inverse_mass[b])};
    const Real k = Law::stiffness(constants[params.size > 0 ? params[r] : 0], t);
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

template <int D>
struct Frequencies {
  Real unit = 0;     // N/m
  Real fastest = 0;  // largest 2 sum / m, in units
  Column<u64> sum;   // of the stiffnesses of each body's contacts, in units
  Real stable_step() const { return fastest > 0 ? 2 / std::sqrt(fastest * unit) : Real(HUGE_VAL); }
};

// Summed in whole units of 2^-24 of the stiffest row, so that the order of rows leaves no trace.
template <class Exec, int D>
Frequencies<D> frequencies(const Model<D>& model, const State<D>& state, const Scratch<D>& s) {
  const exec::Memory& memory = Exec::memory();
  const BodyView<D> bodies = body_view(model, state);
  Column<Real> most(1, memory);
  Frequencies<D> f{0, 0, Column<u64>(state.bodies.size(), memory)};
  const auto largest_of = [&](const auto& raise) {
    Real value = 0;
    memory.clear(most.data(), sizeof(Real));
    raise();
    memory.copy(&value, most.data(), sizeof(Real));
    return value;
  };
  const auto over_rows = [&] {
    for_each_law([&]<std::size_t L>() {
      using Law = std::tuple_element_t<L, Laws<D>>;
      const auto& rows = state.template rows_of<L>();
      const RowIndex& index = s.index[L];
      Exec::raise(rows.size(),
                  RowStiffness<D, Law>{bodies, rows.key.span(), index.body_a.span(), index.body_b.span(),
                                       index.params.span(), rows.shift.span(), rows.swell.span(),
                                       std::get<L>(model.pairs.constants.of).span(), f.unit, f.sum.span()},
                  most.data());
    });
  };
  f.unit = largest_of(over_rows) * 0x1p-24;
  if (!(f.unit > 0)) return f;
  memory.clear(f.sum.data(), f.sum.size() * sizeof(u64));
  over_rows();
  f.fastest = largest_of([&] {
    Exec::raise(f.sum.size(), BodyFrequency<D>{f.sum.span(), state.bodies.inverse_mass.span()}, most.data());
  });
  return f;
}

}  // namespace talus::dem
