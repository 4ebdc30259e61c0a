#include <talus/dem/rebound.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace talus::dem {
namespace {

constexpr Real weakest_damping = 0.4559498107691261;  // share of critical damping that gives 0.2

struct Lightest {
  Real mass = HUGE_VAL, radius = HUGE_VAL;  // kg, m
};

template <int D>
std::vector<Lightest> lightest_of(const Model<D>& model, const State<D>& state) {
  std::vector<Lightest> out(model.materials.size());
  const Bodies<D>& b = state.bodies;
  for (std::size_t i = 0; i < state.grains(); ++i) {
    Lightest& of = out[b.material[i]];
    of.mass = std::min(of.mass, 1 / b.inverse_mass[i]);
    of.radius = std::min(of.radius, b.radius[i]);
  }
  return out;
}

Real together(Real a, Real b) { return b < HUGE_VAL ? 1 / (1 / a + 1 / b) : a; }

}  // namespace

bool ReboundError::is_below(Real bound, Real h, Real speed) const {
  if (!(h * linear <= bound)) return false;
  // Powers by products: a power of the mathematics library has other last bits on other machines.
  const Real way = h * speed, s = h * h * hertz, b2 = bound * bound, b4 = b2 * b2;
  return Real(1.875) * (s * s) * (s * s) * (way * way) <= b4 * b4 * b2;
}

Real ReboundError::step_below(Real bound, Real h, Real speed) const {
  for (int n = 0; n < 1000 && !is_below(bound, h, speed); ++n) h *= Real(0.9);
  return h;
}

Real ReboundError::error(Real h, Real speed) const {
  const Real s = h * h * hertz;
  return weakest * std::max(h * linear, std::pow(Real(1.875) * (s * s) * (s * s) * h * speed * h * speed, Real(0.1)));
}

template <int D>
ReboundError rebound_error(const Model<D>& model, const State<D>& state) {
  ReboundError out;
  const std::vector<Lightest> lightest = lightest_of(model, state);
  for (u32 a = 0; a < model.materials.size(); ++a)
    for (u32 b = 0; b < model.materials.size(); ++b) {
      if (lightest[a].mass == HUGE_VAL) continue;
      const u32 slot = a * model.pairs.materials + b;
      Touch<D> t{};
      t.overlap = 1;
      t.radius = together(lightest[a].radius, lightest[b].radius);
      t.mass = together(lightest[a].mass, lightest[b].mass);
      for_each_law([&]<std::size_t L>() {
        using Law = std::tuple_element_t<L, Laws<D>>;
        if (model.pairs.law[slot] != L) return;
        constexpr bool is_linear = std::is_same_v<Law, Linear<D>> || std::is_same_v<Law, Rolling<Linear<D>>>;
        const auto& p = std::get<L>(model.pairs.constants.of)[model.pairs.params[slot]];
        const Real k = Law::stiffness(p, t), d = Law::dashpot(p, t) / std::sqrt(k * t.mass);
        if (!(d > 0)) return;
        const Real most = weakest_damping * (is_linear ? Real(2) : 2 * std::sqrt(Real(5) / 6));
        const Real over = d / most;
        out.weakest = std::max(out.weakest, over * over);
        const Real damping = std::min(d, most);
        if (is_linear) {
          out.linear = std::max(out.linear, std::sqrt(k / t.mass) * std::max(damping / Real(0.85), Real(0.05)));
        } else {
          const Real f = std::max(damping / Real(2.2), Real(0.025));
          out.hertz = std::max(out.hertz, f * f * std::sqrt(f) * k / t.mass);
        }
      });
    }
  return out;
}

template <int D>
Real closing_speed(const State<D>& state) {
  Real most = 0;
  for (const Vec<D>& v : state.bodies.velocity) most = std::max(most, dot(v, v));
  return 2 * std::sqrt(most);
}

template ReboundError rebound_error(const Model<2>&, const State<2>&);
template ReboundError rebound_error(const Model<3>&, const State<3>&);
template Real closing_speed(const State<2>&);
template Real closing_speed(const State<3>&);

}  // namespace talus::dem
