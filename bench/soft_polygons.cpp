// The explicit method on random dodecagons: squeezed in a periodic cell to two contacts a grain, then sheared at constant volume.
//   bench_soft_polygons [GRAINS] [STEPS] [THREADS] [--profile]
// Prints: grains, steps, microseconds a grain-step, contacts and close pairs a grain, pressure over stiffness, searches.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include <talus/contact/laws.hpp>
#include <talus/core/rng.hpp>
#include <talus/dem/polygons.hpp>
#include <talus/exec/host.hpp>
#include <talus/exec/timers.hpp>
#include <talus/sampling/assemble.hpp>
#include <talus/sampling/polygons.hpp>

using namespace talus;

int main(int argc, char** argv) {
  const int grains = argc > 1 ? std::atoi(argv[1]) : 5000;
  const i64 steps = argc > 2 ? std::atoll(argv[2]) : 2000;
  exec::set_threads(argc > 3 ? std::atoi(argv[3]) : 1);
  const bool profile = argc > 4 && !std::strcmp(argv[4], "--profile");
  const Real k = 1e4;
  Model<2> model;
  State<2> state;
  model.materials = {{"grain", 1, 0, 0, 0.5, 0.5, 0, false}};
  model.pairs.resize(1);
  model.pairs.set<law_index<Linear<2>>>(0, 0, {k, 0.5 * k, damping_ratio(0.3), 0.5});
  model.options.skin = 0.2;
  Rng rng{1, 0, 0};
  i64 drawn = 0;
  const int across = int(std::ceil(std::sqrt(Real(grains))));
  std::vector<sampling::Block> blocks(std::size_t(across) * std::size_t(across));
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    blocks[i].shape = sampling::random_polygon({1, 12, 1, 1, 10, 0}, rng, drawn);
    blocks[i].position = {1.2 * (Real(i % std::size_t(across)) + 0.5), 1.2 * (Real(i / std::size_t(across)) + 0.5)};
    blocks[i].angle = rng.uniform(0, 2 * pi);
    blocks[i].velocity = {rng.uniform(-1, 1), rng.uniform(-1, 1)};
  }
  sampling::assemble(model, state, blocks, {});
  Cell<2>& cell = state.globals.cell;
  for (int d = 0; d < 2; ++d) {
    cell.h(d, d) = 1.2 * across;
    cell.periodic[d] = 1;
    model.cell.target(d, d) = -0.05;
  }
  const dem::StepOptions options{.local_damping = 0.3};
  dem::polygons::Scratch s;
  state.globals.dt = 1e-3;
  dem::polygons::prepare(model, options, state, s);
  const auto pressure = [&] { return trace(state.globals.virial) / 2 / cell.volume() / k; };
  const auto contacts = [&] { return Real(dem::polygons::contacts(model, state, s).size()) / Real(state.grains()); };
  while (contacts() < 2)
    if (dem::polygons::step(model, options, state, s, 50).status) return std::fprintf(stderr, "squeezing failed\n"), 1;
  model.cell.target = {};
  dem::polygons::step(model, options, state, s, 2000);
  model.cell.target(0, 1) = 0.02;
  exec::timers().enabled = profile;
  const i64 searches = s.pairs.searches;
  const double start = exec::now();
  const std::clock_t begin = std::clock();
  if (dem::polygons::step(model, options, state, s, steps).status) return std::fprintf(stderr, "shear failed\n"), 1;
  const double took = exec::now() - start, cpu = Real(std::clock() - begin) / CLOCKS_PER_SEC;
  const Real number = Real(state.grains());
  std::printf("%zu %lld %.3f us (%.3f of processor)  %.2f contacts  %.2f pairs  p/k %.2g  %lld searches\n",
              state.grains(), (long long)steps, 1e6 * took / number / Real(steps), 1e6 * cpu / number / Real(steps),
              contacts(), Real(s.pairs.key.size()) / number, pressure(), (long long)(s.pairs.searches - searches));
  for (const auto& stage : exec::timers().stages())
    std::printf("  %-10s %.3f us\n", std::string(stage.label).c_str(), 1e6 * stage.seconds / number / Real(steps));
}
