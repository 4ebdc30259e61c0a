#include <talus/mpm/step.hpp>

#include <cmath>

#include <talus/exec/host.hpp>
#include <talus/exec/timers.hpp>
#include <talus/stages/walls.hpp>

namespace talus::mpm {
namespace {

using continuum::StepReport;
using exec::Host;

template <int D>
Mat3 in_space(const Mat<D>& m) {
  Mat3 out{};
  for (int a = 0; a < D; ++a)
    for (int b = 0; b < D; ++b) out(a, b) = m(a, b);
  return out;
}

// What a particle brings to its nodes: (3).
template <int D>
struct Bring {
  const Particles<D>& p;
  Grid<D> grid;
  Span<Load<D>> loads;
  void operator()(std::size_t i) const {
    Load<D>& l = loads[i];
    l.near = grid.near(p.position[i]);
    l.spline = Spline<D>::of(grid, p.position[i], l.near);
    l.mass = p.mass[i];
    l.velocity = p.velocity[i];
  }
};
template <int D>
struct BringStress {
  const Particles<D>& p;
  Span<Load<D>> loads;
  void operator()(std::size_t i) const {
    Load<D>& l = loads[i];
    const Sym3 stress = (p.deviator.empty() ? Sym3{} : p.deviator[i]) - ball(p.pressure[i]);
    const Real volume = p.mass[i] / p.density[i];
    for (int a = 0; a < D; ++a)
      for (int b = 0; b < D; ++b) l.stress(a, b) = volume * stress(a, b);
  }
};

// Sums of a node over the particles around it: row by row, and in order of uid in each of its bins. No width of vectors and no number of threads
// reaches a bit.
template <int D>
struct Around {
  Grid<D> grid;
  Span<const u32> start, who;
  Span<const Load<D>> loads;

