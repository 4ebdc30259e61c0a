#include <talus/lab/coat_stage.hpp>

#include <algorithm>
#include <cmath>

#include <talus/contact/coat_law.hpp>

namespace talus::lab {

namespace {

template <int D>
class CoatStage final : public RememberingStage<D, CoatState> {
 public:
  explicit CoatStage(const CoatTest& test) : test_(test), exact_(test.closed_form()), drive_(coat_driver(test)) {
    this->traits.may_ramp = false;
    this->traits.tends_each_step = true;
    this->traits.needs_contacts = false;
  }

  static std::unique_ptr<Stage<D>> read(Input& in) {
    CoatTest t;
    t.variant = in.choice("variant", coat_variants(), "original", "model of the mortar");
    const CoatParams coat = CoatParams::read(in);
    t.constants = coat.table.at(coat.temperature);
    t.tension_limit = coat.tension_limit;
    const char* no_use = "leave it out";
    if (coat.elongation > 0) in.fail("elongation", "the coats do not part in this test", no_use);
    if (coat.lateral > 0) in.fail("lateral_viscosity", "nothing slides in this test", no_use);
    if (coat.friction > 0) in.fail("coat_friction", "nothing slides in this test", no_use);
    t.mass = in.number("mass", dim::mass, Range::positive(), std::nullopt, "reduced mass of the two grains");
    t.area = in.number("area", dim::area, Range::positive(), std::nullopt, "area of the contact, constant");
    t.thickness = 2 * in.number("coat", dim::length, Range::positive(), std::nullopt, "thickness of the coat of each grain");
    t.force = in.number("force", dim::force, Range::positive(), std::nullopt, "that presses the grains together");
    t.speed = in.number("velocity", dim::speed, {-std::numeric_limits<Real>::infinity(), 0, false, true}, std::nullopt,
                        "of closing when the grains are drawn apart: negative");
    t.t2 = in.number("t2", dim::time, Range::positive(), std::nullopt, "when the grains are drawn apart");
    t.t3 = in.number("t3", dim::time, Range::positive(), std::nullopt, "end of the test");
    t.dt = in.number("dt", dim::time, Range::positive(), std::nullopt, "step of the law");
    t.errors_from = in.number("errors_from", dim::time, Range::not_negative(), 10.0, "time from which errors count: before it inertia matters, which the closed form leaves out");
    return std::make_unique<CoatStage>(t);
  }

  StageFlaw flaw(const Model<D>&, const State<D>& state) const override {
    const CoatTest& t = test_;
    const Real part = t.t2 - t.thickness / t.speed;
    if (state.grains() != 2) return {"the test has two grains; the scene has " + std::to_string(state.grains()), "see scenes/burgers-check.toml"};
    if (!(t.force < t.constants.maxwell_stiffness * t.area))
      return {"the springs alone give way by more than the coats are thick", "press less, or state a larger area", "force"};
    if (!(t.t2 > exact_.t1()))
      return {"the grains touch after " + std::to_string(exact_.t1()) + " s only, by the closed form", "draw them apart later than that", "t2"};
    if (!(t.t3 > t.t2)) return {"the test ends before the grains are drawn apart", "set t3 > t2", "t3"};
    if (!(t.t3 < part)) return {"the coats part before", "end before t2 + 2 coat / |velocity|, " + std::to_string(part) + " s", "t3"};
    return {};
  }
  void begin(const Model<D>&, State<D>& state) override {
    remember(state, CoatState{});
    place(state, 0);
  }
  void tend(const Observation<D>& seen, State<D>& state) const override {
    CoatState s = recall<CoatState>(state);
    drive_(s, std::min(test_.steps(), i64(std::floor(seen.stage_time() / test_.dt + 1e-6))));
    remember(state, s);
    place(state, s.overlap);
  }
  bool done(const Observation<D>& seen) const override { return recall<CoatState>(seen.state).steps >= test_.steps(); }
  double progress(const Observation<D>& seen) const override { return seen.stage_time() / test_.t3; }
  double expected_steps(const Model<D>&, const State<D>& state) const override { return test_.t3 / state.globals.dt; }

  void figures(const Observation<D>& seen, Figures& out) const override {
    const CoatState s = recall<CoatState>(seen.state);
    out.push_back({"t1_s", s.touched >= 0 ? std::optional<Real>(s.touched) : std::nullopt, "s",
                   {"time at which the overlap of the coats equals their thickness: the grains touch", "time of touch", "t_1"},
                   s.touched >= 0 ? "" : "the grains did not touch before t2"});
    out.push_back({"t1_exact_s", exact_.t1(), "s", {"the same by Burgers' model in closed form, without inertia", "time of touch, closed form", "t_1e"}, ""});
    out.push_back({"u_err_max", s.overlap_error, "m",
                   {"largest difference of the overlap from the closed form, over all steps from errors_from on", "largest error of the overlap", "e_u"}, ""});
    out.push_back({"F_err_max", s.force_error, "N",
                   {"largest difference of the force of the coats from the closed form, over all steps from errors_from on", "largest error of the force", "e_F"}, ""});
  }

  const CoatTest& test() const { return test_; }
  const ThreePhase& exact() const { return exact_; }

 private:
  void place(State<D>& state, Real overlap) const {
    Bodies<D>& b = state.bodies;
    const std::size_t first = b.uid[0] < b.uid[1] ? 0 : 1, second = 1 - first;
    b.position[second] = b.position[first];
    b.position[second][0] += b.radius[0] + b.radius[1] + (test_.thickness - overlap);
  }

  CoatTest test_;
  ThreePhase exact_;
  std::function<void(CoatState&, i64)> drive_;
};

template <int D>
const CoatStage<D>* coat_stage_of(const Experiment<D>& x) {
  for (const auto& s : x.stages)
    if (const auto* found = dynamic_cast<const CoatStage<D>*>(s.get())) return found;
  return nullptr;
}

}  // namespace

template <int D>
StageKind<D> coat_stage() {
  return {"coat-test", "press two coated grains together, hold them, draw them apart: a law of a coat by itself", &CoatStage<D>::read};
}

template <int D>
ChannelGroup<D> coat_channels() {
  using Seen = Observation<D>;
  return {[](const Experiment<D>& x) -> Channels<D> {
            const CoatStage<D>* stage = coat_stage_of(x);
            const Real dt = stage ? stage->test().dt : NAN;
            const ThreePhase exact = stage ? stage->exact() : ThreePhase({});
            const auto at = [](const Seen& s) { return recall<CoatState>(s.state); };
            const auto time = [dt, at](const Seen& s) { return Real(at(s).steps) * dt; };
            return {{"coat_time", "s", "time of the last step of the law", time},
                    {"coat_overlap", "m", "overlap of the coats of two grains", [at](const Seen& s) { return at(s).overlap; }},
                    {"coat_overlap_exact", "m", "the same by Burgers' model in closed form, without inertia",
                     [exact, time](const Seen& s) { return exact.overlap_at(time(s)); }},
                    {"coat_force", "N", "force of the coats, compression positive", [at](const Seen& s) { return at(s).force; }},
                    {"coat_force_exact", "N", "the same by Burgers' model in closed form, without inertia",
                     [exact, time](const Seen& s) { return exact.force_at(time(s)); }}};
          },
          "a stage coat-test", [](const Experiment<D>& x) { return coat_stage_of(x) != nullptr; }};
}

template StageKind<2> coat_stage();
template StageKind<3> coat_stage();
template ChannelGroup<2> coat_channels();
template ChannelGroup<3> coat_channels();

}  // namespace talus::lab
