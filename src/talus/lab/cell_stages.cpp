// Stages that drive the sample as a whole: grow, squeeze, isotropic and consolidate, shear, deform.
#include <talus/lab/cell_stages.hpp>

#include <algorithm>
#include <cmath>

#include <talus/lab/runner.hpp>
#include <talus/lab/speed.hpp>

namespace talus::lab {

namespace {

// Grow all radii from a share of their size to full size in a fixed cell.
template <int D>
class Grow final : public Stage<D> {
 public:
  static std::unique_ptr<Stage<D>> read(Input& in) {
    auto s = std::make_unique<Grow>();
    s->from_ = in.number("from", dim::none, {0, 1, true, true}, 0.7, "radius scale at the start");
    s->steps_ = in.integer("steps", 100, 100000000, 4000, "steps until full size");
    s->traits.rest_every =
        in.integer("rest_every", 0, 1000000, 100, "steps between stops of all motion; 0 never stops it");
    s->traits.exact_steps = s->steps_;
    return s;
  }
  void begin(const Model<D>&, State<D>& state) override { state.globals.radius_scale = from_; }
  void plan(Model<D>& model, const State<D>&) const override { model.options.overlap_limit = 1; }
  void tend(const Observation<D>&, State<D>& state) const override {
    Globals<D>& g = state.globals;
    const i64 left = g.stage.first_step + steps_ - g.step;
    g.radius_rate = left > 0 ? (1 - g.radius_scale) / (Real(left) * g.dt) : 0;
  }
  bool done(const Observation<D>& seen) const override { return seen.stage_steps() >= steps_; }
  void end(State<D>& state) const override {
    state.globals.radius_rate = 0;
    state.globals.radius_scale = 1;
    stop_motion(state);
  }
  double progress(const Observation<D>& seen) const override { return double(seen.stage_steps()) / double(steps_); }
  double expected_steps(const Model<D>&, const State<D>&) const override { return double(steps_); }

