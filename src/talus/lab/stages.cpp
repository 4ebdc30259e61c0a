// The list of stages, and those that drive walls or watch single bodies: press, settle and relax, collide, evaluate.
#include <talus/lab/stage.hpp>

#include <algorithm>
#include <cmath>

#include <talus/lab/cell_stages.hpp>
#include <talus/lab/cycle_stage.hpp>
#include <talus/lab/membrane_stages.hpp>
#include <talus/lab/runner.hpp>
#include <talus/stages/contact_geometry.hpp>

namespace talus::lab {

namespace {

// A platen moves into the sample at constant speed, up to a way.
template <int D>
class Press final : public RememberingStage<D, PressMemory> {
 public:
  static std::unique_ptr<Stage<D>> read(Input& in) {
    auto s = std::make_unique<Press>();
    s->traits.shears = true;
    s->traits.platen = in.text("platen", std::nullopt, "which wall: a [boundary.NAME]");
    s->speed_ = in.number("speed", dim::speed, Range::positive(), std::nullopt, "along its normal, into the sample");
    s->ramp_ =
        in.number("ramp", dim::time, Range::not_negative(), 0.0, "time in which it reaches this speed from rest");
    const Range way = in.has("height") ? Range::positive() : Range{0, 1, true, true};  // before it meets the other wall
    s->strain_ = in.number("strain", dim::none, way, std::nullopt, "way of the platen over `height`");
    s->height_ =
        in.number("height", dim::length, Range::not_negative(), 0.0,
                  "length that the strain refers to; 0: from the platen to the wall that faces it, at the start");
    return s;
  }
  void begin(const Model<D>& model, State<D>& state) override {
    const std::size_t wall = find_wall(model, this->traits.platen);
    PressMemory m;
    m.from = wall_position(model, state, wall);
    if (!(height_ > 0)) m.height = distance_to_facing_wall(model, state, wall);
    if constexpr (D == 2)
      if (this->membrane) {
        m.area = cast_rays(model, state).area();
        state.bodies.turn_start = state.bodies.turn;
      }
    remember(state, m);
  }
  void plan(Model<D>& model, const State<D>& state) const override {
    model.cell = {};
    const std::size_t wall = find_wall(model, this->traits.platen);
    if (wall == model.walls.size()) return;  // a scene with such a stage is refused
    WallDrive<D>& drive = model.drives[wall];
    drive.control = WallControl::velocity;
    drive.velocity = speed_ * into_sample(model, state, wall);
    drive.since = state.globals.stage.start_time;
    drive.ramp = ramp_;
    drive.until = 1e300;
  }
  bool done(const Observation<D>& seen) const override { return way(seen) >= strain_ * height(seen.state); }
  double progress(const Observation<D>& seen) const override { return way(seen) / (strain_ * height(seen.state)); }
  double expected_steps(const Model<D>&, const State<D>& state) const override {
    return (strain_ * (height_ > 0 ? height_ : state.globals.cell.h(D - 1, D - 1)) / speed_ + ramp_ / 2) /
           state.globals.dt;
  }

