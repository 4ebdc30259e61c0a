// Rigid polygons under contact dynamics: the problem of bench/rigid2d.
//   bench_rigid2d settle CORNERS GRAINS SEED REST.txt SHEAR.txt
//     lets random polygons come to rest in a box, then shears them for a while; writes both cases
//   bench_rigid2d run CASE.txt TOLERANCE WARM_UP STEPS [THREADS] [none|careful|momentum]
//     a line for each step: processor time, wall time, sweeps, points, residual, points that push, 1 if not solved
//   bench_rigid2d residual PROBLEM.bin
//     a line for each step that another engine wrote: residual, points, points that push
//   bench_rigid2d memory GRAINS STEPS
//     resident memory in kB after a tenth of the steps and after all, in a box whose gravity turns
// A case is text, SI units: grains, friction, step, gravity; four walls as point, normal, velocity; of each grain mass,
// moment of inertia, place, angle, velocity, spin, number of corners, and corners about its centre of mass.
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iomanip>
#include <stdexcept>
#include <string>

#include <talus/exec/pool.hpp>
#include <talus/exec/timers.hpp>
#include <talus/impulse/step.hpp>
#include <talus/sampling/assemble.hpp>
#include <talus/sampling/placement.hpp>
#include <talus/sampling/polygons.hpp>
#include <talus/stages/walls.hpp>

using namespace talus;

namespace {

constexpr Real density = 5000, friction = 0.5, gravity = 0.1, dt = 1.0 / 60;  // as in Pytlos, Gilbert & Smith 2015

struct Sample {
  Model<2> model;
  State<2> state;
  impulse::StepOptions options;
  impulse::Scratch scratch;
  std::vector<sampling::Block> blocks;
  std::vector<sampling::PlacedWall<2>> planes;

  Sample() {
    model.options.ledger = false;
    model.options.overlap_limit = 1;
    model.materials = {{"grain", density, 0, 0, friction, 0, 0, true}};
    model.pairs.resize(1);
    state.globals.dt = dt;
    state.globals.gravity = {0, -gravity};
  }
  void wall(const char* name, const Vec2& point, const Vec2& normal, const Vec2& velocity = {}) {
    planes.push_back({name, point, WallPlane<2>::facing(normal), 0, {}});
    drive(planes.size() - 1, velocity);
  }
  void drive(std::size_t w, const Vec2& velocity) {
    WallDrive<2>& d = w < model.drives.size() ? model.drives[w] : planes[w].drive;
    d.control = WallControl::velocity;
    d.velocity = velocity;
  }
  void drop_top(Real height) {
    state.bodies.position[wall_body(3)].y = height;
    scratch.pairs.valid = false;
  }
  void box(const Vec2& size) {
    wall("left", {0, 0}, {1, 0});
    wall("right", {size.x, 0}, {-1, 0});
    wall("bottom", {0, 0}, {0, 1});
    wall("top", {0, size.y}, {0, -1});
  }
  void assemble(Real mu, const Vec2& size) {
    model.pairs.set(0, 0, PairCoefficients{mu, 0, 0});
    for (int k = 0; k < 2; ++k) {
      state.globals.cell.h(k, k) = size[k];
      state.globals.cell.periodic[k] = 0;
    }
    sampling::assemble(model, state, blocks, planes);
  }
  std::size_t wall_body(std::size_t w) const { return state.grains() + w; }