  template <class F>
  void each(std::size_t number, F&& f) const {  // the bins of a row follow one another
    const Vec<D, i64> at = grid.node(number);
    if (!grid.holds(at)) return;
    const i64 rows = D == 2 ? 1 : 3, row = grid.count[0], sheet = D == 2 ? 0 : grid.count[0] * grid.count[1];
    for (i64 z = 0; z < rows; ++z)
      for (i64 y = -1; y <= 1; ++y) {
        const std::size_t middle = std::size_t(i64(number) + y * row + (D == 2 ? 0 : (z - 1) * sheet));
        for (u32 k = start[middle - 1]; k < start[middle + 2]; ++k) {
          const Load<D>& l = loads[who[k]];
          Vec<D, i64> off;
          for (int a = 0; a < D; ++a) off[a] = at[a] - l.near[a] + 1;
          f(l, off);
        }
      }
  }
};

template <int D>
struct Collect {
  Around<D> around;
  Span<Node<D>> nodes;
  void operator()(std::size_t number) const {
    Node<D> node;
    Vec<D> momentum{};
    around.each(number, [&](const Load<D>& l, const Vec<D, i64>& off) {
      const Real share = l.spline.at(off) * l.mass;
      node.mass += share;
      momentum += share * l.velocity;
    });
    if (node.mass > 0) node.before = (1 / node.mass) * momentum;
    nodes[number] = node;
  }
};

template <int D>
struct Push {
  Around<D> around;
  Vec<D> gravity;
  Real dt;  // s
  Span<Node<D>> nodes;
  void operator()(std::size_t number) const {
    Node<D>& node = nodes[number];
    if (!(node.mass > 0)) return;
    Vec<D> force{};
    around.each(number, [&](const Load<D>& l, const Vec<D, i64>& off) { force -= l.stress * l.spline.gradient_at(off); });
    node.velocity = node.before + dt * ((1 / node.mass) * force + gravity);
  }
};

// Back to a particle: (4), (5).
template <int D>
struct Take {
  Real flip;
  Particles<D>& p;
  Grid<D> grid;
  Span<const Load<D>> loads;
  Span<const Node<D>> nodes;
  Vec<D> gravity;
  Real dt;  // s
  void operator()(std::size_t i) const {
    const Load<D>& l = loads[i];
    Vec<D> seen{}, gained{};
    each_around<D>([&](const Vec<D, i64>& off) {
      const Node<D>& node = nodes[grid.beside(l.near, off)];
      const Real w = l.spline.at(off);
      seen += w * node.velocity;
      gained += w * (node.velocity - node.before);
    });
    p.velocity[i] = flip * (p.velocity[i] + gained) + (1 - flip) * seen;
    p.acceleration[i] = (1 / dt) * gained;
    p.position[i] += dt * seen;
    if (p.work.empty()) return;
    p.work[i].gravity += p.mass[i] * dt * dot(gravity, seen);
    p.given[i] += p.mass[i] * dt * gravity;
  }
};

// (6), over half of a step: with the velocities that nodes have before it, and with those that they have behind it.
template <int D>
struct Strain {
  const Options<D>& o;
  Particles<D>& p;
  Grid<D> grid;
  Span<const Load<D>> loads;
  Span<const Node<D>> nodes;
  Vec<D> Node<D>::*velocity;
  Real dt;  // s
  void operator()(std::size_t i) const {
    const Load<D>& l = loads[i];
    Mat<D> gradient{};
    each_around<D>([&](const Vec<D, i64>& off) { gradient += outer(nodes[grid.beside(l.near, off)].*velocity, l.spline.gradient_at(off)); });
    respond(i, gradient);
  }
  void respond(std::size_t i, const Mat<D>& gradient) const {
    const matter::Matter& m = o.matter[p.material[i]];
    const Real rest = m.volume.density, before = p.density[i] / rest;
    const bool remembers = !p.deviator.empty();
    const matter::Memory memory = remembers ? matter::Memory{p.deviator[i], p.plastic_strain[i], p.dilation[i]} : matter::Memory{};
    matter::Deformation by = matter::Deformation::of(in_space(gradient), dt);
    by.before = before;
    const matter::Answer a = m.respond(memory, before / (1 + dt * trace(gradient)), by);
    p.density[i] = a.ratio * rest;
    p.pressure[i] = a.pressure;
    if (remembers) {
      p.deviator[i] = a.memory.deviator;
      p.plastic_strain[i] = a.memory.plastic_strain;
      p.dilation[i] = a.memory.dilation;
    }
    if (p.stored.empty()) return;
    p.stored[i] = p.mass[i] * m.volume.energy(max(a.ratio, a.loosest) * (1 + a.memory.dilation));
    if (!m.is_solid()) return;
    p.sheared[i] = p.mass[i] / rest * contract(a.memory.deviator, a.memory.deviator) / (4 * m.shear_modulus);
    p.work[i].plastic += p.mass[i] / rest * a.plastic;
  }
};

template <int D>
class Stepper {
 public:
  Stepper(const Options<D>& o, const Model<D>& model, State<D>& state, Scratch<D>& s) : s_(s), state_(state), p_(state.particles), g_(state.globals), o_(o), model_(model) {}
  StepReport report;