 private:
  Real from_;
  i64 steps_;
};

// Those with fewer than two contacts, counted among the others alone.
template <int D>
std::vector<bool> loose_grains(const State<D>& state, const ContactList<D>& contacts) {
  std::vector<bool> is_loose(state.bodies.size());
  for (bool changes = true; changes;) {
    changes = false;
    std::vector<u32> touches(is_loose.size(), 0);
    for (const auto& c : contacts)
      if (!is_loose[c.a] && !is_loose[c.b]) ++touches[c.a], ++touches[c.b];
    for (std::size_t i = 0; i < state.grains(); ++i)
      if (!is_loose[i] && touches[i] < 2) is_loose[i] = changes = true;
  }
  return is_loose;
}

// Loose grains get their weight, the others push them up with as much, shared out by mass: the cell as a whole does not fall.
template <int D>
void weigh_loose_grains(State<D>& state, const ContactList<D>& contacts, Real gravity) {
  const std::vector<bool> is_loose = loose_grains(state, contacts);
  Bodies<D>& b = state.bodies;
  std::vector<std::pair<u32, std::size_t>> order;
  for (std::size_t i = 0; i < state.grains(); ++i) order.emplace_back(b.uid[i], i);
  std::sort(order.begin(), order.end());
  Real loose = 0, others = 0;  // kg
  for (const auto& [uid, i] : order) (is_loose[i] ? loose : others) += b.mass[i];
  if (b.applied.empty()) b.take_forces();
  for (std::size_t i = 0; i < state.grains() && others > 0; ++i) b.applied[i][D - 1] = gravity * b.mass[i] * (is_loose[i] ? Real(-1) : loose / others);
}

// Bring the cell to a stress state and to rest: isotropic (one pressure) or consolidate (one stress per axis).
template <int D>
class Consolidate final : public Stage<D> {
 public:
  static std::unique_ptr<Stage<D>> read_isotropic(Input& in) {
    auto s = std::make_unique<Consolidate>();
    const Real p = in.number("pressure", dim::pressure, Range::positive(), std::nullopt, "target of the mean stress");
    s->stress_.assign(D, p);
    s->read_common(in);
    return s;
  }
  static std::unique_ptr<Stage<D>> read_general(Input& in) {
    auto s = std::make_unique<Consolidate>();
    s->stress_ =
        in.numbers("stress", dim::pressure, Range::positive(), D, std::nullopt, "normal stress along each axis");
    s->read_common(in);
    return s;
  }
  // That of a depth under gravity: the weight above it in material as dense as the cell when the stage began.
  static std::unique_ptr<Stage<D>> read_overburden(Input& in) {
    auto s = std::make_unique<Consolidate>();
    if (in.has("depth") && in.has("cells")) in.fail("depth", "the depth is stated twice", "state either depth or cells");
    if (in.has("cells"))
      s->cells_ = in.number("cells", dim::none, Range::positive(), std::nullopt, "depth below the surface over the height of the cell, instead of depth");
    else
      s->depth_ = in.number("depth", dim::length, Range::positive(), std::nullopt, "depth below the surface (or give cells)");
    const Real g = in.number("acceleration", dim::acceleration, Range::positive(), 9.81, "acceleration of gravity on the ground");
    s->gravity_ = g * in.number("g_level", dim::none, Range::positive(), 1.0, "gravity in multiples of that, as in a centrifuge");
    s->beds_ = in.flag("bed", false, "grains that hardly touch others fall meanwhile, and those that carry the stress carry their weight: they end where gravity puts them");
    s->k0_ = in.number("k0", dim::none, Range::not_negative(), 1.0, "horizontal over vertical stress; 0: the width of the cell stays as it is");
    s->read_common(in);
    return s;
  }
  void begin(const Model<D>& model, State<D>& state) override {
    if (gravity_ > 0 && is_enclosed(model, state)) remember(state, Memory{sample_volume(model, state), 0});
  }
  void tend(const Observation<D>& seen, State<D>& state) const override {
    auto memory = recall<Memory>(state);
    if (!beds_ || memory.falling > 0) return;
    memory.falling = 1;
    remember(state, memory);
    weigh_loose_grains(state, seen.contacts(), gravity_ / seen.model.options.density_scale);
  }
  void end(State<D>& state) const override {
    if (beds_ && !state.bodies.applied.empty()) state.bodies.applied.assign(state.bodies.size(), {});
  }
  StageFlaw flaw(const Model<D>& model, const State<D>& state) const override {
    if (!is_enclosed(model, state)) return {};
    if (hold_shear_) return {"a cell with a wall around it does not tilt", "leave it out", "hold_shear"};
    for (int k = 0; k + 1 < D; ++k)
      if (!stress_.empty() && stress_[std::size_t(k)] != stress_[0]) return {"a cylinder holds one stress all around", "state one stress across the last axis", "stress"};
    return {};
  }
  void plan(Model<D>& model, const State<D>& state) const override {
    Real p = 0;
    model.cell = {};
    const std::vector<Real> stress = goal(model, state);
    const bool enclosed = is_enclosed(model, state);
    for (int k = 0; k < D; ++k) {
      if (!(stress[std::size_t(k)] > 0)) continue;
      if (enclosed && k + 1 < D) {  // the wall holds it
        p += stress[std::size_t(k)] / D;
        continue;
      }
      model.cell.holds_stress(k, k) = 1;
      model.cell.target(k, k) = stress[std::size_t(k)];
      p += stress[std::size_t(k)] / D;
      for (int i = 0; i < D && hold_shear_; ++i) model.cell.holds_stress(i, k) = 1;  // at 0: the cell tilts
    }
    model.cell.reference = p;
    model.cell.gain = gain_;
    model.cell.rate_max = speed_.at(model, state, p);
    if (enclosed && stress[0] > 0) close_in(model, state, stress[0]);
  }
  bool done(const Observation<D>& seen) const override {
    if (!(seen.servo_error() < tolerance_) || !(seen.unbalanced() < unbalanced_)) return false;
    return seen.stage_steps() >= 2 * control_every;
  }
  std::optional<Goal> goal(const Observation<D>& seen) const override {
    if (!(seen.servo_error() < tolerance_)) return Goal{"stress error", seen.servo_error(), tolerance_};
    return Goal{"unbalanced", seen.unbalanced(), unbalanced_};
  }
  double progress(const Observation<D>& seen) const override {
    Real p = 0, all = 0;
    for (int k = 0; k < D; ++k) {
      p += seen.model.cell.holds_stress(k, k) ? seen.stress()(k, k) : 0;
      all += seen.model.cell.holds_stress(k, k) ? seen.model.cell.target(k, k) : 0;
    }
    return std::clamp(0.9 * p / all, 0.0, 0.99);
  }

