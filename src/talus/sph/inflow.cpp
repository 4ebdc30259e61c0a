#include <talus/sph/inflow.hpp>

#include <algorithm>
#include <cmath>

#include <talus/sph/options.hpp>

namespace talus::sph {
namespace {

// Where a mouth is now: so far from what lies before it, and never beyond where it was laid. What is poured moves as fast as it left, or faster: it
// does not lie.
template <int D>
Inflow<D> lifted(Inflow<D> f, const Particles<D>& p) {
  if (!(f.above > 0)) return f;
  const Real against = f.velocity > 0 ? -1 : 1;
  Real way = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    bool before = against * p.velocity[i][f.axis] > Real(-0.5) * std::abs(f.velocity);
    for (int k = 0; k < D; ++k) before = before && (k == f.axis || (p.position[i][k] > f.low[k] && p.position[i][k] < f.low[k] + f.size[k]));
    if (before) way = max(way, against * (p.position[i][f.axis] - f.low[f.axis]) + f.above);
  }
  f.low[f.axis] += against * way;
  return f;
}

// Adds one sheet that left the mouth `ago`, s.
template <int D>
void add_sheet(const Options<D>& o, std::size_t number, const Inflow<D>& f, Real ago, const Vec<D>& gravity, Particles<D>& p, std::size_t& i, u32& name) {
  const Vec<D, i64> rows = f.rows(o.spacing);
  i64 count = 1;
  for (int k = 0; k < D; ++k) count *= rows[k];
  const Real density = o.matter[f.material].volume.density, mass = density * f.sheet_volume(o.spacing) / Real(count);
  for (i64 n = 0; n < count; ++n, ++i) {
    i64 rest = n;
    Vec<D> x = f.low;
    for (int k = 0; k < D; ++k) {
      if (k != f.axis) x[k] += (Real(rest % rows[k]) + Real(0.5)) * f.size[k] / Real(rows[k]);
      rest /= rows[k];
    }
    x[f.axis] += f.velocity * ago + (f.velocity > 0 ? Real(0.5) : Real(-0.5)) * o.spacing;
    p.uid[i] = name++;
    p.material[i] = f.material;
    p.body[i] = u32(o.bodies.size() + number);
    p.position[i] = x;
    p.velocity[i] = {};
    p.velocity[i][f.axis] = f.velocity;
    p.acceleration[i] = gravity;  // of the half step that comes next
    p.mass[i] = mass;
    p.density[i] = density;
    if (p.work.empty()) continue;
    p.given[i] = mass * p.velocity[i];
    p.work[i].walls = Real(0.5) * mass * f.velocity * f.velocity;  // the mouth puts it in
  }
}

template <int D>
std::size_t particles_of(const Inflow<D>& f, Real spacing) {
  std::size_t count = 1;
  for (int k = 0; k < D; ++k) count *= std::size_t(f.rows(spacing)[k]);
  return count;
}

}  // namespace

template <int D>
Inflow<D> read_inflow(Input& in, const std::string& name, const std::vector<std::string>& materials) {
  Inflow<D> f;
  f.name = name;
  const std::string material =
      in.choice("material", materials, materials.size() == 1 ? std::optional(materials[0]) : std::nullopt, "a [material.NAME]");
  f.material = u32(std::find(materials.begin(), materials.end(), material) - materials.begin());
  f.low = to_vec<D>(in.numbers("low", dim::length, Range::any(), D, std::nullopt, "lower corner of the mouth"));
  f.size = to_vec<D>(in.numbers("size", dim::length, Range::not_negative(), D, std::nullopt, "lengths of its edges; that along the flow is 0"));
  const Vec<D> v = to_vec<D>(in.numbers("velocity", dim::speed, Range::any(), D, std::nullopt, "with which matter leaves it, along one axis"));
  f.start = in.number("start", dim::time, Range::not_negative(), 0.0, "when it opens");
  f.end = in.number("end", dim::time, Range::positive(), std::nullopt, "when it closes");
  f.above = in.number("above", dim::length, Range::not_negative(), 0.0,
                      "keeps the mouth so far from what lies before it, against the flow, as a funnel that is lifted; 0: it stays where it is");
  int axes = 0;
  for (int k = 0; k < D; ++k)
    if (v[k] != 0) {
      f.axis = k;
      f.velocity = v[k];
      ++axes;
    }
  if (axes != 1) in.fail("velocity", "matter leaves a mouth along one axis", "give one component that is not zero");
  for (int k = 0; k < D; ++k)
    if ((f.size[k] > 0) == (k == f.axis)) in.fail("size", "a mouth is flat: its size along the flow is 0, its others are not", "change `size` or `velocity`");
  if (!(f.end > f.start)) in.fail("end", "it closes before it opens", "make it later");
  return f;
}

template <int D>
Real poured(const Options<D>& o, Real time) {
  Real sum = 0;
  for (const Inflow<D>& f : o.inflows)
    sum += Real(f.sheets(time, o.spacing)) * f.sheet_volume(o.spacing) * o.matter[f.material].volume.density;
  return sum;
}

template <int D>
bool pour(const Options<D>& o, const Model<D>& model, State<D>& state, Real from, Real to) {
  Particles<D>& p = state.particles;
  std::size_t more = 0;
  for (const Inflow<D>& f : o.inflows)
    more += std::size_t(f.sheets(to, o.spacing) - f.sheets(from, o.spacing)) * particles_of(f, o.spacing);
  if (more == 0) return false;
  std::size_t next = p.size();
  u32 name = u32(o.laid);  // some may have left: a number is given once
  for (const Inflow<D>& f : o.inflows) name += u32(std::size_t(f.sheets(from, o.spacing)) * particles_of(f, o.spacing));
  if (o.laid == 0)
    for (const u32 uid : p.uid) name = max(name, uid + 1);
  std::vector<Inflow<D>> mouths;
  for (const Inflow<D>& f : o.inflows) mouths.push_back(f.sheets(from, o.spacing) < f.sheets(to, o.spacing) ? lifted(f, p) : f);
  p.resize(next + more, o.columns(model));
  for (std::size_t n = 0; n < o.inflows.size(); ++n) {
    const Inflow<D>& f = mouths[n];
    for (i64 k = f.sheets(from, o.spacing); k < f.sheets(to, o.spacing); ++k)
      add_sheet(o, n, f, to - f.start - Real(k + 1) * o.spacing / std::abs(f.velocity), state.globals.gravity, p, next, name);
  }
  return true;
}

#define TALUS_INSTANTIATE(D)                                                                       \
  template Inflow<D> read_inflow(Input&, const std::string&, const std::vector<std::string>&);      \
  template Real poured(const Options<D>&, Real);                                                    \
  template bool pour(const Options<D>&, const Model<D>&, State<D>&, Real, Real);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

}  // namespace talus::sph