  void step() {
    sort_into_bins();
    if (report.status != fine) return;
    bring();
    const Real held = kinetic_of_particles(), brought = kinetic_of_nodes(&Node<D>::before);
    strain(&Node<D>::before);
    push();
    const Real taken = meet_walls(), left = kinetic_of_nodes(&Node<D>::velocity);
    take();
    strain(&Node<D>::velocity);
    if (!p_.work.empty()) p_.work[0].viscous += (held - brought) + taken + (left - kinetic_of_particles());  // (7)
    finish();
  }
  void prepare() {
    find_nodes_behind_walls();
    const Strain<D> none{o_, p_, s_.grid, {}, {}, &Node<D>::before, 0};
    Host::for_each(p_.size(), [&](std::size_t i) { none.respond(i, {}); });
    look_at_limits();
  }
  void find_nodes_behind_walls() {
    s_.grid = Grid<D>::of(g_.cell, o_.width());
    s_.behind.clear();
    for (std::size_t n = 0; n < s_.grid.size(); ++n)
      for (std::size_t w = 0; w < model_.walls.size(); ++w) {
        const Surface<D> surface = wall_shape(model_, state_, w).at(s_.grid.place(s_.grid.node(n)) - state_.bodies.position[state_.grains() + w]);
        if (surface.gap <= Real(1e-6) * s_.grid.width) s_.behind.push_back({u32(n), u32(w), o_.slips(model_.walls[w].name) ? 0u : 1u, surface.normal});
      }
  }

 private:
  // (2): a stable sort by the number of the nearest node.
  void sort_into_bins() {
    const exec::Stage timed("bins");
    s_.start.assign(s_.grid.size() + 1, 0);
    for (const Vec<D>& x : p_.position) {
      const Vec<D, i64> near = is_finite(x) ? s_.grid.near(x) : Vec<D, i64>{};
      if (!s_.grid.holds(near)) {
        report.status |= is_finite(x) ? lost_particle : not_finite;
        return;
      }
      ++s_.start[s_.grid.number(near)];
    }
    Host::scan(s_.start.span());
    s_.who.resize_unset(p_.size());
    for (std::size_t i = 0; i < p_.size(); ++i) s_.who[s_.start[s_.grid.number(s_.grid.near(p_.position[i]))]++] = u32(i);
    for (std::size_t n = s_.grid.size(); n > 0; --n) s_.start[n] = s_.start[n - 1];
    s_.start[0] = 0;
  }
  static bool is_finite(const Vec<D>& x) {
    for (int k = 0; k < D; ++k)
      if (!(std::abs(x[k]) < Real(1e9))) return false;
    return true;
  }
  void bring() {
    const exec::Stage timed("to grid");
    s_.loads.resize_unset(p_.size());
    s_.nodes.resize_unset(s_.grid.size());
    Host::for_each(p_.size(), Bring<D>{p_, s_.grid, s_.loads.span()});
    Host::for_each(s_.grid.size(), Collect<D>{around(), s_.nodes.span()});
  }
  void push() {
    const exec::Stage timed("grid");
    Host::for_each(p_.size(), BringStress<D>{p_, s_.loads.span()});
    Host::for_each(s_.grid.size(), Push<D>{around(), g_.gravity, g_.dt, s_.nodes.span()});
  }
  Around<D> around() const { return {s_.grid, s_.start.span(), s_.who.span(), s_.loads.span()}; }
  void strain(Vec<D> Node<D>::*velocity) {
    const exec::Stage timed("matter");
    Host::for_each(p_.size(), Strain<D>{o_, p_, s_.grid, s_.loads.span(), s_.nodes.span(), velocity, g_.dt / 2});
  }
  // A wall at rest takes what goes into it; where nothing slips, all of the velocity of what it presses. Their force: the momentum it takes. Returns
  // the energy it takes, J: that momentum times the mean of the velocities before and after the step, as all forces of a step work.
  Real meet_walls() {
    const exec::Stage timed("walls");
    for (std::size_t w = 0; w < model_.walls.size(); ++w) state_.bodies.force[state_.grains() + w] = {};
    Real energy = 0;
    for (std::size_t k = 0; k < s_.behind.size();) {
      Node<D>& node = s_.nodes[s_.behind[k].node];
      const Vec<D> free = node.velocity;
      for (const u32 number = s_.behind[k].node; k < s_.behind.size() && s_.behind[k].node == number; ++k) meet(s_.behind[k], node);
      energy += Real(0.5) * node.mass * dot(free - node.velocity, node.before + node.velocity);
    }
    return energy;
  }
  void meet(const Behind<D>& b, Node<D>& node) {
    const Real into = -dot(node.velocity, b.normal);
    if (!(node.mass > 0 && into > 0)) return;
    const Vec<D> was = node.velocity;
    node.velocity = b.sticks ? Vec<D>{} : was + into * b.normal;
    const Vec<D> taken = node.mass * (was - node.velocity);
    state_.bodies.force[state_.grains() + b.wall] += (1 / g_.dt) * taken;
    if (!p_.given.empty()) p_.given[0] -= taken;
  }
  void take() {
    const exec::Stage timed("to particles");
    Host::for_each(p_.size(), Take<D>{o_.flip, p_, s_.grid, s_.loads.span(), s_.nodes.span(), g_.gravity, g_.dt});
  }
  Real kinetic_of_particles() const {
    if (p_.work.empty()) return 0;
    return Host::sum<Real>(p_.size(), [&](std::size_t i) { return Real(0.5) * p_.mass[i] * dot(p_.velocity[i], p_.velocity[i]); });
  }
  Real kinetic_of_nodes(Vec<D> Node<D>::*velocity) const {
    if (p_.work.empty()) return 0;
    return Host::sum<Real>(s_.nodes.size(), [&](std::size_t n) {
      const Node<D>& node = s_.nodes[n];
      return Real(0.5) * node.mass * dot(node.*velocity, node.*velocity);
    });
  }
  continuum::Limits look_at_limits() {
    Column<matter::Matter> matter;
    for (const matter::Matter& m : o_.matter) matter.push_back(m);
    const auto seen = Host::reduce<continuum::Limits>(p_.size(), continuum::LookAtLimits<D>::of(p_, std::as_const(matter).span()));
    report.see(seen);
    return seen;
  }
  bool is_behind(const Vec<D>& x) const {
    for (std::size_t w = 0; w < model_.walls.size(); ++w)
      if (wall_shape(model_, state_, w).at(x - state_.bodies.position[state_.grains() + w]).gap < 0) return true;
    return false;
  }
  void finish() {
    const exec::Stage timed("finish");
    report.count_step(g_);
    const auto seen = look_at_limits();
    report.beyond = max(report.beyond, Host::sum<Real>(p_.size(), [&](std::size_t i) { return is_behind(p_.position[i]) ? Real(1) : Real(0); }));
    if (report.status == fine && !(o_.time_step > 0)) g_.dt = stable_step(o_, std::sqrt(seen.speed), std::sqrt(seen.acceleration));
  }