  impulse::StepReport step() {
    const impulse::StepReport r = impulse::step(model, options, state, scratch);
    if (r.status != fine) throw std::runtime_error("a step ended with status " + std::to_string(r.status));
    return r;
  }
  Real highest() const {
    Real y = 0;
    for (std::size_t i = 0; i < state.grains(); ++i) {
      const PolygonView p = model.outlines[model.shapes[state.bodies.shape[i]].outline];
      const Placement at = Placement::at(state.bodies.position[i], state.bodies.turn[i].x);
      for (const Vec2& c : p.corners) y = max(y, at.position.y + at.turned(c).y);
    }
    return y;
  }
  Real mean_speed() const {
    Real sum = 0;
    for (std::size_t i = 0; i < state.grains(); ++i) sum += length(state.bodies.velocity[i]);
    return sum / Real(state.grains());
  }
  void slow(Real factor) {
    for (std::size_t i = 0; i < state.grains(); ++i) {
      state.bodies.velocity[i] = factor * state.bodies.velocity[i];
      state.bodies.spin[i].x *= factor;
    }
  }
};

// ---- cases -------------------------------------------------------------------------------------------------------------

void write(const Sample& s, const char* path) {
  std::ofstream out(path);
  out << std::setprecision(17);
  const Bodies<2>& b = s.state.bodies;
  out << s.state.grains() << ' ' << friction << ' ' << dt << ' ' << s.state.globals.gravity.x << ' '
      << s.state.globals.gravity.y << '\n';
  const auto vector = [&](const Vec2& v) { out << ' ' << v.x << ' ' << v.y; };
  for (std::size_t w = 0; w < s.state.walls; ++w) {
    const std::size_t i = s.wall_body(w);
    vector(b.position[i]), vector(into_sample(s.model, s.state, w)), vector(s.model.drives[w].velocity);
    out << '\n';
  }
  for (std::size_t i = 0; i < s.state.grains(); ++i) {
    const PolygonView p = s.model.outlines[s.model.shapes[b.shape[i]].outline];
    out << b.mass[i] << ' ' << 1 / b.inverse_inertia[i];
    vector(b.position[i]);
    out << ' ' << b.turn[i].x;
    vector(b.velocity[i]);
    out << ' ' << b.spin[i].x << ' ' << p.corners.size;
    for (const Vec2& c : p.corners) vector(c);
    out << '\n';
  }
  if (!out) throw std::runtime_error(std::string("cannot write ") + path);
}

Sample read(const char* path) {
  std::ifstream in(path);
  std::size_t n = 0;
  Real mu = 0;
  Sample s;
  in >> n >> mu >> s.state.globals.dt >> s.state.globals.gravity.x >> s.state.globals.gravity.y;
  Vec2 far{};
  for (int w = 0; w < 4; ++w) {
    Vec2 point, normal, velocity;
    in >> point.x >> point.y >> normal.x >> normal.y >> velocity.x >> velocity.y;
    s.wall("wall", point, normal, velocity);
    far = {max(far.x, point.x), max(far.y, point.y)};
  }
  for (std::size_t i = 0; i < n; ++i) {
    sampling::Block b;
    Real mass = 0, inertia = 0;
    std::size_t corners = 0;
    in >> mass >> inertia >> b.position.x >> b.position.y >> b.angle >> b.velocity.x >> b.velocity.y >> b.spin >>
        corners;
    if (!in || corners > max_corners) break;
    std::vector<Vec2> c(corners);
    for (Vec2& v : c) in >> v.x >> v.y;
    b.shape = make_polygon(c);
    s.blocks.push_back(b);
  }
  if (!in || s.blocks.size() != n || n == 0) throw std::runtime_error(std::string("cannot read the case ") + path);
  s.assemble(mu, far);
  return s;
}

// Random polygons, apart from one another, in a box that is about as wide as they will stand high.
Sample scatter(int corners, std::size_t grains, u64 seed) {
  Sample s;
  sampling::PolygonRecipe recipe;
  recipe.corners = corners;
  if (corners < 12) recipe.longest = 1.2;  // a regular octagon is at 1.082 already
  Rng rng{seed, 0, 0};
  i64 drawn = 0;
  std::vector<Real> radii;
  for (std::size_t i = 0; i < grains; ++i) {
    s.blocks.emplace_back().shape = sampling::random_polygon(recipe, rng, drawn);
    radii.push_back(s.blocks.back().shape.reach);
  }
  const Real width = std::sqrt(0.9 * Real(grains)), height = pi / 4 * Real(grains) / (0.42 * width);
  Cell<2> cell;
  cell.h = {};
  cell.h(0, 0) = width, cell.h(1, 1) = height;
  cell.periodic = {};
  const std::vector<Vec2> places = sampling::points_without_overlap(cell, radii, seed);
  if (places.size() != grains) throw std::runtime_error("no room for the grains");
  for (std::size_t i = 0; i < grains; ++i) s.blocks[i].position = places[i];
  s.box({width, height});
  s.assemble(friction, {width, height});
  return s;
}

void settle(int corners, std::size_t grains, u64 seed, const char* rest, const char* shear) {
  Sample s = scatter(corners, grains, seed);
  impulse::StepOptions& o = s.options;
  Bodies<2>& b = s.state.bodies;
  const std::size_t right = s.wall_body(1), bottom = s.wall_body(2), top = s.wall_body(3);
  // The fall is fast and rough; then motion is taken out while contacts are solved better and better.
  const Real fall = b.position[top].y / 2;
  s.state.globals.gravity.y = -0.2;
  o.fixed_count = true, o.sweeps = 10;
  for (Real t = 0, end = 1.1 * std::sqrt(2 * fall / 0.2); t < end; t += dt) s.step();
  s.state.globals.gravity.y = -gravity;
  o.sweeps = 30;
  for (int n = 0; n < 300; ++n) s.step(), s.slow(0.9);
  const auto solve = [](Sample& of, Real tolerance, i64 sweeps, int steps, Real slow) {
    impulse::StepOptions& how = of.options;
    how.fixed_count = false, how.tolerance = tolerance, how.max_sweeps = sweeps;
    for (int n = 0; n < steps; ++n) of.step(), of.slow(slow);
  };
  solve(s, 1e-2, 300, 20, 0.5);
  s.drop_top(s.highest());

  // Such a pack looks at rest, but its forces are far from those that carry it: it would move on for hundreds of steps.
  Sample calm = s;
  solve(calm, 1e-2, 300, 1500, 0.9);
  solve(calm, 1e-3, 2000, 150, 0.5);
  solve(calm, 1e-4, 2000, 150, 0.5);
  calm.drop_top(calm.highest());
  std::fprintf(stderr, "at rest: mean speed %.1e m/s, height %.2f m, %.1f s\n", calm.mean_speed(), calm.highest(),
               exec::cpu_time());
  write(calm, rest);

  // The top comes down until it bears on many grains; then the sides give way and the top follows them and presses.
  Real weight = 0;
  for (std::size_t i = 0; i < s.state.grains(); ++i) weight += gravity * b.mass[i];
  const auto push = [&](std::size_t wall) { return length(b.force[wall]) / weight; };
  o.fixed_count = true, o.sweeps = 30;
  s.drive(3, {0, -0.1});
  Real mean = 0;  // push on the top, of the last steps or so
  for (int n = 0; n < 2000 && mean < 1; ++n) s.step(), mean += 0.02 * (push(top) - mean);
  const Real rate = 3e-4, height = b.position[top].y, width = b.position[right].x;  // 1/s, m
  s.drive(0, {-rate * width / 2, 0});
  s.drive(1, {rate * width / 2, 0});
  s.drive(3, {0, -4 * rate * height});
  for (int n = 0; n < 60; ++n) s.step();
  solve(s, 1e-2, 300, 20, 1);
  std::fprintf(stderr,
               "in shear: mean speed %.1e m/s, push on top, bottom and a side over the weight %.3f %.3f %.3f, %.1f s\n",
               s.mean_speed(), push(top), push(bottom), push(right), exec::cpu_time());
  write(s, shear);
}

// ---- what is measured --------------------------------------------------------------------------------------------------

struct Points {
  i64 all = 0, pushing = 0;
};
Points count(const std::vector<impulse::Patch>& patches) {
  Points n;
  for (const impulse::Patch& p : patches) {
    n.all += p.points;
    n.pushing += (p.impulse.x > 0) + (p.points == 2 && p.impulse.y > 0);
  }
  return n;
}

// The measure of both engines. Compliances are made here: nothing of a solver but velocities and impulses enters.
Real residual_of(std::vector<impulse::Patch> patches, const std::vector<impulse::Motion>& bodies) {
  for (impulse::Patch& p : patches) p.w = p.compliance(bodies[p.a], bodies[p.b]);
  return impulse::residual(patches, bodies);
}

void run(const char* path, Real tolerance, int warm_up, int steps, int threads, const std::string& way) {
  exec::set_threads(threads);
  Sample s = read(path);
  s.options.tolerance = tolerance;
  s.options.max_sweeps = 20000;
  if (!way.empty())
    s.options.acceleration = way == "none"      ? impulse::Acceleration::none
                                    : way == "careful" ? impulse::Acceleration::careful
                                                       : impulse::Acceleration::momentum;
  for (int n = 0; n < warm_up; ++n) s.step();
  for (int n = 0; n < steps; ++n) {
    const double cpu = exec::cpu_time(), wall = exec::now();
    const impulse::StepReport r = s.step();
    const double cpu_s = exec::cpu_time() - cpu, wall_s = exec::now() - wall;
    const Points points = count(s.scratch.patches);
    std::printf("%.9f %.9f %lld %lld %.6e %lld %lld\n", cpu_s, wall_s, static_cast<long long>(r.sweeps),
                static_cast<long long>(points.all), residual_of(s.scratch.patches, s.scratch.motion),
                static_cast<long long>(points.pushing), static_cast<long long>(r.not_converged));
  }
}

// Steps of another engine, numbers as doubles: bodies, patches; of each body velocity, spin, inverse mass and inertia; of
// each patch a, b, friction, normal, number of points, and of two points arms from a and b, impulses along normal and tangent.
void other(const char* path) {
  std::ifstream in(path, std::ios::binary);
  const auto number = [&] {
    double v = 0;
    in.read(reinterpret_cast<char*>(&v), sizeof v);
    return v;
  };
  const auto vector = [&] {
    const double x = number();
    return Vec2{x, number()};
  };
  while (in.peek() != EOF) {
    std::vector<impulse::Motion> bodies{std::size_t(number())};
    std::vector<impulse::Patch> patches{std::size_t(number())};
    for (impulse::Motion& m : bodies) {
      m.velocity = vector();
      m.spin = number();
      m.inverse_mass = number();
      m.inverse_inertia = number();
    }
    for (impulse::Patch& p : patches) {
      p.a = u32(number());
      p.b = u32(number());
      p.friction = number();
      p.normal = vector();
      p.points = u32(number());
      for (int k = 0; k < 2; ++k) {
        const Vec2 arm_a = vector(), arm_b = vector();
        const Real normal = number(), tangent = number();
        if (k >= int(p.points)) continue;
        p.lever_a[k] = moment(arm_a, p.normal).x;
        p.lever_b[k] = moment(arm_b, p.normal).x;
        p.lever_a[2] += moment(arm_a, p.tangent()).x / p.points;
        p.lever_b[2] += moment(arm_b, p.tangent()).x / p.points;
        p.impulse[k] = normal;
        p.impulse.z += tangent;
      }
    }
    if (!in) throw std::runtime_error(std::string("cannot read ") + path);
    const Points points = count(patches);
    std::printf("%.6e %lld %lld\n", residual_of(patches, bodies), static_cast<long long>(points.all),
                static_cast<long long>(points.pushing));
  }
}

long resident_kB() {
  long all = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> all >> resident;
  return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

void memory(std::size_t grains, i64 steps) {
  Sample s = scatter(12, grains, 1);
  s.options.tolerance = 1e-2;
  for (i64 n = 1; n <= steps; ++n) {
    const Real angle = 2 * pi * Real(n) / 20000;  // a turn in 20,000 steps: contacts come and go
    s.state.globals.gravity = {gravity * std::sin(angle), -gravity * std::cos(angle)};
    s.step();
    if (n == steps / 10 || n == steps) std::printf("%lld %ld\n", static_cast<long long>(n), resident_kB());
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  try {
    if (what == "settle" && argc == 7)
      settle(std::atoi(argv[2]), std::size_t(std::atoll(argv[3])), u64(std::atoll(argv[4])), argv[5], argv[6]);
    else if (what == "run" && argc >= 6 && argc <= 8)
      run(argv[2], std::atof(argv[3]), std::atoi(argv[4]), std::atoi(argv[5]), argc > 6 ? std::atoi(argv[6]) : 1,
          argc > 7 ? argv[7] : "");
    else if (what == "residual" && argc == 3)
      other(argv[2]);
    else if (what == "memory" && argc == 4)
      memory(std::size_t(std::atoll(argv[2])), std::atoll(argv[3]));
    else
      return std::fprintf(stderr, "usage: bench_rigid2d settle|run|residual|memory ...: see rigid2d.cpp\n"), 2;
  } catch (const std::exception& e) { return std::fprintf(stderr, "%s\n", e.what()), 3; }
  return 0;
}
