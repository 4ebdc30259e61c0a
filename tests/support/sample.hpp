#pragma once
// A sample on the bench: Model, State and Scratch put together by hand and moved by dem::step, with the numbers that
// tests ask for by uid. Nothing here knows scene files.
#include <cmath>
#include <string>
#include <vector>

#include <talus/dem/step.hpp>
#include <talus/measure/averages.hpp>
#include <talus/measure/energy.hpp>
#include <talus/sampling/assemble.hpp>
#include <talus/stages/wall_view.hpp>
#include <talus/contact/laws.hpp>

#include "plausible_input.hpp"

namespace talus::test {

using sampling::Ball;
using sampling::PlacedWall;

// The sand of the reference numbers: G = 3 GPa, nu = 0.3, 2650 kg/m^3.
inline constexpr Real sand_shear_modulus = 3e9, sand_poisson = 0.3, sand_density = 2650, sand_radius = 0.105e-3;

inline Material sand(Real friction = 0.275, Real restitution = 1) {
  Material m;
  m.name = "sand";
  m.density = sand_density;
  m.young = 2 * (1 + sand_poisson) * sand_shear_modulus;
  m.poisson = sand_poisson;
  m.friction = friction;
  m.restitution = restitution;
  return m;
}

// Constants of a law between two materials; a choice may differ from the law's default.
template <class Law>
typename Law::Params mix(const Material& a, const Material& b, const PairCoefficients& c,
                         std::vector<std::pair<std::string, std::string>> chosen = {}) {
  PlausibleInput in;
  in.chosen = std::move(chosen);
  return Law::mix(in, a, b, c);
}

template <int D>
struct Sample {
  Model<D> model;
  State<D> state;
  dem::StepOptions options;
  dem::Scratch<D> scratch;
  u32 status = 0;        // all status bits so far
  Real overlap_max = 0;  // largest overlap over the smaller radius so far

  explicit Sample(std::vector<Material> materials = {sand()}) {
    model.materials = std::move(materials);
    model.pairs.resize(u32(model.materials.size()));
  }

  template <class Law>
  void set_law(u32 a, u32 b, const typename Law::Params& params) {
    model.pairs.template set<law_index<Law>>(a, b, params);
  }
  // One law between all materials, with the coefficients mixed from them.
  template <class Law>
  void set_law(std::vector<std::pair<std::string, std::string>> chosen = {}) {
    for (u32 a = 0; a < model.materials.size(); ++a)
      for (u32 b = a; b < model.materials.size(); ++b)
        set_law<Law>(a, b,
                     mix<Law>(model.materials[a], model.materials[b],
                              mix_coefficients(model.materials[a], model.materials[b], "geometric"), chosen));
  }
  void set_box(const Vec<D>& edges, bool periodic = true) {
    state.globals.cell.h = {};
    for (int k = 0; k < D; ++k) {
      state.globals.cell.h(k, k) = edges[k];
      state.globals.cell.periodic[k] = periodic;
    }
  }
  void assemble(const std::vector<Ball<D>>& balls, const std::vector<PlacedWall<D>>& walls = {}) {
    sampling::assemble(model, state, balls, walls);
    scratch = {};
  }
  void set_rate(const Mat<D>& rate) {
    model.cell.target = rate;
    model.cell.holds_stress = {};
  }

  void prepare() { note(dem::prepare(model, options, state, scratch)); }
  void step() { note(dem::step(model, options, state, scratch)); }
  void run(i64 steps) {
    for (i64 n = 0; n < steps; ++n) step();
  }
  void note(const dem::StepReport& report) {
    status |= report.status;
    overlap_max = std::max(overlap_max, report.overlap);
  }

  std::size_t index(u32 uid) const {
    for (std::size_t i = 0; i < state.bodies.size(); ++i)
      if (state.bodies.uid[i] == uid) return i;
    return ~std::size_t(0);
  }
  Vec<D>& position(u32 uid) { return state.bodies.position[index(uid)]; }
  Vec<D>& velocity(u32 uid) { return state.bodies.velocity[index(uid)]; }
  Spin<D>& spin(u32 uid) { return state.bodies.spin[index(uid)]; }
  Vec<D> force(u32 uid) const { return state.bodies.force[index(uid)]; }
  Spin<D> torque(u32 uid) const { return state.bodies.torque[index(uid)]; }
  Real mass(u32 uid) const { return state.bodies.mass[index(uid)]; }

  ContactList<D> contacts() const { return dem::contacts(model, state, scratch); }
  Mat<D> stress() const { return measure::stress(contacts(), sample_volume(model, state)); }
  measure::Energy energy() const { return measure::energy(state, contacts()); }
  Vec<D> momentum() const {
    Vec<D> sum;
    for (std::size_t i = 0; i < state.grains(); ++i) sum += state.bodies.mass[i] * state.bodies.velocity[i];
    return sum;
  }
  Real kinetic() const {
    const Bodies<D>& b = state.bodies;
    Real sum = 0;
    for (std::size_t i = 0; i < state.grains(); ++i) {
      sum += 0.5 * b.mass[i] * dot(b.velocity[i], b.velocity[i]);
      if (b.inverse_inertia[i] > 0) sum += 0.5 / b.inverse_inertia[i] * dot(b.spin[i], b.spin[i]);
    }
    return sum;
  }
};

template <int D>
PlacedWall<D> wall(const Vec<D>& point, const Vec<D>& normal, u32 material = 0) {
  PlacedWall<D> p;
  p.name = "wall";
  p.position = point;
  p.shape = WallPlane<D>::facing(normal);
  p.material = material;
  return p;
}

// Six walls (four in the plane) around the box from the origin to `size`, normals inwards; order: low, high of x, y, z.
template <int D>
std::vector<PlacedWall<D>> box_walls(const Vec<D>& size, u32 material = 0) {
  std::vector<PlacedWall<D>> walls;
  for (int k = 0; k < D; ++k)
    for (const bool high : {false, true}) {
      Vec<D> point{}, normal{};
      point[k] = high ? size[k] : 0;
      normal[k] = high ? -1 : 1;
      PlacedWall<D> p = wall(point, normal, material);
      p.name = std::string(high ? "high" : "low") + char('x' + k);
      p.drive.axis = k;
      for (int q = 0; q < D; ++q) {
        p.drive.low[q] = 2 * q;
        p.drive.high[q] = 2 * q + 1;
      }
      walls.push_back(p);
    }
  return walls;
}

// h_n of a pair of equal spheres of sand, N/m^1.5: 2 G sqrt(2 R~) / (3 (1 - nu)), R~ = R for equal spheres.
inline Real hertz_constant(Real radius) {
  return 2 * sand_shear_modulus * std::sqrt(2 * radius) / (3 * (1 - sand_poisson));
}

}  // namespace talus::test
