#include <talus/sph/sph_method.hpp>

#include <cmath>

#include <fmt/format.h>

#include <talus/continuum/diagnostics.hpp>
#include <talus/sph/element.hpp>
#include <talus/sph/lists.hpp>
#include <talus/sph/step.hpp>
#include <talus/stages/walls.hpp>

namespace talus::sph {
namespace {

template <int D>
class Sph final : public continuum::ParticleMethod<D> {
 public:
  explicit Sph(Options<D> options = {}) : options_(std::move(options)) {}
  std::string_view word() const override { return "sph"; }
  std::unique_ptr<Method<D>> fresh() const override {
    auto other = std::make_unique<Sph>(options_);
    other->placed_ = placed_;
    return other;
  }

  void read(Input& scene, bool chosen) override { options_ = read_options<D>(scene, chosen); }
  void place(Input& scene, Model<D>& model, State<D>& state) override {
    place_bodies(scene, options_, model, state);
    placed_ = continuum::mass_of(state);
  }
  void check_stage(const Input& table, std::string_view, const Column<WallDrive<D>>& drives, const CellDrive<D>&) const override {
    continuum::check_walls_rest(table, drives);
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

  Steps prepare(const Model<D>& model, State<D>& state) override { return continuum::steps_of(sph::prepare(options_, model, state, scratch_)); }
  u32 rebuild(const Model<D>& model, State<D>& state) override {
    sph::rebuild(options_, model, state, scratch_);
    return fine;
  }
  Steps advance(const Model<D>& model, State<D>& state, i64 steps) override {
    if (path_.kind != Path::none) return follow(state, steps);
    return continuum::steps_of(sph::advance(options_, model, state, scratch_, steps));
  }

  u32 culprit(const Model<D>&, const State<D>& state, u32 status) const override {
    return continuum::culprit(options_.matter, options_.support * options_.spacing, state, status);
  }
  Real now(std::size_t k, const State<D>& state) const override {
    return continuum::now(k, state, placed_ + poured(options_, state.globals.time), drained(state));
  }

 private:
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
    return continuum::steps_of(report);
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

}  // namespace

template <int D>
std::unique_ptr<Method<D>> make_method() {
  return std::make_unique<Sph<D>>();
}
template std::unique_ptr<Method<2>> make_method();
template std::unique_ptr<Method<3>> make_method();

}  // namespace talus::sph