 private:
  Real height(const State<D>& state) const { return height_ > 0 ? height_ : this->memory(state).height; }
  Real way(const Observation<D>& seen) const {
    return wall_position(seen.model, seen.state, find_wall(seen.model, this->traits.platen)) -
           this->memory(seen.state).from;
  }
  Real speed_, ramp_, strain_, height_;
};

// Come to rest: under gravity (settle), in a fixed cell (relax), with whatever the walls do.
template <int D>
class Rest final : public Stage<D> {
 public:
  static std::unique_ptr<Stage<D>> read_settle(Input& in) { return read(in, "settle"); }
  static std::unique_ptr<Stage<D>> read_relax(Input& in) { return read(in, "relax"); }
  static std::unique_ptr<Stage<D>> read(Input& in, std::string_view word) {
    auto s = std::make_unique<Rest>();
    s->settles_ = word == "settle";
    s->unbalanced_ =
        in.number("unbalanced", dim::none, {0, 1, true, false}, 1e-3, "unbalanced force ratio at which the stage ends");
    s->mean_speed_ = in.number("mean_speed", dim::speed, Range::not_negative(), 0.0,
                               "mean speed of the grains below which the stage may end; 0: any");
    s->min_time_ = in.number("min_time", dim::time, Range::not_negative(), 0.0, "shortest duration");
    s->max_time_ = in.number("max_time", dim::time, Range::positive(), 1e300, "longest duration");
    if (word == "relax")
      s->pressure_below_ = in.number("pressure_below", dim::pressure, Range::not_negative(), 0.0,
                                     "the stage also ends when the mean stress has fallen below this; 0: never");
    if (word == "settle")
      s->tolerance_ = in.number("wall_tolerance", dim::none, {0, 1, true, false}, 0.01,
                                "relative error of wall servos at which the stage may end");
    return s;
  }
  bool done(const Observation<D>& seen) const override {
    if (seen.stage_time() >= max_time_) return true;
    if (seen.stage_time() < min_time_ || seen.stage_steps() < control_every) return false;
    if (pressure_below_ > 0 && trace(seen.stress()) / D < pressure_below_) return true;
    if (mean_speed_ > 0 && !(measure::mean_speed(seen.state) < mean_speed_)) return false;
    return (seen.unbalanced() < unbalanced_ || seen.contacts().empty()) && seen.servo_error() < tolerance_ &&
           (!settles_ || !seen.contacts().empty());
  }
  double progress(const Observation<D>& seen) const override {
    if (max_time_ < 1e299) return seen.stage_time() / max_time_;
    const Real u = std::max(seen.unbalanced(), unbalanced_);
    return std::clamp(std::log(u) / std::log(unbalanced_), 0.0, 0.99);
  }

 private:
  bool settles_;
  Real unbalanced_, mean_speed_, min_time_, max_time_, tolerance_ = 0.01, pressure_below_ = 0;
};

// One collision of the first body with another or with a wall: from before contact to after it.
struct CollideMemory {
  Real deepest = 0, strongest = 0;  // overlap, m; normal force, N
  Real first = 0, last = 0;         // touch, s
  Real normal = 0, tangential = 0;  // speed of approach, m/s
  Real kinetic = 0;                 // J, before
  Real overlap = 0;                 // m, at the last touch
  i64 touched = 0, parted = 0;
  auto words() {
    return std::tie(deepest, strongest, first, last, normal, tangential, kinetic, overlap, touched, parted);
  }
};

template <int D>
class Collide final : public RememberingStage<D, CollideMemory> {
 public:
  static std::unique_ptr<Stage<D>> read(Input& in) {
    auto s = std::make_unique<Collide>();
    s->traits.tends_each_step = true;
    s->max_time_ =
        in.number("max_time", dim::time, Range::positive(), std::nullopt, "give up when they have not parted by then");
    s->speed_ = in.number("speed", dim::speed, Range::positive(), std::nullopt, "relative speed of approach");
    s->angle_ =
        in.number("angle", dim::angle, {0, pi / 2, false, true}, 0.0, "between the approach and the line of centres");
    return s;
  }
  void begin(const Model<D>& model, State<D>& state) override {
    CollideMemory m;
    Vec<D> v{};  // of the first body against the second
    v[0] = speed_ * std::sin(angle_);
    v[D - 1] = -speed_ * std::cos(angle_);
    const bool two = state.grains() == 2;
    for (std::size_t i = 0; i < state.grains(); ++i)
      state.bodies.velocity[i] = two ? (state.bodies.uid[i] == 0 ? Real(0.5) : Real(-0.5)) * v : v;
    const auto [vn, vt] = approach(model, state);
    m.normal = -vn;
    m.tangential = vt;
    m.kinetic = kinetic(state);
    remember(state, m);
  }
  void tend(const Observation<D>& seen, State<D>& state) const override {
    CollideMemory m = this->memory(state);
    if (seen.contacts().empty())
      m.parted = m.touched;
    else
      touch_again(seen, m);
    remember(state, m);
  }
  bool done(const Observation<D>& seen) const override {
    return this->memory(seen.state).parted || seen.stage_time() >= max_time_;
  }
  double progress(const Observation<D>& seen) const override { return seen.stage_time() / max_time_; }
  void figures(const Observation<D>& seen, Figures& out) const override {
    const CollideMemory m = this->memory(seen.state);
    const bool parted = m.parted;
    const std::string why = parted ? "" : "the bodies did not part before max_time";
    const auto [vn, vt] = approach(seen.model, seen.state);
    const auto add = [&](std::string figure, Real value, std::string unit, std::string definition) {
      out.push_back({std::move(figure), parted && std::isfinite(value) ? std::optional<Real>(value) : std::nullopt,
                     std::move(unit), std::move(definition),
                     why.empty() && !std::isfinite(value) ? "approach has no tangential part" : why});
    };
    add("restitution", vn / m.normal, "1", "normal speed of separation over normal speed of approach");
    add("delta_max", m.deepest, "m", "largest overlap over the steps");
    add("force_max", m.strongest, "N", "largest normal force over the steps");
    add("contact_time", m.last + m.overlap / std::abs(vn) - m.first, "s",
        "from first touch to separation, both interpolated");
    add("vt_ratio", m.tangential != 0 ? vt / m.tangential : NAN, "1",
        "tangential velocity of the centres after over before");
    add("energy_ratio", kinetic(seen.state) / m.kinetic, "1", "kinetic energy after over before");
  }

