#include <talus/lab/cyclic_stage.hpp>

#include <algorithm>
#include <cmath>

#include <talus/lab/runner.hpp>
#include <talus/lab/speed.hpp>

namespace talus::lab {

namespace {

// The mean of the normal stresses across an axis.
template <int D>
Real mean_across(const Observation<D>& seen) {
  Real sum = 0;
  for (int k = 0; k < D; ++k)
    if (k != seen.axis) sum += seen.stress()(k, k) / (D - 1);
  return sum;
}

template <int D>
class Cyclic final : public RememberingStage<D, CyclicMemory> {
 public:
  static std::unique_ptr<Stage<D>> read(Input& in) {
    auto s = std::make_unique<Cyclic>();
    s->traits.shears = true;
    s->traits.row_per_part = true;
    s->read_mode(in);
    s->read_targets(in);
    s->cycles_ = in.integer("cycles", 1, 1000000, 10, "number of cycles: up to the high target and down to the low one");
    return s;
  }
  StageFlaw flaw(const Model<D>& model, const State<D>& state) const override {
    const char* key = by_stress_ ? "stress" : "strain";
    if (!(high_ > low_)) return {"the second target is not above the first", "state [low, high]", key};
    if (by_stress_ && mode_ == CyclicMode::triaxial && !(confining_ + low_ > 0))
      return {"the axial stress would be tension", "stay above minus the confining stress", key};
    if (by_stress_ && (mode_ == CyclicMode::uniaxial || mode_ == CyclicMode::platen) && !(low_ > 0))
      return {"the low target is not a pressure", "state a positive stress", key};
    if (!by_stress_ && mode_ == CyclicMode::uniaxial && speed_.rate == 0)
      return {"without a stress there is no inertial number to take the speed from", "state rate", "rate"};
    const std::size_t wall = find_wall(model, this->traits.platen);
    if (mode_ == CyclicMode::platen && wall < model.walls.size() && !by_stress_ && !(distance_to_facing_wall(model, state, wall) > 0))
      return {"strain is the travel of the platen over the distance to the wall that faces it, and none does", "state stress = [low, high], or add a wall", "strain"};
    return {};
  }
  void begin(const Model<D>& model, State<D>& state) override {
    CyclicMemory m;
    m.mode = i64(mode_);
    if (mode_ == CyclicMode::platen) {
      const std::size_t wall = find_wall(model, this->traits.platen);
      m.platen = i64(wall);
      m.from = wall_position(model, state, wall);
      m.height = distance_to_facing_wall(model, state, wall);
    }
    remember(state, m);
  }
  void plan(Model<D>& model, const State<D>& state) const override {
    model.cell = {};
    const bool up = this->memory(state).halves % 2 == 0;
    if (mode_ == CyclicMode::platen) return plan_platen(model, state, up);
    const int n = this->axis, k = mode_ == CyclicMode::simple ? (n + 1) % D : n;
    const Real reference = std::max({confining_, std::abs(high_) * by_stress_, std::abs(low_) * by_stress_});
    const Real rate = speed_.at(model, state, reference);
    CellDrive<D>& cell = model.cell;
    cell.reference = reference;
    cell.gain = gain_;
    cell.rate_max = servo_ * rate;
    for (int j = 0; j < D && mode_ != CyclicMode::uniaxial; ++j) {
      if (mode_ == CyclicMode::simple ? j != n : j == n) continue;  // simple shear holds the stress over its plane alone
      cell.holds_stress(j, j) = 1;
      cell.target(j, j) = confining_;
    }
    const Real sign = mode_ == CyclicMode::simple ? -1 : 1;  // compression is negative, a tilt positive
    cell.target(k, n) = (up ? -1 : 1) * sign * rate;
  }
  bool part_done(const Observation<D>& seen) const override {
    const i64 halves = this->memory(seen.state).halves;
    if (halves >= 2 * cycles_) return false;
    const Real now = by_stress_ ? loop_stress(seen) : loop_strain(seen);
    const Real near = 1e-9 * (high_ - low_);
    return halves % 2 == 0 ? now >= high_ - near : now <= low_ + near;
  }
  bool next_part(const Model<D>&, State<D>& state) const override {
    CyclicMemory m = this->memory(state);
    ++m.halves;
    remember(state, m);
    return false;
  }
  bool done(const Observation<D>& seen) const override { return this->memory(seen.state).halves >= 2 * cycles_; }
  double progress(const Observation<D>& seen) const override {
    return double(this->memory(seen.state).halves) / double(2 * cycles_);
  }
  double expected_steps(const Model<D>& model, const State<D>& state) const override {
    if (by_stress_) return 0;
    const Real rate = mode_ == CyclicMode::platen ? platen_speed_ / std::max(distance_to_facing_wall(model, state, find_wall(model, this->traits.platen)), 1e-300)
                                                  : speed_.at(model, state, confining_);
    return double(2 * cycles_) * (high_ - low_) / (rate * state.globals.dt);
  }