 private:
  struct Memory {
    Real volume = 0;  // m^3, of a sample inside a cylinder, when the stage began
    i64 falling = 0;  // 1: loose grains have got their weight
    auto words() { return std::tie(volume, falling); }
  };
  static bool is_enclosed(const Model<D>& model, const State<D>& state) {
    return enclosing_wall(model, state, D - 1) < model.walls.size();
  }
  // The wall around the sample holds a radial stress, as fast as the cell strains.
  void close_in(Model<D>& model, const State<D>& state, Real stress) const {
    const std::size_t side = enclosing_wall(model, state, D - 1);
    const WallShape<D>& shape = wall_shape(model, state, side);
    WallDrive<D> drive = model.drives[side];
    drive.control = WallControl::servo;
    drive.radial = 1;
    drive.by_force = 0;
    drive.target = stress;
    drive.gain = gain_;
    drive.area = 0;
    drive.speed_max = model.cell.rate_max * 2 * shape.section(D - 1) / shape.girth(D - 1);
    model.drives[side] = drive;
  }
  void read_common(Input& in) {
    speed_ = Speed::read(in, 1e-3);
    gain_ = in.number("gain", dim::none, {0, 10, true, false}, 0.05,
                      "relative stress error at which the servo runs at full rate");
    tolerance_ = in.number("tolerance", dim::none, {0, 1, true, false}, 0.005,
                           "relative stress error at which the stage may end");
    unbalanced_ = in.number("unbalanced", dim::none, {0, 1, true, false}, 1e-3,
                            "unbalanced force ratio below which the stage may end");
    hold_shear_ = in.flag("hold_shear", false, "hold the shear stresses at zero too: the cell tilts");
  }
  // Pa, along each axis; 0: not held. Of a depth they follow from the cell when the stage began, also after a resume.
  std::vector<Real> goal(const Model<D>& model, const State<D>& state) const {
    if (!stress_.empty()) return stress_;
    Cell<D> cell = state.globals.cell;
    if (determinant(state.globals.stage.start_h) > 0) cell.h = state.globals.stage.start_h;  // else the scene is only being read
    std::vector<std::pair<u32, Real>> masses;
    for (std::size_t i = 0; i < state.grains(); ++i) masses.emplace_back(state.bodies.uid[i], state.bodies.mass[i]);
    std::sort(masses.begin(), masses.end());
    Real mass = 0;
    for (const auto& [uid, m] : masses) mass += m / model.options.density_scale;
    Real volume = cell.volume() * (D == 2 ? model.options.thickness : 1);
    if (is_enclosed(model, state)) {
      volume = recall<Memory>(state).volume;
      if (!(volume > 0)) volume = sample_volume(model, state);  // likewise
    }
    const Real vertical = mass / volume * gravity_ * (depth_ > 0 ? depth_ : cells_ * cell.h(D - 1, D - 1));
    std::vector<Real> stress(D, k0_ * vertical);
    stress[D - 1] = vertical;
    return stress;
  }

