// The common problem of bench/peers: a dense periodic packing in planar extension, Hertz-Mindlin with history.
//   bench_spheres CASE.txt STEPS [SKIN_IN_RADII] [THREADS] [--profile] [--replicate NX,NY,NZ] [--device] [--model NAME]
// --model: contacts of a grain feel one another (multi_contact.model of a scene); Poisson's ratio is 0.5 then, and also for
// the model "independent", so that the two can be compared.
// --replicate sets the case NX x NY x NZ times side by side: a text file of a million spheres would take longer to write
// and read than the run.
// Prints one line: N steps loop_cpu_s loop_wall_s Z P_Pa KE_J rebuilds rss_MB, and on a device bytes of
// device memory per sphere and the state hash. A warm-up of 100 steps comes first.
#include <sys/resource.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>

#include <talus/dem/device.hpp>
#include <talus/dem/step.hpp>
#include <talus/exec/host.hpp>
#include <talus/exec/timers.hpp>
#include <talus/measure/state_hash.hpp>
#include <talus/sampling/assemble.hpp>
#include <talus/stages/contact_geometry.hpp>

using namespace talus;

int main(int argc, char** argv) {
  if (argc < 3)
    return std::fprintf(stderr,
                        "usage: bench_spheres CASE.txt STEPS [SKIN] [THREADS] [--profile] [--replicate NX,NY,NZ]\n"),
           2;
  const i64 steps = std::atoll(argv[2]);
  Model<3> model;
  State<3> state;
  model.options.skin = argc > 3 ? std::atof(argv[3]) : 0.1;
  exec::set_threads(argc > 4 ? std::atoi(argv[4]) : 1);
  bool profile = false, device = false;
  std::string multi_contact;
  int copies[3] = {1, 1, 1};
  for (int k = 5; k < argc; ++k) {
    if (!std::strcmp(argv[k], "--profile"))
      profile = true;
    else if (!std::strcmp(argv[k], "--device"))
      device = true;
    else if (!std::strcmp(argv[k], "--model") && k + 1 < argc)
      multi_contact = argv[++k];
    else if (std::strcmp(argv[k], "--replicate") || ++k == argc ||
             std::sscanf(argv[k], "%d,%d,%d", &copies[0], &copies[1], &copies[2]) != 3)
      return std::fprintf(stderr, "cannot read the option %s\n", argv[k < argc ? k : argc - 1]), 2;
  }
  model.options.ledger = false;
  model.options.overlap_limit = 1;
  model.materials.push_back({"grain", 2500, 1e8, 0.3, 0.5, 0.5, 0, false});
  if (!multi_contact.empty()) {
    const auto names = multi_contact_names();
    std::size_t kind = 0;
    while (kind < names.size() && names[kind] != multi_contact) ++kind;
    if (kind == names.size()) return std::fprintf(stderr, "there is no model %s\n", multi_contact.c_str()), 2;
    model.materials[0].poisson = 0.5;
    model.multi_contact.kind = MultiContactKind(kind);
    model.multi_contact.gamma = model.multi_contact.kind == MultiContactKind::multi_contact ? 1.19 : 1;
    model.multi_contact.reach = 0.06;  // displacements stay below it, or the run stops
    model.multi_contact.prepare(model.materials);
  }
  const Material& m = model.materials[0];
  model.pairs.resize(1);
  model.pairs.set<law_index<HertzMindlin<3>>>(
      0, 0, HertzMindlin<3>::make(1 / (2 * m.plane_compliance()), 1 / (2 * m.shear_compliance()), 0.5, 0.5, false));

  std::ifstream file(argv[1]);
  std::size_t n = 0;
  double edge[3];
  if (!(file >> n >> edge[0] >> edge[1] >> edge[2])) return std::fprintf(stderr, "cannot read %s\n", argv[1]), 2;
  Cell<3>& cell = state.globals.cell;
  cell.h = {};
  const double rate[3] = {1, -1, 0};  // 1/s, planar extension about the middle of the box
  for (int k = 0; k < 3; ++k) {
    cell.h(k, k) = copies[k] * edge[k];
    cell.periodic[k] = 1;
    model.cell.target(k, k) = rate[k];
  }
  std::vector<sampling::Ball<3>> balls(n);
  for (auto& b : balls) {
    file >> b.position.x >> b.position.y >> b.position.z >> b.radius >> b.velocity.x >> b.velocity.y >> b.velocity.z;
    for (int k = 0; k < 3; ++k) b.velocity[k] -= rate[k] * (b.position[k] - edge[k] / 2);  // ours are fluctuations
  }
  // Each copy takes the fluctuations of the original in another order, so that copies do not move alike.
  const std::size_t base = n, total = base * std::size_t(copies[0]) * std::size_t(copies[1]) * std::size_t(copies[2]);
  balls.reserve(total);
  for (; n < total; ++n) {
    const std::size_t copy = n / base, i = n % base;
    sampling::Ball<3> b = balls[i];
    b.velocity = balls[(i + 997 * copy) % base].velocity;
    b.position.x += edge[0] * double(copy % std::size_t(copies[0]));
    b.position.y += edge[1] * double(copy / std::size_t(copies[0]) % std::size_t(copies[1]));
    b.position.z += edge[2] * double(copy / std::size_t(copies[0] * copies[1]));
    balls.push_back(b);
  }
  sampling::assemble(model, state, balls, {});
  std::vector<sampling::Ball<3>>().swap(balls);  // its memory is not the engine's
  dem::Scratch<3> scratch;
  state.globals.dt = 2e-6;
  dem::prepare(model, {}, state, scratch);
  std::unique_ptr<dem::Device<3>> gpu;
  if (device) {
    gpu = std::make_unique<dem::Device<3>>();
    gpu->upload(model, {}, state);
  }
  const auto run = [&](i64 count) {
    if (gpu) return gpu->advance(count).status;
    return dem::step(model, {}, state, scratch, count).status;
  };
  u32 status = run(100);
  const i64 rebuilds = gpu ? gpu->rebuilds() : scratch.rebuilds;
  exec::timers().clear();
  exec::timers().enabled = profile;
  const double cpu = exec::cpu_time(), wall = exec::now();
  status |= run(steps);
  const double cpu_s = exec::cpu_time() - cpu, wall_s = exec::now() - wall;
  if (status) return std::fprintf(stderr, "the run stopped with status %u\n", status), 3;
  double bytes = 0;
  if (gpu) {
    bytes = double(gpu->bytes());
    gpu->download(state, scratch);
  }
  // Pressure and coordination straight from the rows: a list of contacts would be the largest thing in memory.
  const BodyView<3> bodies = body_view(model, state);
  const auto& rows = state.rows_of<0>();
  double touching = 0, virial = 0, kinetic = 0;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const auto c = touch(bodies, scratch.index[0].body_a[r], scratch.index[0].body_b[r], rows.key[r]);
    if (!(c.overlap + (rows.displacement.empty() ? 0 : rows.displacement[r].a + rows.displacement[r].b) > 0)) continue;
    ++touching;
    virial += dot(dem::force_of(scratch, r), c.branch);
  }
  const Bodies<3>& b = state.bodies;
  for (std::size_t i = 0; i < b.size(); ++i)
    kinetic +=
        0.5 * b.mass[i] * dot(b.velocity[i], b.velocity[i]) + 0.5 / b.inverse_inertia[i] * dot(b.spin[i], b.spin[i]);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  std::printf("%zu %lld %.4f %.4f %.4f %.2f %.6e %lld %.0f", n, static_cast<long long>(steps), cpu_s, wall_s,
              2 * touching / double(n), virial / (3 * cell.volume()), kinetic,
              static_cast<long long>(scratch.rebuilds - rebuilds), double(usage.ru_maxrss) / 1024);
  if (gpu) std::printf(" %.0f %016llx", bytes / double(n), static_cast<unsigned long long>(state_hash(state)));
  std::printf("\n");
  for (const auto& s : exec::timers().stages())
    std::fprintf(stderr, "%-14s %8.3f s %10.2f us\n", std::string(s.label).c_str(), s.seconds,
                 1e6 * s.seconds / double(s.calls));
  return 0;
}
