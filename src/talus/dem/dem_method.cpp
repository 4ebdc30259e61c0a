#include <talus/dem/dem_method.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include <talus/dem/device.hpp>
#include <talus/dem/first_step.hpp>
#include <talus/dem/polygons.hpp>
#include <talus/dem/rebound.hpp>
#include <talus/dem/step.hpp>

namespace talus::dem {
namespace {

// Where dashpots limit the step, a share of their own: with strong ones the step by springs alone is too long.
constexpr Real damped_share = 0.9;

constexpr Real dt_growth = 4;  // an automatic step grows to at most this many first steps

// ---- geometry: balls, or polygons of the plane -------------------------------------------------------------------------

template <int D>
class OnHost {
 public:
  StepReport prepare(const Model<D>& model, const StepOptions& options, State<D>& state) {
    if constexpr (D == 2)
      if (model.has_polygons()) return polygons::prepare(model, options, state, polygons_);
    return dem::prepare(model, options, state, balls);
  }
  u32 rebuild(const Model<D>& model, State<D>& state) {
    if constexpr (D == 2)
      if (model.has_polygons()) return polygons::rebuild(model, state, polygons_);
    return dem::rebuild(model, state, balls);
  }
  StepReport step(const Model<D>& model, const StepOptions& options, State<D>& state, i64 steps) {
    if constexpr (D == 2)
      if (model.has_polygons()) return polygons::step(model, options, state, polygons_, steps);
    return dem::step(model, options, state, balls, steps);
  }
  TimeStepLimit critical_dt(const Model<D>& model, const State<D>& state) const {
    if constexpr (D == 2)
      if (model.has_polygons()) return polygons::critical_dt(model, state, polygons_);
    return dem::critical_dt(model, state, balls);
  }
  ContactList<D> contacts(const Model<D>& model, const State<D>& state) const {
    if constexpr (D == 2)
      if (model.has_polygons()) return polygons::contacts(model, state, polygons_);
    return dem::contacts(model, state, balls);
  }
  u32 culprit(const Model<D>& model, const State<D>& state, u32 status) const {
    if constexpr (D == 2)
      if (model.has_polygons()) return polygons::culprit(model, state, polygons_, status);
    return dem::culprit(model, state, balls, status);
  }

  Scratch<D> balls;

 private:
  polygons::Scratch polygons_;
};

// ---- the method --------------------------------------------------------------------------------------------------------

template <int D>
class Dem final : public Method<D> {
 public:
  explicit Dem(const Options& options) : options_(options) {}
  std::string_view word() const override { return "dem"; }
  std::unique_ptr<Method<D>> fresh() const override { return std::make_unique<Dem>(options_); }

  void read(Input& scene, bool chosen) override;
  bool needs_laws() const override { return true; }
  void check_grains(const Input& group, std::string_view shape, const Material& material) const override;
  void check_laws(const Input& scene, const Model<D>& model, bool polygons) const override;
  void check_multi_contact(const Input&) const override {}
  void check_stage(const Input& table, std::string_view kind, const Column<WallDrive<D>>& drives,
                   const CellDrive<D>& cell) const override;
  void check_start(Input& scene, const Model<D>& model, const State<D>& state) const override;
  FirstStep first_step(const Model<D>& model, const State<D>& state) const override;

  bool contacts_hold_energy() const override { return true; }

  Steps prepare(const Model<D>& model, State<D>& state) override {
    flush();
    changed();
    return steps_of(host_.prepare(model, options_.step, state), model);
  }
  u32 rebuild(const Model<D>& model, State<D>& state) override {
    flush();
    changed();
    return host_.rebuild(model, state);
  }
  Steps advance(const Model<D>& model, State<D>& state, i64 steps) override {
    return steps_of(device_ ? advance_device(model, state, steps) : host_.step(model, options_.step, state, steps), model);
  }
  std::string follow_contacts(const Model<D>& model, State<D>& state, Real first) override;

