#include <talus/sph/sph_method.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include <talus/sph/element.hpp>
#include <talus/sph/lists.hpp>
#include <talus/sph/step.hpp>
#include <talus/stages/walls.hpp>

namespace talus::sph {
namespace {

enum Value : std::size_t { compression, mach, crossings, dt_mean, particles, mass_drift, momentum_drift, mass_left };

// Sums over particles in order of uid.
template <int D, class T, class F>
T sum_by_uid(const Particles<D>& p, F&& of) {
  std::vector<u32> order(p.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](u32 i, u32 j) { return p.uid[i] < p.uid[j]; });
  T sum{};
  for (const u32 i : order) sum += of(i);
  return sum;
}

template <int D>
class Sph final : public Method<D> {
 public:
  explicit Sph(Options<D> options = {}) : options_(std::move(options)) {}
  std::string_view word() const override { return "sph"; }
  std::unique_ptr<Method<D>> fresh() const override {
    auto other = std::make_unique<Sph>(options_);
    other->placed_ = placed_;
    return other;
  }

  void read(Input& scene, bool chosen) override { options_ = read_options<D>(scene, chosen); }
  bool needs_laws() const override { return false; }
  bool has_grains() const override { return false; }
  std::string_view unit_word() const override { return "particle"; }
  void place(Input& scene, Model<D>& model, State<D>& state) override {
    place_bodies(scene, options_, model, state);
    placed_ = mass_of(state);
  }
  void check_stage(const Input& table, std::string_view, const Column<WallDrive<D>>& drives, const CellDrive<D>&) const override {
    for (const auto& drive : drives)
      if (drive.control != WallControl::fixed)
        table.fail("wall", "walls that hold particles are at rest so far", "take `control` out of [boundary.NAME] and [stage.wall.NAME]");
  }
  void check_start(Input& scene, const Model<D>& model, const State<D>& state) const override;
  FirstStep first_step(const Model<D>&, const State<D>& state) const override {
    const Real limit = limit_of(state), dt = options_.time_step > 0 ? options_.time_step : limit;
    return {dt, !(options_.time_step > 0), dt / limit, "sound, acceleration and viscosity over the smoothing length"};
  }
  void begin_stage(const StageSettings& stage, Real, State<D>& state) override {
    if (stage.path.kind != Path::none) begin_path(options_, stage.path, state);
  }
  void plan_stage(const StageSettings& stage) override { path_ = stage.path; }
  bool contacts_hold_energy() const override { return false; }

  Steps prepare(const Model<D>& model, State<D>& state) override { return steps_of(sph::prepare(options_, model, state, scratch_)); }
  u32 rebuild(const Model<D>& model, State<D>& state) override {
    sph::rebuild(options_, model, state, scratch_);
    return fine;
  }
  Steps advance(const Model<D>& model, State<D>& state, i64 steps) override {
    if (path_.kind != Path::none) return follow(state, steps);
    return steps_of(sph::advance(options_, model, state, scratch_, steps));
  }

  ContactList<D> contacts(const Model<D>&, const State<D>&) const override { return {}; }
  u32 culprit(const Model<D>& model, const State<D>& state, u32 status) const override {
    return sph::culprit(options_, model, state, status);
  }
  std::string explain(u32 status, const Complaint& c) const override;
  Diagnostics diagnostics(const Model<D>&) const override;
  Real now(std::size_t k, const State<D>& state) const override;

 private:
  static Steps steps_of(const StepReport& r) { return {r.status, 0, {r.compression, r.mach, r.beyond, r.time, 0, 0, 0, 0}}; }
  static Real mass_of(const State<D>& state) {
    return sum_by_uid<D, Real>(state.particles, [&](u32 i) { return state.particles.mass[i]; });
  }
  Real limit_of(const State<D>& state) const {
    Real speed = 0;
    for (const Vec<D>& v : state.particles.velocity) speed = max(speed, length(v));
    return stable_step(options_, speed, length(state.globals.gravity));
  }

  // Pieces of matter on their own, instead of steps of the whole.
  Steps follow(State<D>& state, i64 steps) const {
    StepReport report;
    for (i64 k = 0; k < steps; ++k) {
      follow_path(options_, path_, state);
      ++state.globals.step;
      state.globals.time += state.globals.dt;
      report.time += Real(float(state.globals.dt));
    }
    return steps_of(report);
  }

