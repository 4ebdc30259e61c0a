#include <talus/impulse/impulse_method.hpp>

#include <algorithm>

#include <talus/impulse/coat_model.hpp>
#include <talus/impulse/conditions.hpp>
#include <talus/impulse/elastic.hpp>
#include <talus/impulse/hull_ledger.hpp>
#include <talus/impulse/hull_step.hpp>
#include <talus/impulse/step.hpp>

namespace talus::impulse {
namespace {

constexpr Real start_limit = 1e-3;   // overlap over the smaller radius with which rigid grains may start
constexpr Real not_converged_limit = 0.05;  // share of steps that did not converge with which a strict run has failed

enum Value : std::size_t { from_solver, from_state, sweeps, not_converged };  // in space all but the second

template <int D>
constexpr std::size_t place_of_not_converged = D == 2 ? not_converged : not_converged - 1;

template <int D>
class Impulse final : public Method<D> {
 public:
  explicit Impulse(const Options& options) : options_(options) {}
  std::string_view word() const override { return "impulse"; }
  std::unique_ptr<Method<D>> fresh() const override { return std::make_unique<Impulse>(options_); }

  void read(Input& scene, bool chosen) override;
  bool needs_laws() const override { return options_.law == HertzMindlin<D>::name; }  // rigid grains need no modulus, nor does a linear spring
  std::string law() const override { return options_.law; }
  Real coat() const override { return options_.step.coat ? options_.step.coat->size.thickness : 0; }
  void check_laws(const Input& scene, const Model<D>& model, bool polygons) const override {
    if (polygons && options_.law == HertzMindlin<D>::name)
      scene.fail("impulse.law", "polygons have no curvature that Hertz' law could use", "set law = \"linear\"");
    for (const u32 law : model.pairs.law)
      if (options_.step.elastic && law != no_law && law_names()[law] != options_.law)
        scene.fail("pair", "one pair has the law " + law_names()[law] + ", and impulse.law says " + options_.law, "leave out the law of that pair");
  }
  void check_grains(const Input& group, std::string_view shape, const Material&) const override {
    if (D == 3 && shape != "hull")
      group.fail("shape", "contact dynamics in space moves hulls so far", "set shape = \"hull\", or method = \"dem\"");
  }
  void check_stage(const Input& table, std::string_view kind, const Column<WallDrive<D>>& drives,
                   const CellDrive<D>& cell) const override;
  void check_start(Input& scene, const Model<D>& model, const State<D>& state) const override;
  FirstStep first_step(const Model<D>&, const State<D>&) const override {
    return {options_.time_step, false, 0, "contact dynamics is stable at any"};
  }

  void begin_stage(const StageSettings& stage, Real first, State<D>& state) override;
  void plan_stage(const StageSettings& stage) override {
    now_ = options_.step;
    if (stage.tolerance > 0) now_.tolerance = stage.tolerance;
    now_.solid_coats = stage.solid_coats;
    now_.from_rest = options_.step.from_rest || stage.from_rest;
  }
  bool contacts_hold_energy() const override { return false; }

  Steps prepare(const Model<D>& model, State<D>& state) override {
    return steps_of(look(model, now_, state, scratch_));
  }
  u32 rebuild(const Model<D>&, State<D>&) override {
    scratch_.pairs.valid = false;
    return fine;
  }
  Steps advance(const Model<D>& model, State<D>& state, i64 steps) override {
    return steps_of(step(model, now_, state, scratch_, steps));
  }

  ContactList<D> contacts(const Model<D>&, const State<D>& state) const override { return impulse::contacts(state); }
  u32 culprit(const Model<D>&, const State<D>& state, u32 status) const override {
    return impulse::culprit(state, status);
  }
  std::string explain(u32 status, const Complaint& c) const override;
  Diagnostics diagnostics(const Model<D>&) const override;
  Real now(std::size_t k, const State<D>& state) const override {
    if constexpr (D == 2)
      if (k == from_state) return contact_residual(state);
    return 0;
  }
  std::string verdict(const std::vector<Real>& in_all, i64 steps) const override;
  std::string_view cost_remark() const override { return D == 2 ? "; sweeps of packed grains are a guess" : "; later steps may take more or fewer sweeps"; }
  // 135 sweeps at 800 polygons and a tolerance of 1e-3, and how that grows, are those of the biaxial tests (docs/results/biaxial:
  // convergence.csv, runs.csv; 800 and 5,500 polygons, tolerances from 1e-2 to 1e-5). They pass by contacts that have converged: one
  // sweep of all contacts costs as much as 2.3 of them (measured on biaxial-small-dense and biaxial-dense).
  bool sweep_as_packed(const State<D>& state) override {
    StepOptions& o = options_.step;
    if (D == 3 || o.fixed_count) return false;
    const double guess = 135 / 2.3 * std::pow(double(state.grains()) / 800, 0.2) * std::pow(1e-3 / o.tolerance, 0.87);
    o.max_sweeps = i64(std::min(guess, double(o.max_sweeps)));
    o.tolerance = 1e-300;
    now_ = o;
    return true;
  }