  ContactList<D> contacts(const Model<D>& model, const State<D>& state) const override {
    return host_.contacts(model, state);
  }
  u32 culprit(const Model<D>& model, const State<D>& state, u32 status) const override {
    return host_.culprit(model, state, status);
  }
  std::string explain(u32 status, const Complaint& c) const override;
  Diagnostics diagnostics(const Model<D>& model) const override {
    if (!model.multi_contact.acts()) return {};
    return {{"contraction", "1",
             "largest factor by which errors of forces change from pass to pass, since the last row; at 1 there is no "
             "equilibrium",
             Reduce::most, "", "", "multi_contact"}};
  }
  Real trial_dt(Real) const override { return 0; }  // the contacts as placed, without letting the sample fly apart

  std::string no_device(const Model<D>& model) const override {
    for (const auto& shape : model.shapes)
      if (shape.kind == ShapeKind::wall && shape.wall.is_host_only()) return "walls of kind " + std::string(shape.wall.name()) + " have no device path";
    return model.has_polygons() ? "polygons have no device path yet" : "";
  }
  void use_device() override { device_ = std::make_unique<Device<D>>(); }
  bool on_device() const override { return device_ != nullptr; }
  void fetch(State<D>& state) override;
  void changed() override { current_ = false; }
  void later(std::function<void()> job) override {
    flush();
    job_ = std::move(job);
  }
  void flush() override {
    if (const auto job = std::exchange(job_, nullptr)) job();
  }

 private:
  Steps steps_of(const StepReport& r, const Model<D>& model) const {
    if (!model.multi_contact.acts()) return {r.status, r.overlap, {}};
    return {r.status, r.overlap, {r.contraction}};
  }
  StepReport advance_device(const Model<D>& model, State<D>& state, i64 steps);
  std::string outruns_contacts(const State<D>& state) const;
  // Nothing where local damping acts, which takes from every rebound anyway.
  ReboundError rebounds(const Model<D>& model, const State<D>& state) const {
    return options_.step.local_damping > 0 ? ReboundError{} : rebound_error(model, state);
  }
  // Largest stable time step; on a device without the pair that limits it.
  TimeStepLimit critical_dt(const Model<D>& model, const State<D>& state) const {
    if (device_ && current_ && !fetched_) return device_->critical_dt();
    return host_.critical_dt(model, state);
  }