  Scratch<D>& s_;
  State<D>& state_;
  Particles<D>& p_;
  Globals<D>& g_;
  const Options<D>& o_;
  const Model<D>& model_;
};

}  // namespace

template <int D>
StepReport prepare(const Options<D>& o, const Model<D>& model, State<D>& state, Scratch<D>& s) {
  Stepper<D> stepper(o, model, state, s);
  stepper.prepare();
  return stepper.report;
}

template <int D>
void rebuild(const Options<D>& o, const Model<D>& model, State<D>& state, Scratch<D>& s) {
  Stepper<D>(o, model, state, s).find_nodes_behind_walls();
}

template <int D>
StepReport advance(const Options<D>& o, const Model<D>& model, State<D>& state, Scratch<D>& s, i64 steps) {
  Stepper<D> stepper(o, model, state, s);
  for (i64 k = 0; k < steps && stepper.report.status == fine; ++k) stepper.step();
  return stepper.report;
}

#define TALUS_INSTANTIATE(D)                                                                              \
  template StepReport prepare(const Options<D>&, const Model<D>&, State<D>&, Scratch<D>&);                \
  template void rebuild(const Options<D>&, const Model<D>&, State<D>&, Scratch<D>&);                      \
  template StepReport advance(const Options<D>&, const Model<D>&, State<D>&, Scratch<D>&, i64);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

}  // namespace talus::mpm
