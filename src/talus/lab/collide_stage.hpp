#pragma once
// One collision of the first body with another or with a wall: from before contact to after it.
#include <algorithm>
#include <cmath>
#include <vector>

#include <talus/lab/stage.hpp>
#include <talus/stages/contact_geometry.hpp>

namespace talus::lab {

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
    if (in.has("velocities")) {
      s->read_velocities(in);
      return s;
    }
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
    for (std::size_t i = 0; i < state.grains(); ++i) {
      const u32 uid = state.bodies.uid[i];
      state.bodies.velocity[i] = !velocities_.empty() ? velocities_[uid]
                                 : two               ? (uid == 0 ? Real(0.5) : Real(-0.5)) * v
                                                     : v;
    }
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
    const auto add = [&](std::string figure, Real value, std::string unit, Definition definition) {
      out.push_back({std::move(figure), parted && std::isfinite(value) ? std::optional<Real>(value) : std::nullopt,
                     std::move(unit), std::move(definition),
                     why.empty() && !std::isfinite(value) ? "approach has no tangential part" : why});
    };
    add("restitution", vn / m.normal, "1", {"normal speed of separation over normal speed of approach", "coefficient of restitution", "e_n"});
    add("delta_max", m.deepest, "m", {"largest overlap over the steps", "largest overlap", "δ_max"});
    add("force_max", m.strongest, "N", {"largest normal force over the steps", "largest normal force", "F_max"});
    add("contact_time", m.last + m.overlap / std::abs(vn) - m.first, "s",
        {"from first touch to separation, both interpolated", "duration of contact", "t_c"});
    add("vt_ratio", m.tangential != 0 ? vt / m.tangential : NAN, "1",
        {"tangential velocity of the centres after over before", "ratio of tangential velocities", "e_t"});
    add("energy_ratio", kinetic(seen.state) / m.kinetic, "1", {"kinetic energy after over before", "ratio of kinetic energies"});
  }

 private:
  void read_velocities(Input& in) {
    for (const char* other : {"speed", "angle"})
      if (in.has(other)) in.fail(other, "velocities state it already", "keep one of the two");
    const auto flat = in.numbers("velocities", dim::speed, Range::any(), 0, std::nullopt,
                                 "vx, vy(, vz) of each grain in turn, instead of speed and angle");
    if (flat.size() != D && flat.size() != 2 * D)
      in.fail("velocities", "there must be one velocity per grain",
              std::to_string(D) + " numbers for a grain and a wall, " + std::to_string(2 * D) + " for two grains");
    for (std::size_t i = 0; i < flat.size(); i += D) {
      Vec<D> v;
      for (int k = 0; k < D; ++k) v[k] = flat[i + std::size_t(k)];
      velocities_.push_back(v);
    }
    // The first starts above the second, or above the wall.
    const Real second = velocities_.size() == 2 ? velocities_[1][D - 1] : 0;
    if (!(velocities_[0][D - 1] < second))
      in.fail("velocities", "the bodies do not approach one another",
              "the first grain starts above: the last component of its velocity is below that of the second");
    this->traits.velocities = velocities_.size();
  }
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
  Real max_time_, speed_ = 0, angle_ = 0;
  std::vector<Vec<D>> velocities_;  // m/s, of each grain; empty: by speed and angle
};

}  // namespace talus::lab