  Options options_;
  OnHost<D> host_;
  std::unique_ptr<Device<D>> device_;
  std::function<void()> job_;
  bool current_ = false;  // the device has model and state
  bool fetched_ = true;   // the host has bodies and rows
};

// ---- set-up ------------------------------------------------------------------------------------------------------------

template <int D>
void Dem<D>::read(Input& scene, bool) {
  const auto in = scene.table("dynamics", false, "how the sample moves");
  options_.step.local_damping =
      in->number("local_damping", dim::none, Range::below(0, 1), 0.0,
                 "share of the unbalanced force that opposes the motion of each grain; explicit method only");
  options_.safety =
      in->number("time_step_safety", dim::none, {0, 0.5, true, false}, 0.25, "share of the critical time step");
  options_.rebound = in->number("restitution_error", dim::none, {0, 1, true, false}, 0.01,
                                "largest error of a rebound that the automatic time step may make, share of the restitution");
  options_.forced = in->flag("force_time_step", false, "run even if time_step is above the stable limit");
  options_.automatic = !in->has("time_step");
  if (!options_.automatic)
    options_.fixed = in->number("time_step", dim::time, Range::positive(), std::nullopt,
                                "fixed time step of the explicit method; left out: automatic");
}

template <int D>
void Dem<D>::check_grains(const Input& group, std::string_view shape, const Material& material) const {
  if (shape == "hull") group.fail("shape", "soft contacts are made for spheres", "set method = \"impulse\"");
  if (shape == "compound")
    group.fail("shape", "soft contacts are made for convex grains", "set method = \"impulse\"");
  if (material.rigid)
    group.fail("material", "grains need an elastic material, '" + material.name + "' is rigid",
               "rigid materials are for walls");
}

// Polygons have springs of one law.
template <int D>
void Dem<D>::check_laws(const Input& scene, const Model<D>& model, bool polygons) const {
  for (const u32 law : model.pairs.law)
    if (polygons && law != no_law && law_names()[law] != Linear<D>::name)
      scene.fail("contact",
                 "polygons, and grains inside a membrane, need the law \"linear\" when method is \"dem\", here is \"" +
                     law_names()[law] + "\"",
                 "set contact.law = \"linear\" and contact.normal_stiffness, or method = \"impulse\"");
}

template <int D>
void Dem<D>::check_stage(const Input& table, std::string_view, const Column<WallDrive<D>>& drives,
                         const CellDrive<D>&) const {
  for (const auto& drive : drives)
    if (drive.control == WallControl::free)
      table.fail("wall", "free walls are for rigid grains", "use control = \"stress\" with method dem");
}

template <int D>
void Dem<D>::check_start(Input& scene, const Model<D>& model, const State<D>& state) const {
  if constexpr (D == 2)
    refuse_overlap(scene, model, deepest_overlap(model, state), model.options.overlap_limit,
                   "move one of them, or state a larger dynamics.overlap_limit");
  const FirstStep first = first_step(model, state);
  if (first.automatic || !(first.share > 1) || options_.forced) return;
  scene.table("dynamics", false, "how the sample moves")
      ->fail("time_step",
             "the step is longer than the stable limit of " + std::to_string(first.dt / first.share * 1e9) + " ns (" +
                 first.reason + ")",
             "shorten it, leave it out for an automatic step, or set dynamics.force_time_step = true");
}

template <int D>
FirstStep Dem<D>::first_step(const Model<D>& model, const State<D>& state) const {
  const StartLimit limit = start_limit(model, state);
  const ReboundError rebound = rebounds(model, state);
  const Real speed = closing_speed(state), wanted = options_.safety * limit.dt;
  const Real dt = options_.automatic ? rebound.step_below(options_.rebound, wanted, speed) : options_.fixed;
  FirstStep out{dt, options_.automatic, dt / limit.dt, dt < wanted && options_.automatic ? "restitution of dashpots" : limit.reason};
  if (rebound.some())
    out.rebound_error = options_.automatic ? rebound.weakest * options_.rebound : rebound.error(dt, speed);
  out.changes_elastic = options_.automatic && !rebound.some() && options_.step.local_damping == 0;
  return out;
}

// ---- steps -------------------------------------------------------------------------------------------------------------

// A body that moves by more than a radius in one step passes others without touching them. Empty: none does.
template <int D>
std::string Dem<D>::outruns_contacts(const State<D>& state) const {
  if (device_ && !fetched_) return "";
  const Bodies<D>& b = state.bodies;
  const Globals<D>& g = state.globals;
  Real fastest = 0, smallest = HUGE_VAL;
  for (std::size_t i = 0; i < b.size(); ++i) {
    fastest = std::max(fastest, dot(b.velocity[i], b.velocity[i]));
    if (i < state.grains()) smallest = std::min(smallest, g.radius_scale * b.radius[i]);
  }
  const Real way = g.dt * std::sqrt(fastest);  // no body is worse than this: the loop below is for the unlucky
  if (!(way > smallest)) return "";
  for (std::size_t i = 0; i < b.size(); ++i) {
    const Real radius = i < state.grains() ? g.radius_scale * b.radius[i] : smallest;
    const Real share = g.dt * length(b.velocity[i]) / radius;
    if (!(share > 1)) continue;
    return (i < state.grains() ? "grain " : "wall ") + std::to_string(b.uid[i]) + " moves by " + std::to_string(share) +
           " radii in one step at step " + std::to_string(g.step) +
           " and would pass others without touching them; lower its speed, or shorten dynamics.time_step";
  }
  return "";
}

// Follows the stiffest contacts; shrinks at once, grows slowly. A pure function of the state at fixed step numbers.
template <int D>
std::string Dem<D>::follow_contacts(const Model<D>& model, State<D>& state, Real first) {
  Globals<D>& g = state.globals;
  if (const std::string why = outruns_contacts(state); !why.empty()) return why;
  TimeStepLimit critical = critical_dt(model, state);
  if (options_.automatic) {
    const Real most = std::min(dt_growth, 0.9 / options_.safety) * first;
    g.dt = std::min({options_.safety * critical.dt, damped_share * critical.damped, 1.1 * g.dt, most});
    const ReboundError rebound = rebounds(model, state);
    if (rebound.hertz > 0) fetch(state);
    if (rebound.some()) g.dt = std::min(g.dt, rebound.step_below(options_.rebound, most, closing_speed(state)));
    return "";
  }
  if (g.dt <= critical.damped || options_.forced) return "";
  fetch(state);
  critical = critical_dt(model, state);  // now with the pair
  return "the fixed time step is " + std::to_string(g.dt / critical.damped) +
         " of the stable limit at the contact of grains " + std::to_string(critical.uid_a) + " and " +
         std::to_string(critical.uid_b) + " at step " + std::to_string(g.step) +
         "; shorten dynamics.time_step, leave it out, or set dynamics.force_time_step";
}

template <int D>
std::string Dem<D>::explain(u32 status, const Complaint& c) const {
  if (status & (not_finite | lost_history)) return explain_any(status, c);
  if (status & too_fast)
    return c.grain + " moves so far in one step that it could pass through another" + c.where +
           "; shorten dynamics.time_step, or load the sample less or more slowly";
  if (status & folded)
    return "forces on " + c.grain + " grow without bound" + c.where + ": contraction " +
           std::to_string(c.since.values.at(0)) +
           ", the multi-contact model has no equilibrium at this compression; compress less or lower multi_contact.gamma";
  if (status & not_solved)
    return "forces and displacements around " + c.grain + " do not settle" + c.where +
           "; raise multi_contact.max_iterations or multi_contact.tolerance";
  if (status & short_reach)
    return "the surface of a grain bulges further than contacts are looked for" + c.where +
           "; raise multi_contact.reach";
  if (status & too_many_periods) return explain_any(status, c);
  return c.grain + " overlaps its neighbour by " + std::to_string(100 * c.overlap) + " % of its radius" + c.where +
         "; contacts are too soft for the load, or the time step too long (dynamics.overlap_limit)";
}

// ---- device ------------------------------------------------------------------------------------------------------------

template <int D>
StepReport Dem<D>::advance_device(const Model<D>& model, State<D>& state, i64 steps) {
  if (current_) {
    device_->replan(model, state.globals);
  } else {
    device_->upload(model, options_.step, state);
    current_ = true;
  }
  const StepReport report = job_ ? device_->advance(steps, [this] { flush(); }) : device_->advance(steps);
  const u64 hash = state.globals.hash;
  const i64 hashes = state.globals.hashes;
  state.globals = device_->globals();
  state.globals.hash = hash;
  state.globals.hashes = hashes;
  fetched_ = false;
  return report;
}

template <int D>
void Dem<D>::fetch(State<D>& state) {
  if (!device_ || fetched_) return;
  flush();
  const Globals<D> now = state.globals;
  device_->download(state, host_.balls);
  state.globals = now;
  fetched_ = true;
}

}  // namespace

template <int D>
std::unique_ptr<Method<D>> make_method(const Options& options) {
  return std::make_unique<Dem<D>>(options);
}
template std::unique_ptr<Method<2>> make_method(const Options&);
template std::unique_ptr<Method<3>> make_method(const Options&);

}  // namespace talus::dem