  std::vector<Real> stress_;  // as stated; none: that of a depth
  Real depth_ = 0, cells_ = 0, gravity_ = 0, k0_ = 1;
  bool hold_shear_ = false, beds_ = false;
  Speed speed_;
  Real gain_, tolerance_, unbalanced_;
};

// The cell shrinks at a constant rate along all edges until its grains fill so much of it, or push back so hard.
template <int D>
class Squeeze final : public Stage<D> {
 public:
  static std::unique_ptr<Stage<D>> read(Input& in) {
    auto s = std::make_unique<Squeeze>();
    if (in.has("porosity") && in.has("pressure")) in.fail("porosity", "the stage ends at a porosity or at a pressure", "state one of porosity and pressure");
    if (in.has("porosity")) {
      s->porosity_ = in.number("porosity", dim::none, {0, 1, true, true}, std::nullopt, "porosity at which the stage ends (or give pressure)");
      s->speed_.rate = in.number("rate", dim::rate, Range::positive(), std::nullopt, "strain rate (or give inertial_number)");
    } else {
      s->pressure_ = in.number("pressure", dim::pressure, Range::positive(), std::nullopt, "mean stress at which the stage ends (or give porosity)");
      s->speed_ = Speed::read(in, 1e-3);
    }
    return s;
  }
  void plan(Model<D>& model, const State<D>& state) const override {
    model.cell = {};
    for (int k = 0; k < D; ++k) model.cell.target(k, k) = -speed_.at(model, state, pressure_);
  }
  bool done(const Observation<D>& seen) const override {
    return porosity_ > 0 ? seen.porosity() <= porosity_ : seen.pressure() >= pressure_;
  }
  std::optional<Goal> goal(const Observation<D>& seen) const override {
    return porosity_ > 0 ? Goal{"porosity", seen.porosity(), porosity_} : Goal{"pressure in Pa", seen.pressure(), pressure_};
  }
  double progress(const Observation<D>& seen) const override {
    return std::clamp(porosity_ > 0 ? (1 - seen.porosity()) / (1 - porosity_) : seen.pressure() / pressure_, 0.0, 0.99);
  }

 private:
  Speed speed_;
  Real porosity_ = 0, pressure_ = 0;  // 1, Pa; the one that is not stated is 0
};

// Element tests at constant strain rate: triaxial (other axes hold the confining stress), plane-strain (one axis
// blocked), simple (sheared over the axis, normal stress along it held).
template <int D>
class Shear final : public Stage<D> {
 public:
  static std::unique_ptr<Stage<D>> read(Input& in) {
    auto s = std::make_unique<Shear>();
    s->traits.shears = true;
    s->mode_ = in.choice("mode", {"triaxial", "plane-strain", "simple"}, "triaxial", "which element test");
    if (D == 2 && s->mode_ == "plane-strain")
      in.fail("mode", "a plane sample is always in plane strain", "use triaxial: in the plane it is the biaxial test");
    s->confining_ = in.number("confining", dim::pressure, Range::positive(), std::nullopt,
                              "lateral stress, held constant (simple: the stress along the axis)");
    s->strain_ = in.number("strain", dim::none, {0, 10, true, false}, std::nullopt,
                           "strain to reach: logarithmic axial strain, or tilt in simple shear");
    s->speed_ = Speed::read(in, 8e-4);
    s->gain_ = in.number("gain", dim::none, {0, 10, true, false}, 0.01,
                         "relative stress error at which the servo runs at full rate");
    s->servo_ =
        in.number("servo_speed", dim::none, {0, 100, true, false}, 1.0, "fastest answer of the servo, in axial rates");
    return s;
  }
  void plan(Model<D>& model, const State<D>& state) const override {
    const Real rate = speed_.at(model, state, confining_);
    const int n = this->axis;
    model.cell = {};
    model.cell.reference = confining_;
    model.cell.gain = gain_;
    model.cell.rate_max = servo_ * rate;
    if (mode_ == "simple") {
      model.cell.target((n + 1) % D, n) = rate;  // the first other axis slides over n
      model.cell.holds_stress(n, n) = 1;
      model.cell.target(n, n) = confining_;
      return;
    }
    model.cell.target(n, n) = -rate;
    for (int k = 0; k < D; ++k) {
      if (k == n || (mode_ == "plane-strain" && k == (n + 1) % D)) continue;
      model.cell.holds_stress(k, k) = 1;
      model.cell.target(k, k) = confining_;
    }
  }
  void begin(const Model<D>&, State<D>& state) override {
    if (!state.bodies.start.empty()) state.bodies.start = state.bodies.position;
  }
  bool done(const Observation<D>& seen) const override { return reached(seen) >= strain_; }
  double progress(const Observation<D>& seen) const override { return reached(seen) / strain_; }
  double expected_steps(const Model<D>& model, const State<D>& state) const override {
    return strain_ / (speed_.at(model, state, confining_) * state.globals.dt);
  }

