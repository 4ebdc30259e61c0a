// The common problem of bench/peers: a dense periodic packing in planar extension, Hertz-Mindlin with history.
//   bench_spheres CASE.txt STEPS [SKIN_IN_RADII] [THREADS] [--profile]
// Prints one line: N steps loop_cpu_s loop_wall_s Z P_Pa KE_J rebuilds rss_MB. A warm-up of 100 steps comes first.
#include <sys/resource.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include <talus/dem/step.hpp>
#include <talus/exec/host.hpp>
#include <talus/exec/timers.hpp>
#include <talus/measure/averages.hpp>
#include <talus/measure/energy.hpp>
#include <talus/sampling/assemble.hpp>

using namespace talus;

int main(int argc, char** argv) {
  if (argc < 3) return std::fprintf(stderr, "usage: bench_spheres CASE.txt STEPS [SKIN] [THREADS] [--profile]\n"), 2;
  const i64 steps = std::atoll(argv[2]);
  Model<3> model;
  State<3> state;
  model.options.skin = argc > 3 ? std::atof(argv[3]) : 0.1;
  exec::set_threads(argc > 4 ? std::atoi(argv[4]) : 1);
  const bool profile = argc > 5 && !std::strcmp(argv[5], "--profile");
  model.options.ledger = false;
  model.options.overlap_limit = 1;
  model.materials.push_back({"grain", 2500, 1e8, 0.3, 0.5, 0.5, 0, false});
  const Material& m = model.materials[0];
  model.pairs.resize(1);
  model.pairs.set<0>(
      0, 0, HertzMindlin<3>::make(1 / (2 * m.plane_compliance()), 1 / (2 * m.shear_compliance()), 0.5, 0.5, false));

  std::ifstream file(argv[1]);
  std::size_t n = 0;
  double edge[3];
  if (!(file >> n >> edge[0] >> edge[1] >> edge[2])) return std::fprintf(stderr, "cannot read %s\n", argv[1]), 2;
  Cell<3>& cell = state.globals.cell;
  cell.h = {};
  const double rate[3] = {1, -1, 0};  // 1/s, planar extension about the middle of the box
  for (int k = 0; k < 3; ++k) {
    cell.h(k, k) = edge[k];
    cell.periodic[k] = 1;
    model.cell.target(k, k) = rate[k];
  }
  std::vector<sampling::Ball<3>> balls(n);
  for (auto& b : balls) {
    file >> b.position.x >> b.position.y >> b.position.z >> b.radius >> b.velocity.x >> b.velocity.y >> b.velocity.z;
    for (int k = 0; k < 3; ++k) b.velocity[k] -= rate[k] * (b.position[k] - edge[k] / 2);  // ours are fluctuations
  }
  sampling::assemble(model, state, balls, {});
  dem::Scratch<3> scratch;
  state.globals.dt = 2e-6;
  dem::prepare(model, state, scratch);
  for (int i = 0; i < 100; ++i) dem::step(model, state, scratch);
  const i64 rebuilds = scratch.rebuilds;
  exec::timers().enabled = profile;
  const double cpu = exec::cpu_time(), wall = exec::now();
  u32 status = 0;
  for (i64 i = 0; i < steps; ++i) status |= dem::step(model, state, scratch).status;
  const double cpu_s = exec::cpu_time() - cpu, wall_s = exec::now() - wall;
  if (status) return std::fprintf(stderr, "the run stopped with status %u\n", status), 3;
  const auto contacts = dem::contacts(model, state, scratch);
  const Mat3 stress = measure::stress(contacts, cell.volume());
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  std::printf("%zu %lld %.4f %.4f %.4f %.2f %.6e %lld %.0f\n", n, static_cast<long long>(steps), cpu_s, wall_s,
              measure::coordination(state, contacts).all, trace(stress) / 3, measure::energy(state, contacts).kinetic,
              static_cast<long long>(scratch.rebuilds - rebuilds), double(usage.ru_maxrss) / 1024);
  for (const auto& s : exec::timers().stages())
    std::fprintf(stderr, "%-14s %8.3f s %10.2f us\n", std::string(s.label).c_str(), s.seconds,
                 1e6 * s.seconds / double(s.calls));
  return 0;
}