 private:
  static void touch_again(const Observation<D>& seen, CollideMemory& m) {
    const auto& c = seen.contacts().front();
    if (!m.touched) {  // first touch lies between the steps: go back by the overlap
      const auto [vn, vt] = approach(seen.model, seen.state);
      m.first = seen.state.globals.time - c.overlap / std::abs(vn);
    }
    m.touched = 1;
    m.deepest = std::max(m.deepest, c.overlap);
    m.strongest = std::max(m.strongest, dot(c.force, c.normal));
    m.last = seen.state.globals.time;
    m.overlap = c.overlap;
  }
  // Relative velocity of body uid 0 against body uid 1 (sphere or wall): along the line of centres, and across it with
  // the sign of the first body's first tangential component.
  static std::pair<Real, Real> approach(const Model<D>& model, const State<D>& state) {
    u32 i = 0, j = 0;
    for (u32 k = 0; k < state.bodies.size(); ++k) {
      if (state.bodies.uid[k] == 0) i = k;
      if (state.bodies.uid[k] == 1) j = k;
    }
    const Contact<D> c = touch(body_view(model, state), i, j, RowKey{0, 1});
    const Vec<D> v = state.bodies.velocity[i] - state.bodies.velocity[j];
    // During a short contact the line of centres hardly turns; the tangent is taken in the plane of first motion.
    const Real vn = dot(v, c.normal);
    const Vec<D> across = v - vn * c.normal;
    Vec<D> along{};
    along[0] = 1;
    const Vec<D> tangent = reject(along, c.normal);
    const Real size = length(tangent);
    return {vn, size > 0 ? dot(across, (1 / size) * tangent) : 0};
  }
  static Real kinetic(const State<D>& state) { return measure::energy(state, ContactList<D>{}).kinetic; }
  Real max_time_, speed_, angle_;
};

// No steps: the forces of the sample as it was placed.
template <int D>
class Evaluate final : public Stage<D> {
 public:
  static std::unique_ptr<Stage<D>> read(Input&) {
    auto s = std::make_unique<Evaluate>();
    s->traits.has_steps = false;
    return s;
  }
  bool done(const Observation<D>&) const override { return true; }
  double progress(const Observation<D>&) const override { return 1; }
  void figures(const Observation<D>& seen, Figures& out) const override {
    const Mat<D>& s = seen.stress();
    out.push_back({"pressure", trace(s) / D, "Pa", "mean normal stress of the contacts, compression positive", ""});
    out.push_back({D == 3 ? "sigma_zz" : "sigma_yy", s(D - 1, D - 1), "Pa", "normal stress along the last axis", ""});
    out.push_back({"sigma_xx", s(0, 0), "Pa", "normal stress along x", ""});
    out.push_back({"force_max", measure::forces(seen.contacts()).most, "N", "largest normal contact force", ""});
    out.push_back({"net_force_max", net(seen), "N", "largest resultant on a grain", ""});
    out.push_back({"Z", measure::coordination(seen.state, seen.contacts()).all, "1", "contacts per grain", ""});
  }