 private:
  void read_mode(Input& in) {
    const std::string mode = in.choice("mode", {"triaxial", "uniaxial", "simple", "platen"}, "triaxial",
                                       "triaxial: across the axis the stress is held; uniaxial: the cell keeps its width; simple: simple shear "
                                       "under a held normal stress; platen: by a wall");
    mode_ = mode == "triaxial" ? CyclicMode::triaxial : mode == "uniaxial" ? CyclicMode::uniaxial : mode == "simple" ? CyclicMode::simple : CyclicMode::platen;
    if (mode_ == CyclicMode::platen) {
      this->traits.platen = in.text("platen", std::nullopt, "which wall: a [boundary.NAME]");
      platen_speed_ = in.number("speed", dim::speed, Range::positive(), std::nullopt, "of the platen");
      return;
    }
    speed_ = Speed::read(in, 1e-4);
    if (mode_ == CyclicMode::uniaxial) return;  // it holds nothing
    confining_ = in.number("confining", dim::pressure, Range::positive(), std::nullopt, "stress that is held across the axis (simple: along it)");
    gain_ = in.number("gain", dim::none, {0, 10, true, false}, 0.01, "relative error of the stress that is held at which the servo runs at full rate");
    servo_ = in.number("servo_speed", dim::none, {0, 100, true, false}, 1.0, "fastest answer of that servo, in rates of the test");
  }
  // Two numbers: deviator stress, axial stress of the sample or of the platen, shear stress; or strain.
  void read_targets(Input& in) {
    if (in.has("stress") && in.has("strain")) in.fail("stress", "both stress and strain are given", "state one of stress = [low, high] and strain = [low, high]");
    by_stress_ = in.has("stress");
    const std::vector<Real> targets =
        by_stress_ ? in.numbers("stress", dim::pressure, Range::any(), 2, std::nullopt, "low and high target: deviator stress, in uniaxial and platen axial stress, in simple shear stress")
                   : in.numbers("strain", dim::none, Range::any(), 2, std::nullopt, "low and high target: strain since the stage began (or give stress)");
    low_ = targets[0];
    high_ = targets[1];
  }
  void plan_platen(Model<D>& model, const State<D>& state, bool up) const {
    const std::size_t wall = find_wall(model, this->traits.platen);
    if (wall == model.walls.size()) return;  // a scene with such a stage is refused
    const CyclicMemory m = this->memory(state);
    WallDrive<D>& drive = model.drives[wall];
    drive.control = WallControl::velocity;
    drive.velocity = (up ? platen_speed_ : -platen_speed_) * into_sample(model, state, wall);
    drive.since = drive.ramp = 0;
    const Real way = m.from + (up ? high_ : low_) * m.height - wall_position(model, state, wall);
    drive.until = by_stress_ ? 1e300 : state.globals.time + std::abs(way) / platen_speed_;
  }
  CyclicMode mode_ = CyclicMode::triaxial;
  Speed speed_;
  bool by_stress_ = true;
  Real confining_ = 0, low_ = 0, high_ = 0, gain_ = 0.01, servo_ = 1, platen_speed_ = 0;
  i64 cycles_ = 1;
};

}  // namespace

template <int D>
Real loop_stress(const Observation<D>& seen) {
  const int n = seen.axis;
  const CyclicMemory m = recall<CyclicMemory>(seen.state);
  const auto mode = CyclicMode(m.mode);
  if (mode == CyclicMode::platen) return measure::wall_stress(seen.model, seen.state, std::size_t(m.platen), seen.box());
  if (mode == CyclicMode::simple) return -seen.stress()((n + 1) % D, n);
  return seen.stress()(n, n) - (mode == CyclicMode::triaxial ? mean_across(seen) : Real(0));
}
template <int D>
Real loop_strain(const Observation<D>& seen) {
  const CyclicMemory m = recall<CyclicMemory>(seen.state);
  if (CyclicMode(m.mode) == CyclicMode::simple) return seen.tilt((seen.axis + 1) % D, seen.axis);
  if (CyclicMode(m.mode) != CyclicMode::platen) return seen.strain(seen.axis);
  seen.box();  // walls may have moved on a device
  return (wall_position(seen.model, seen.state, std::size_t(m.platen)) - m.from) / m.height;
}

template <int D>
StageKind<D> cyclic_stage() {
  return {"cyclic", "load and unload between two stresses or two strains, for a number of cycles", &Cyclic<D>::read};
}

#define TALUS_INSTANTIATE(D)                                                             \
  template StageKind<D> cyclic_stage();                                                  \
  template Real loop_stress(const Observation<D>&);                                      \
  template Real loop_strain(const Observation<D>&);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

}  // namespace talus::lab