 private:
  std::string read_law(Input& in);
  static Steps steps_of(const StepReport& r) {
    if (D == 3) return {r.status, r.overlap, {r.residual, Real(r.sweeps), Real(r.not_converged), r.law_residual, r.stiffest}};
    return {r.status, r.overlap, {r.residual, 0, Real(r.sweeps), Real(r.not_converged)}};
  }

  static void rescale(State<D>& state, Real factor) {
    for (Vec3& impulse : state.patches.impulse) impulse = factor * impulse;
    for (auto& impulses : state.hull_patches.impulse)
      for (Vec3& impulse : impulses.at) impulse = factor * impulse;
  }

  Options options_;
  StepOptions now_ = options_.step;  // with what the running stage asks for
  std::conditional_t<D == 2, Scratch, HullScratch> scratch_;
};

template <int D>
Diagnostics Impulse<D>::diagnostics(const Model<D>&) const {
  Diagnostics all{{"solver_residual", "1", "largest residual that the solver left in any step since the last row", Reduce::most,
           "residual_max", {"largest residual that the solver left, over the mean normal impulse", "largest solver residual", "", FigureGroup::quality}},
          {"state_residual", "1", "residual of the last step, computed from the state without asking the solver",
           Reduce::last, "state_residual_max", {"the same, computed from the state at the rows of the series", "largest residual from the state", "", FigureGroup::quality}},
          {"solver_sweeps", "1", "sweeps per step, beside coats iterations of conjugate gradients, mean since the last row", Reduce::mean, "iterations_mean",
           {"sweeps of the solver per step", "solver sweeps per step", "", FigureGroup::quality}},
          {"solver_capped", "1", "steps since the last row that did not converge within max_sweeps", Reduce::sum, "cap_hits",
           {"steps in which the solver did not converge within max_sweeps", "steps not converged", "", FigureGroup::quality}}};
  if (D == 2) return all;
  all.erase(all.begin() + from_state);  // impulses in space are those of the places before the step
  all.push_back({"law_residual", "1", "largest difference of an impulse from the law of its coat, or of its contact beside coats, in any step since the last row", Reduce::most,
                 "law_residual_max", {"largest difference of an impulse from the law of its contact, over the mean impulse", "largest error of a law", "", FigureGroup::quality},
                 "method impulse in space, with a law of the mortar"});
  all.push_back({"coat_stiffness_ratio", "1", "largest h b K of a coat since the last row: its answer to an impulse over that of its grains", Reduce::most, "hbk_max",
                 {"largest h b K of a coat: how much stiffer it is in a step than the inertia of its two grains", "stiffness of coats over inertia", "h b K", FigureGroup::quality},
                 "method impulse in space, with a law of the mortar"});
  return all;
}

// ---- set-up ------------------------------------------------------------------------------------------------------------

// Of what lies between grains: nothing, the grains themselves, or a coat of mortar. Hulls have no curvature that Hertz could use.
template <int D>
std::string Impulse<D>::read_law(Input& in) {
  std::vector<std::string> laws = D == 2 ? std::vector<std::string>{"linear", "hertz-mindlin"} : std::vector<std::string>{"linear"};
  const std::vector<std::string> elastic = laws, coats = D == 2 ? std::vector<std::string>{} : coat_law_names();
  laws.insert(laws.begin(), "none");
  laws.insert(laws.end(), coats.begin(), coats.end());
  const std::string law = in.choice("law", laws, "none",
                                    D == 2 ? "none: contacts are rigid; else they are elastic, with this law and the constants of [contact], solved inside the step"
                                           : "none: contacts are rigid; linear: elastic, with the constants of [contact], solved inside the step; else bare grains have a coat of mortar with this law");
  options_.step.elastic = std::find(elastic.begin(), elastic.end(), law) != elastic.end();
  options_.law = options_.step.elastic ? law : "";
  return law;
}

template <int D>
void Impulse<D>::read(Input& scene, bool chosen) {
  if (!chosen && !scene.has("impulse")) return;
  const auto in = scene.table("impulse", chosen, "how contact dynamics makes a step");
  StepOptions& o = options_.step;
  options_.time_step = in->number("time_step", dim::time, Range::positive(), std::nullopt, "time step");
  o.tolerance =
      in->number("tolerance", dim::none, {0, 1, true, false}, 1e-6,
                 "residual at which a step has converged: largest violation of the contact conditions over the mean impulse");
  o.max_sweeps =
      in->integer("max_sweeps", 1, 1000000000, 20000, "sweeps after which a step stops without convergence, beside coats iterations of conjugate gradients; such steps are counted");
  const std::string law = read_law(*in);
  const std::string way =
      in->choice("acceleration", {"none", "careful", "momentum"}, "momentum",
                 "whether sweeps extrapolate: not at all, carefully (stays nearer to the step before), or with momentum");
  o.acceleration = way == "none"      ? Acceleration::none
                   : way == "careful" ? Acceleration::careful
                                      : Acceleration::momentum;
  o.fixed_count =
      in->choice("solver", {"nlgs", "box2d-like"}, "nlgs",
                 "non-linear Gauss-Seidel to a tolerance, or a game engine's fixed number of sweeps") == "box2d-like";
  o.sweeps = in->integer("iterations", 1, 1000000000, 100, "velocity sweeps of solver box2d-like");
  o.position_sweeps = in->integer("position_iterations", 0, 1000000000, 3, "position sweeps of solver box2d-like");
  o.theta = in->number("theta", dim::none, Range::closed(0.5, 1), 1.0,
                       "positions move with this share of the new velocity and the rest of the old");
  if constexpr (D == 3) {
    o.coat = read_coat(*in, law);
    o.from_rest = in->choice("inertia", {"full", "none"}, "full", "none: grains start each step from rest, so that what they do follows from forces alone") == "none";
    o.contact_give = in->number("contact_give", dim::none, Range::positive(), o.contact_give,
                                "how far coated grains themselves give way where they touch, under the mean force, over the smallest radius; such overlaps are taken out step by step");
  }
  now_ = o;
  options_.strict = in->flag("strict", false, "the run fails when 5 % of its steps or more did not converge");
  if (chosen && options_.strict && o.fixed_count)
    in->fail("strict", "solver box2d-like has no tolerance, so none of its steps can fail to converge",
             "leave it out, or set solver = \"nlgs\"");
  if (chosen && o.elastic && o.fixed_count) in->fail("solver", "this solver is for rigid contacts", "set solver = \"nlgs\"");
  if (chosen && o.elastic && o.theta != 1) in->fail("theta", "elastic contacts push at the end of the step", "leave it out");
  if (chosen && D == 3 && o.fixed_count) in->fail("solver", "this solver is of the plane", "set solver = \"nlgs\"");
  if (chosen && D == 3 && o.theta != 1) in->fail("theta", "in space positions move with the new velocity", "leave it out");
}

template <int D>
void Impulse<D>::check_stage(const Input& table, std::string_view kind, const Column<WallDrive<D>>& drives,
                             const CellDrive<D>& cell) const {
  if (kind == "grow")
    table.fail("kind", "rigid grains do not grow", "place them apart and let them fall or press them: settle, press");
  for (const auto& drive : drives)
    if (drive.control == WallControl::velocity && !(drive.spin == Spin<D>{}))
      table.fail("wall", "rigid grains do not feel walls that spin so far", "use method = \"dem\"");
  for (const auto& drive : drives)
    if (drive.closes()) table.fail("wall", "rigid grains do not feel walls that close in so far", "use method = \"dem\"");
  for (const auto& drive : drives)
    if (drive.control == WallControl::servo)
      table.fail("wall",
                 "rigid contact forces are not unique while a wall is driven, so a servo cannot hold its force",
                 "use control = \"free\" with a mass and the stress or the force");
  if (cell.needs_stress())
    table.fail("kind",
               "rigid contact forces are not unique while the cell deforms, so a servo cannot hold a stress",
               "use a stage of kind deform, or hold the load by a wall with control = \"free\"");
}

// Rigid grains that start inside one another, or inside a wall, would be thrown apart or out.
template <int D>
void Impulse<D>::check_start(Input& scene, const Model<D>& model, const State<D>& state) const {
  if constexpr (D == 2) {
    const Overlap deepest = deepest_overlap(model, state);
    if (deepest.touches_itself)
      scene.fail("cell", "a grain meets its own image across the cell, and no impulse can part them",
                 "make the cell larger");
    refuse_overlap(
        scene, model, deepest, options_.step.elastic ? model.options.overlap_limit : start_limit,
        scene.has("sample")
            ? "rigid grains must start apart or just touch: soft grains overlap too much to be handed over"
            : "move one of them: rigid grains must start apart or just touch");
  } else {
    check_laws(scene, model, false);
    Real smallest = HUGE_VAL;
    for (std::size_t i = 0; i < state.grains(); ++i)
      smallest = min(smallest, state.bodies.radius[i] / model.hulls[model.shapes[state.bodies.shape[i]].outline].reach);
    if (options_.step.coat && options_.step.coat->size.thickness > smallest)
      scene.table("impulse", true, "")->fail("coat", "the coat is thicker than the smallest grain, whose sieve size is " + std::to_string(1e3 * smallest) + " mm",
                                             "take a thinner coat, or no grains as small");
    State<D> copy = state;  // the search puts bodies into another order
    HullScratch scratch;
    copy.globals.dt = options_.time_step;
    const Real deepest = look(model, options_.step, copy, scratch).overlap;
    if (deepest > (options_.step.elastic ? model.options.overlap_limit : start_limit))
      scene.fail("grains", "a grain starts inside another or inside a wall, by " + std::to_string(50 * deepest) + " % of its size",
                 "raise the spacing of grains, or make the mould wider");
  }
}

// ---- steps -------------------------------------------------------------------------------------------------------------

// Forces stay what they were: impulses that steps start from grow with the step.
template <int D>
void Impulse<D>::begin_stage(const StageSettings& stage, Real first, State<D>& state) {
  const Real dt = stage.time_step > 0 ? stage.time_step : first;
  Real& now = state.globals.dt;
  if (dt == now) return;
  if (now > 0)
    rescale(state, dt / now);
  now = dt;
}

template <int D>
std::string Impulse<D>::explain(u32 status, const Complaint& c) const {
  if (status & (not_finite | lost_history)) return explain_any(status, c);
  if (status & too_fast)
    return c.grain + " moves so far in one step that it could pass through another" + c.where +
           "; shorten impulse.time_step, or drive the sample more slowly: rigid grains that have no room left are thrown "
           "out";
  if (status & own_image) return "a rigid grain meets its own image across the cell" + c.where + "; take a larger cell";
  if (status & too_many_periods) return explain_any(status, c);
  return c.grain + " overlaps its neighbour by " + std::to_string(100 * c.overlap) + " % of its radius" + c.where +
         "; the sample has no room left, or contacts are not solved: lower impulse.tolerance, raise impulse.max_sweeps, "
         "shorten impulse.time_step (dynamics.overlap_limit)";
}

template <int D>
std::string Impulse<D>::verdict(const std::vector<Real>& in_all, i64 steps) const {
  const Real failed = in_all.size() > place_of_not_converged<D> ? in_all[place_of_not_converged<D>] : 0;
  if (!options_.strict || steps == 0 || failed < not_converged_limit * Real(steps)) return "";
  return "the contact solver did not converge in " + std::to_string(i64(failed)) + " of " + std::to_string(steps) +
         " steps; raise impulse.max_sweeps, loosen impulse.tolerance, or take impulse.strict out";
}

}  // namespace

template <int D>
std::unique_ptr<Method<D>> make_method(const Options& options) {
  return std::make_unique<Impulse<D>>(options);
}
template std::unique_ptr<Method<2>> make_method(const Options&);
template std::unique_ptr<Method<3>> make_method(const Options&);

}  // namespace talus::impulse
