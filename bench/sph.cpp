// A periodic block of continuum particles in a swirling flow: cost of a step and of its stages.
//   bench_sph EDGE STEPS [THREADS] [water|sand|elastic|total] [--profile] [--ledger]
// EDGE^3 particles, support 2.4 spacings, full mechanics in double: 48 makes 110,592. Fastest motion: a twenty-fifth of the speed of sound,
// so that lists are made anew every ten to fifteen steps. Prints one line: particles, partners of a particle, ms per step (wall), ms per step
// (processor), steps per rebuild, bytes per particle at the peak, state hash. A warm-up of 20 steps comes first.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <talus/exec/host.hpp>
#include <talus/exec/timers.hpp>
#include <talus/measure/state_hash.hpp>
#include <talus/sampling/assemble.hpp>
#include <talus/sph/step.hpp>

using namespace talus;

namespace {

matter::Matter matter_of(const char* word) {
  if (!std::strcmp(word, "water")) return matter::Newtonian{{1000, 25, 0, 0}, 0.05};
  if (std::strcmp(word, "sand")) return matter::Elastic{{1000, 25, 1, 0}, 4e5};
  matter::DruckerPrager d;
  d.volume = {1600, 25, 1, 0};
  d.shear = 4e5;
  d.friction = matter::cone_of("compromise").slope(pi / 6);
  return d;
}

void lay(const sph::Options<3>& o, int edge, Model<3>& model, State<3>& state) {
  const Real dx = o.spacing, length = edge * dx, rest = o.matter[0].volume.density;
  state.globals.cell.h = length * Mat3::identity();
  state.globals.cell.periodic = {1, 1, 1};
  sampling::assemble(model, state, std::vector<sampling::Ball<3>>{}, {});
  Particles<3>& p = state.particles;
  p.resize(std::size_t(edge) * std::size_t(edge) * std::size_t(edge),
           model.kept_columns() | (o.has_solids() ? kept::deviators : 0) | (o.has_total() ? kept::origins : 0));
  for (std::size_t i = 0; i < p.size(); ++i) {
    const std::size_t n = std::size_t(edge);
    const Vec3 x = dx * Vec3{Real(i % n) + 0.5, Real(i / n % n) + 0.5, Real(i / n / n) + 0.5};
    const Real k = 2 * pi / length;
    p.uid[i] = u32(i);
    p.position[i] = x;
    p.velocity[i] = {std::sin(k * x.x) * std::cos(k * x.y), -std::cos(k * x.x) * std::sin(k * x.y), 0};
    p.density[i] = rest * Real(1.005);  // under pressure: sand has strength
    p.mass[i] = p.density[i] * dx * dx * dx;
    if (!p.origin.empty()) p.origin[i] = x;
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return std::fprintf(stderr, "usage: bench_sph EDGE STEPS [THREADS] [water|sand|elastic|total] [--profile] [--ledger]\n"), 2;
  const int edge = std::atoi(argv[1]);
  const i64 steps = std::atoll(argv[2]);
  const char* word = argc > 4 ? argv[4] : "sand";
  bool profile = false, ledger = false;
  for (int k = 5; k < argc; ++k) {
    profile = profile || !std::strcmp(argv[k], "--profile");
    ledger = ledger || !std::strcmp(argv[k], "--ledger");
  }
  if (edge < 8 || steps < 1) return std::fprintf(stderr, "EDGE is at least 8, STEPS at least 1\n"), 2;
  exec::set_threads(argc > 3 ? std::atoi(argv[3]) : 1);
  sph::Options<3> o;
  o.spacing = 0.01;
  o.support = 2.4;
  o.artificial = 0.1;
  o.diffusion = 0.1;
  o.damps = 0.2;
  o.blind = 0.5;
  o.stiffens = 1;
  o.matter.push_back(matter_of(word));
  o.bodies.resize(1);
  o.bodies[0].total = !std::strcmp(word, "total");
  Model<3> model;
  State<3> state;
  sph::Scratch<3> scratch;
  model.options.ledger = ledger;
  lay(o, edge, model, state);
  state.globals.dt = sph::stable_step(o, 1, 1);
  const std::size_t n = state.particles.size();
  u32 status = sph::prepare(o, model, state, scratch).status;
  if (!status) status = sph::advance(o, model, state, scratch, 20).status;
  exec::timers().clear();
  exec::timers().enabled = true;  // eleven readings of the clock in a step
  const double cpu = exec::cpu_time(), wall = exec::now();
  if (!status) status = sph::advance(o, model, state, scratch, steps).status;
  const double cpu_s = exec::cpu_time() - cpu, wall_s = exec::now() - wall;
  if (status) return std::fprintf(stderr, "the run stopped with status %u\n", status), 3;
  u64 rebuilds = 0;
  for (const auto& stage : exec::timers().stages()) rebuilds += stage.label == "rebuild" ? stage.calls : 0;
  std::printf("%zu %.1f %.2f %.2f %.1f %.0f %016llx\n", n, double(scratch.lists.particles.partner.size()) / double(n), 1e3 * wall_s / double(steps),
              1e3 * cpu_s / double(steps), double(steps) / double(rebuilds > 0 ? rebuilds : 1), 1e6 * exec::peak_memory_mb() / double(n),
              static_cast<unsigned long long>(state_hash(state)));
  for (const auto& stage : exec::timers().stages())
    if (profile) std::printf("  %-10.*s %8.3f ms\n", int(stage.label.size()), stage.label.data(), 1e3 * stage.seconds / double(steps));
  return 0;
}
