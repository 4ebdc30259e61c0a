#include <talus/simulation/bench_contact.hpp>

#include <talus/contact/coat_laws.hpp>
#include <talus/contact/laws.hpp>
#include <talus/contact/soft_contact.hpp>

namespace talus::simulation {

namespace {

// A law that is solved at the end of the step.
template <class Law>
class Soften : public BenchContact {
 public:
  Soften(typename Law::Params params, PatchTouch<3> touch, Real kelvin) : params_(params), touch_(touch), kelvin_(kelvin) {
    mass = touch.mass;
    step_ = Law::over(params_, {1, kelvin_});  // for the energy before the first step
  }

  Vec3 move(Real dt, const Vec3& velocity) override {
    touch_.overlap = overlap;
    const Vec3 push = Law::advance(step(dt), touch_, velocity, history_);
    closing = -velocity.z;
    overlap += dt * closing;
    return push;
  }
  Real press(Real dt, Real load) override {
    touch_.overlap = overlap;
    Real v = closing;
    for (int k = 0; k < 20; ++k) {  // laws of coats are linear: the first is right
      const Soft<3> soft = Law::soften(step(dt), touch_, {0, 0, -v}, history_);
      v = (mass * closing + dt * (load - soft.a)) / (mass + dt * soft.b);
      if (soft.a + soft.b * v < soft.least) v = closing + dt * (load - soft.least) / mass;
    }
    return move(dt, {0, 0, -v}).z;
  }
  Real stored() const override {
    PatchTouch<3> now = touch_;
    now.overlap = overlap;
    return Law::stored(step_, now, history_);
  }
  const Relaxation* exact() const override { return scale > 0 ? &relaxation_ : nullptr; }
  void tell(const Relaxation& relaxation) { relaxation_ = relaxation; }

 private:
  const typename Law::Step& step(Real dt) {
    if (dt != dt_) step_ = Law::over(params_, {dt, kelvin_}), dt_ = dt;
    return step_;
  }
  typename Law::Params params_;
  typename Law::History history_{};
  typename Law::Step step_{};
  PatchTouch<3> touch_;
  Relaxation relaxation_;
  Real kelvin_, dt_ = -1;
};

// A law that acts in explicit steps.
template <class Law>
class Act : public BenchContact {
 public:
  Act(typename Law::Params params, PatchTouch<3> touch, Real) : params_(params), touch_(touch) { mass = touch.mass; }
  Vec3 move(Real dt, const Vec3& velocity) override {
    closing = -velocity.z;
    overlap += dt * closing;
    return act(dt, velocity);
  }
  Real press(Real dt, Real load) override {
    closing += dt / mass * (load - last_);
    return move(dt, {0, 0, -closing}).z;
  }
  Real stored() const override {
    if (!(overlap > 0)) return 0;
    Touch<3> now = touch_;
    now.overlap = overlap;
    const Stored e = Law::stored(params_, now, history_);
    return e.normal + e.shear;
  }

 private:
  Vec3 act(Real dt, const Vec3& velocity) {
    touch_.overlap = overlap;
    Vec3 push{};
    Audit<3> audit;
    if (overlap > 0)
      push = Law::act(params_, touch_, {velocity, {}, dt, 1}, history_, audit).force;
    else
      history_ = {};
    last_ = push.z;
    return push;
  }
  typename Law::Params params_;
  typename Law::History history_{};
  PatchTouch<3> touch_;
  Real last_ = 0;
};

PatchTouch<3> read_touch(Input& in, bool coat) {
  PatchTouch<3> t;
  t.normal.z = 1;
  t.mass = in.number("mass", dim::mass, Range::positive(), coat ? 1e-3 : 1e-5, "reduced mass of the two grains");
  if (coat) {
    t.area = in.number("area", dim::area, Range::positive(), 0.88e-6, "area of the contact, constant");
    t.thickness = 2 * in.number("coat", dim::length, Range::positive(), 0.44e-3, "thickness of the coat of each grain");
  } else {
    t.radius = in.number("radius", dim::length, Range::positive(), 1e-3, "reduced radius of the two grains");
  }
  return t;
}

template <class Law>
std::unique_ptr<BenchContact> coat(Input& in) {
  const CoatParams params = CoatParams::read(in);
  const PatchTouch<3> touch = read_touch(in, true);
  auto contact = std::make_unique<Soften<Law>>(params, touch, params.temperature);
  contact->scale = touch.area / touch.thickness;
  contact->length = 0.1 * touch.thickness;
  contact->time = 10;
  contact->force = 1;
  contact->tell(Law::Model::relaxation(params.table.at(params.temperature), touch.mass / contact->scale));
  return contact;
}

template <class Law>
std::unique_ptr<BenchContact> bare(Input& in) {
  Material m;
  m.name = "grain";
  m.young = in.number("young", dim::pressure, Range::positive(), 70e9, "Young's modulus of the grains");
  m.poisson = in.number("poisson", dim::none, {-1, 0.5, true, false}, 0.25, "their Poisson's ratio");
  const PairCoefficients c{in.number("friction", dim::none, Range::not_negative(), 0.3, "Coulomb friction"),
                           in.number("restitution", dim::none, Range::closed(0, 1), 0.8, "rebound over impact speed"),
                           in.number("rolling_friction", dim::none, Range::not_negative(), 0.1, "rolling friction")};
  const auto params = Law::mix(in, m, m, c);
  const PatchTouch<3> touch = read_touch(in, false);
  std::unique_ptr<BenchContact> contact;
  if constexpr (std::is_same_v<Law, Linear<3>> || std::is_same_v<Law, HertzMindlin<3>>)
    contact = std::make_unique<Soften<SoftContact<Law>>>(params, touch, 0);
  else
    contact = std::make_unique<Act<Law>>(params, touch, 0);
  Touch<3> pressed = touch;
  pressed.overlap = contact->length = 1e-3 * touch.radius;
  const Real stiffness = Law::stiffness(params, pressed);
  contact->time = 10 * 2 * pi * std::sqrt(touch.mass / stiffness);
  contact->force = stiffness * contact->length / 2;
  return contact;
}

}  // namespace

std::unique_ptr<BenchContact> bench_contact(Input& in, const std::string& law) {
  std::unique_ptr<BenchContact> contact;
  for_each_coat_law([&]<std::size_t L>() {
    using Law = std::tuple_element_t<L, CoatLaws<3>>;
    if (Law::name == law) contact = coat<Law>(in);
  });
  for_each_law([&]<std::size_t L>() {
    using Law = std::tuple_element_t<L, Laws<3>>;
    if (Law::name == law) contact = bare<Law>(in);
  });
  return contact;
}

}  // namespace talus::simulation