  Options<D> options_;
  MaterialPath path_;
  Real placed_ = 0;  // kg, of all particles at the start
  Scratch<D> scratch_;
};

template <int D>
void Sph<D>::check_start(Input& scene, const Model<D>& model, const State<D>& state) const {
  const Real limit = limit_of(state), reach = (1 + skin) * options_.support * options_.spacing;
  if (options_.time_step > limit)
    scene.table("sph", true, "how a continuum is discretised by particles")
        ->fail("time_step", fmt::format("{:.4g} s is above the stable limit of {:.4g} s", options_.time_step, limit),
               "leave it out: the step then follows the limit");
  const Cell<D>& cell = state.globals.cell;
  for (int k = 0; k < D; ++k)
    if (cell.periodic[k] && cell.h(k, k) < 2 * reach)
      scene.fail("cell", fmt::format("along {} it is narrower than two reaches of the kernel", "xyz"[k]),
                 "make it wider, or take a smaller spacing");
  for (std::size_t w = 0; w < model.walls.size(); ++w)
    for (int k = 0; k < D; ++k)
      if (cell.periodic[k] && wall_shape(model, state, w).axis() < 0)
        scene.fail("boundary", "wall '" + model.walls[w].name + "': a wall that does not lie along an axis does not repeat as the cell does", "set cell.periodic to zeros");
}

template <int D>
std::string Sph<D>::explain(u32 status, const Complaint& c) const {
  if (status & not_finite) return explain_any(status, c);
  if (status & lost_particle)
    return c.grain + " has left the domain" + c.where + "; close it by walls, make the cell larger, or raise sound_speed";
  return c.grain + fmt::format(" is compressed by more than {:.0f} %", 100 * (densest - 1)) + c.where +
         "; raise the sound_speed of its material: ten times the fastest motion keeps the density within 1 %";
}

template <int D>
Diagnostics Sph<D>::diagnostics(const Model<D>&) const {
  return {{"compression", "1", "largest ρ/ρ0 − 1 of a particle in any step since the last row", Reduce::most, "compression_max",
           {"largest density of a particle over that at rest, minus 1", "largest compression", "", FigureGroup::quality}},
          {"mach", "1", "largest speed over the speed of sound in any step since the last row", Reduce::most, "mach_max",
           {"largest speed of a particle over the speed of sound", "largest speed over that of sound", "Ma_max", FigureGroup::quality}},
          {"wall_crossings", "1", "particles behind a wall, most in any step since the last row", Reduce::most, "wall_crossings",
           {"particles behind a wall, most in any step", "particles behind walls", "", FigureGroup::quality}},
          {"dt_mean", "s", "time step, mean since the last row", Reduce::mean, "dt_mean", {"time step, mean over all steps", "mean time step", "", FigureGroup::run}},
          {"particles", "1", "number of particles", Reduce::last, "particles", {"particles of the sample, without those of walls", "particles", "N", FigureGroup::sample}},
          {"mass_drift_rel", "1", "|mass of all particles and of what has left, over the mass laid and poured in − 1|", Reduce::last, "mass_drift_rel",
           {"|mass of all particles and of what has left, over the mass laid and poured in − 1|, largest of the rows", "error of the mass", "", FigureGroup::quality}},
          {"momentum_drift_rel", "1",
           "|momentum − what the start, gravity and walls have given| over Σ m |v| and weight times time", Reduce::last,
           "momentum_drift_rel", {"|momentum − impulse of gravity and walls| over the sum of |momenta| and weight times time; largest of the rows", "error of the momentum", "", FigureGroup::quality},
           "method sph, dynamics.ledger"},
          {"mass_left", "kg", "mass that has left through outflows since the start", Reduce::last, "mass_left",
           {"mass that has left through outflows", "mass that has left", "", FigureGroup::sample}}};
}

template <int D>
Real Sph<D>::now(std::size_t k, const State<D>& state) const {
  const Particles<D>& p = state.particles;
  if (k == particles) return Real(p.size());
  if (k == mass_left) return drained(state);
  if (k == mass_drift) return placed_ > 0 ? std::abs((mass_of(state) + drained(state)) / (placed_ + poured(options_, state.globals.time)) - 1) : 0;
  if (k != momentum_drift || p.given.empty()) return 0;
  const Vec<D> missing = sum_by_uid<D, Vec<D>>(p, [&](u32 i) { return p.mass[i] * p.velocity[i] - p.given[i]; });
  const Real through = sum_by_uid<D, Real>(p, [&](u32 i) {
    return p.mass[i] * (length(p.velocity[i]) + length(state.globals.gravity) * state.globals.time);
  });
  return through > 0 ? length(missing) / through : 0;
}

}  // namespace

template <int D>
std::unique_ptr<Method<D>> make_method() {
  return std::make_unique<Sph<D>>();
}
template std::unique_ptr<Method<2>> make_method();
template std::unique_ptr<Method<3>> make_method();

}  // namespace talus::sph