 private:
  Real reached(const Observation<D>& seen) const {
    const int n = this->axis;
    return mode_ == "simple" ? seen.tilt((n + 1) % D, n) : seen.strain(n);
  }
  std::string mode_;
  Speed speed_;
  Real confining_, strain_, gain_, servo_;
};

// Mixed control, component by component: a velocity gradient, or a stress that is held, for a number of steps.
template <int D>
class Deform final : public Stage<D> {
 public:
  static std::unique_ptr<Stage<D>> read(Input& in) {
    auto s = std::make_unique<Deform>();
    const std::vector<Real> none(D * D, 0.0);
    s->rate_ =
        in.numbers("rate", dim::rate, Range::any(), D * D, none, "velocity gradient, row by row, extension positive");
    s->holds_ = in.numbers("holds_stress", dim::none, Range::closed(0, 1), D * D, none,
                           "1 for components whose stress is held instead, row by row");
    s->stress_ = in.numbers("stress", dim::pressure, Range::any(), D * D, none,
                            "stress of those components, compression positive");
    s->steps_ = in.integer("steps", 1, 1000000000000, std::nullopt, "steps to run");
    s->traits.exact_steps = s->steps_;
    for (std::size_t k = 0; k < D * D; ++k) {
      if (s->holds_[k] != 0 && s->holds_[k] != 1) in.fail("holds_stress", "entries are 0 or 1", "");
      s->reference_ = std::max(s->reference_, s->holds_[k] * std::abs(s->stress_[k]));
    }
    const bool servo = std::any_of(s->holds_.begin(), s->holds_.end(), [](Real h) { return h != 0; });
    if (!servo) return s;
    if (!(s->reference_ > 0))
      in.fail("stress", "no held component has a stress", "state the stress of the components that holds_stress marks");
    s->servo_rate_ = in.number("servo_rate", dim::rate, Range::positive(), std::nullopt, "fastest answer of the servo");
    s->gain_ = in.number("gain", dim::none, {0, 10, true, false}, 0.05,
                         "relative stress error at which the servo runs at full rate");
    return s;
  }
  void plan(Model<D>& model, const State<D>&) const override {
    model.cell = {};
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D; ++j) {
        const auto k = std::size_t(i * D + j);
        model.cell.holds_stress(i, j) = i32(holds_[k]);
        model.cell.target(i, j) = holds_[k] != 0 ? stress_[k] : rate_[k];
      }
    model.cell.reference = reference_;
    model.cell.rate_max = servo_rate_;
    model.cell.gain = gain_;
  }
  bool done(const Observation<D>& seen) const override { return seen.stage_steps() >= steps_; }
  double progress(const Observation<D>& seen) const override { return double(seen.stage_steps()) / double(steps_); }
  double expected_steps(const Model<D>&, const State<D>&) const override { return double(steps_); }

 private:
  std::vector<Real> rate_, holds_, stress_;
  Real reference_ = 0, servo_rate_ = 0, gain_ = 0.05;
  i64 steps_;
};

}  // namespace

template <int D>
std::vector<StageKind<D>> cell_stages() {
  return {
      {"grow", "grow all grains to full size in a fixed cell", &Grow<D>::read},
      {"squeeze", "shrink the periodic cell at a constant rate until a porosity or a pressure is reached", &Squeeze<D>::read},
      {"isotropic", "isotropic consolidation of the periodic cell to a pressure, until at rest", &Consolidate<D>::read_isotropic},
      {"consolidate", "consolidation of the periodic cell to a stress along each axis, until at rest", &Consolidate<D>::read_general},
      {"overburden", "consolidation of the periodic cell to the stress at a depth under gravity, until at rest", &Consolidate<D>::read_overburden},
      {"shear", "triaxial, plane-strain or simple shear at constant rate", &Shear<D>::read},
      {"deform", "mixed control of the periodic cell: a rate or a stress for each component", &Deform<D>::read},
  };
}

template std::vector<StageKind<2>> cell_stages();
template std::vector<StageKind<3>> cell_stages();

}  // namespace talus::lab