 private:
  static Real net(const Observation<D>& seen) {
    Real most = 0;
    for (std::size_t i = 0; i < seen.state.grains(); ++i) most = std::max(most, length(seen.state.bodies.force[i]));
    return most;
  }
};

}  // namespace

template <int D>
const std::vector<StageKind<D>>& stage_kinds() {
  static const std::vector<StageKind<D>> kinds = [] {
    std::vector<StageKind<D>> all = cell_stages<D>();
    all.push_back(cycle_stage<D>());
    all.insert(all.end(),
               {
                   {"press", "drive a platen into the sample at constant speed", &Press<D>::read},
                   {"trim", "take away grains above a height, and lay a platen on the others", &read_trim<D>},
                   {"confine", "raise the stress of membrane and walls in increments", &read_confine<D>},
                   {"settle", "fall and come to rest under gravity and walls", &Rest<D>::read_settle},
                   {"relax", "come to rest in a fixed cell", &Rest<D>::read_relax},
                   {"collide", "one collision, from before contact to after it", &Collide<D>::read},
                   {"evaluate", "no steps: forces of the sample as placed", &Evaluate<D>::read},
               });
    return all;
  }();
  return kinds;
}

template <int D>
std::unique_ptr<Stage<D>> read_stage(Input& in) {
  std::vector<std::string> words;
  for (const auto& k : stage_kinds<D>()) words.emplace_back(k.word);
  const std::string kind = in.choice("kind", words, std::nullopt, "what the stage does");
  const auto& kinds = stage_kinds<D>();
  const auto it = std::find_if(kinds.begin(), kinds.end(), [&](const auto& k) { return k.word == kind; });
  auto stage = it->read(in);
  stage->kind = kind;
  stage->name = in.text("name", kind, "how the stage is called in the series and the report");
  const std::string axis =
      in.choice("axis", D == 3 ? std::vector<std::string>{"x", "y", "z"} : std::vector<std::string>{"x", "y"},
                D == 3 ? "z" : "y", "axis that q and the axial strain refer to");
  stage->axis = axis[0] - 'x';
  stage->friction_scale = in.number("friction_scale", dim::none, Range::not_negative(), kind == "grow" ? 0.0 : 1.0,
                                    "multiplies every friction coefficient while the stage runs");
  stage->settings.time_step = in.number("time_step", dim::time, Range::not_negative(), 0.0,
                                        "of contact dynamics while the stage runs; 0: that of [impulse]");
  stage->settings.tolerance = in.number("solver_tolerance", dim::none, {0, 1, false, false}, 0.0,
                                        "of the contact solver while the stage runs; 0: that of [impulse]");
  stage->max_steps = in.integer("max_steps", 0, 1000000000000000, 0,
                                "an error stops the run when the stage takes longer; 0: no limit");
  stage->probe_every =
      in.integer("probe_every", 0, 1000000000, 0, "steps between rows of the series; 0: as in [probes]");
  stage->membrane = in.flag("membrane", false, "whether the scene's membrane acts while the stage runs");
  stage->ramp_time = in.number("ramp_time", dim::time, Range::not_negative(), 0.0,
                               "time over which gravity and friction change from the start of the stage");
  if (in.has("gravity")) {
    const auto g = in.numbers("gravity", dim::acceleration, Range::any(), D, std::nullopt,
                              "gravity at the end of ramp_time, and from then on");
    Vec<D> v;
    for (int k = 0; k < D; ++k) v[k] = g[std::size_t(k)];
    stage->gravity = v;
  }
  return stage;
}

#define TALUS_INSTANTIATE(D)                               \
  template const std::vector<StageKind<D>>& stage_kinds(); \
  template std::unique_ptr<Stage<D>> read_stage(Input&);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

}  // namespace talus::lab
