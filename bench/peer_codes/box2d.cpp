// The problem of bench/rigid2d through Box2D 2.4.
//   box2d CASE.txt ITERATIONS WARM_UP STEPS [PROBLEM.bin]
// A line for each step: processor time, wall time, points. PROBLEM.bin gets what the solver saw and found, for
// `bench_rigid2d residual`.
#include <box2d/box2d.h>
#include <time.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <vector>

namespace {

// Box2D lets polygons rest with their skins a slop into one another, 2 * radius - slop apart. Each is made smaller by half
// of that on all sides, so that grains that touch in the case touch here and none is pushed away.
const double inset = b2_polygonRadius - 0.5 * b2_linearSlop;

struct Point {
  double x, y;
};

std::vector<b2Vec2> smaller(const std::vector<Point>& c) {
  const std::size_t n = c.size();
  std::vector<Point> normal(n);
  std::vector<double> offset(n);
  for (std::size_t i = 0; i < n; ++i) {
    const Point &p = c[i], &q = c[(i + 1) % n];
    const double length = std::hypot(q.x - p.x, q.y - p.y);
    normal[i] = {(q.y - p.y) / length, (p.x - q.x) / length};
    offset[i] = normal[i].x * p.x + normal[i].y * p.y - inset;
  }
  std::vector<b2Vec2> out(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t j = (i + n - 1) % n;
    const double d = normal[j].x * normal[i].y - normal[j].y * normal[i].x;
    out[i].Set(float((offset[j] * normal[i].y - offset[i] * normal[j].y) / d),
               float((offset[i] * normal[j].x - offset[j] * normal[i].x) / d));
  }
  return out;
}

// What contacts end a step with.
struct Found : b2ContactListener {
  struct Row {
    b2Contact* contact;
    b2ContactImpulse impulse;
  };
  std::vector<Row> rows;
  void PostSolve(b2Contact* contact, const b2ContactImpulse* impulse) override { rows.push_back({contact, *impulse}); }
};

double seconds(clockid_t clock) {
  timespec t;
  clock_gettime(clock, &t);
  return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

struct Problem {
  std::ofstream out;
  void put(double v) { out.write(reinterpret_cast<const char*>(&v), sizeof v); }
  void put(const b2Vec2& v) { put(v.x), put(v.y); }

  // Box2D's normal points from its first body to its second; ours from b to a. Its tangent is the normal turned right, ours left.
  void write(const std::vector<b2Body*>& bodies, const std::vector<b2Transform>& before, const Found& found) {
    put(double(bodies.size()));
    put(double(found.rows.size()));
    for (const b2Body* b : bodies) {
      put(b->GetLinearVelocity());
      put(b->GetAngularVelocity());
      const bool moves = b->GetType() == b2_dynamicBody;
      put(moves ? 1.0 / b->GetMass() : 0);
      put(moves ? 1.0 / b->GetInertia() : 0);
    }
    for (const Found::Row& row : found.rows) {
      b2Fixture *first = row.contact->GetFixtureA(), *second = row.contact->GetFixtureB();
      const std::size_t a = second->GetBody()->GetUserData().pointer, b = first->GetBody()->GetUserData().pointer;
      b2WorldManifold world;
      world.Initialize(row.contact->GetManifold(), before[b], first->GetShape()->m_radius, before[a],
                       second->GetShape()->m_radius);
      put(double(a)), put(double(b));
      put(row.contact->GetFriction());
      put(world.normal);
      put(double(row.impulse.count));
      for (int k = 0; k < 2; ++k) {
        put(world.points[k] - before[a].p), put(world.points[k] - before[b].p);
        put(row.impulse.normalImpulses[k]), put(-double(row.impulse.tangentImpulses[k]));
      }
    }
  }
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) return std::fprintf(stderr, "usage: box2d CASE.txt ITERATIONS WARM_UP STEPS [PROBLEM.bin]\n"), 2;
  std::ifstream in(argv[1]);
  const int iterations = std::atoi(argv[2]), warm_up = std::atoi(argv[3]), steps = std::atoi(argv[4]);
  std::size_t n = 0;
  double friction = 0, dt = 0;
  Point gravity{};
  in >> n >> friction >> dt >> gravity.x >> gravity.y;
  b2World world({float(gravity.x), float(gravity.y)});
  world.SetAllowSleeping(false);
  world.SetContinuousPhysics(false);
  world.SetWarmStarting(true);

  struct Wall {
    Point point, normal, velocity;
  } walls[4];
  for (Wall& w : walls) in >> w.point.x >> w.point.y >> w.normal.x >> w.normal.y >> w.velocity.x >> w.velocity.y;
  std::vector<b2Body*> bodies;
  const auto add = [&](b2BodyDef& def, const b2PolygonShape& shape) {
    def.userData.pointer = bodies.size();
    bodies.push_back(world.CreateBody(&def));
    b2FixtureDef fixture;
    fixture.shape = &shape;
    fixture.friction = float(friction);
    bodies.back()->CreateFixture(&fixture);
  };
  for (std::size_t i = 0; i < n; ++i) {
    double mass = 0, inertia = 0, angle = 0, spin = 0;
    Point at{}, velocity{};
    std::size_t corners = 0;
    in >> mass >> inertia >> at.x >> at.y >> angle >> velocity.x >> velocity.y >> spin >> corners;
    if (!in || corners > b2_maxPolygonVertices)
      return std::fprintf(stderr, "cannot read grain %zu of %s, or it has more than %d corners\n", i, argv[1],
                          b2_maxPolygonVertices),
             2;
    std::vector<Point> c(corners);
    for (Point& p : c) in >> p.x >> p.y;
    const std::vector<b2Vec2> inner = smaller(c);
    b2PolygonShape shape;
    shape.Set(inner.data(), int(inner.size()));
    if (shape.m_count != int(corners)) return std::fprintf(stderr, "Box2D drops corners of grain %zu\n", i), 2;
    b2BodyDef def;
    def.type = b2_dynamicBody;
    def.position.Set(float(at.x), float(at.y));
    def.angle = float(angle);
    def.linearVelocity.Set(float(velocity.x), float(velocity.y));
    def.angularVelocity = float(spin);
    add(def, shape);
    b2MassData data;
    data.mass = float(mass);
    data.I = float(inertia);
    data.center.SetZero();
    bodies.back()->SetMassData(&data);
  }
  for (const Wall& w : walls) {  // a slab behind the plane
    const float thick = 5, wide = 1000;
    b2PolygonShape shape;
    shape.SetAsBox(w.normal.x != 0 ? thick : wide, w.normal.x != 0 ? wide : thick);
    b2BodyDef def;
    def.type = b2_kinematicBody;
    def.position.Set(float(w.point.x - (thick + inset) * w.normal.x), float(w.point.y - (thick + inset) * w.normal.y));
    def.linearVelocity.Set(float(w.velocity.x), float(w.velocity.y));
    add(def, shape);
  }

  Found found;
  world.SetContactListener(&found);
  Problem problem;
  if (argc > 5) problem.out.open(argv[5], std::ios::binary);
  std::vector<b2Transform> before(bodies.size());
  for (int s = 0; s < warm_up + steps; ++s) {
    found.rows.clear();
    for (std::size_t i = 0; i < bodies.size(); ++i) before[i] = bodies[i]->GetTransform();
    const double cpu = seconds(CLOCK_PROCESS_CPUTIME_ID), wall = seconds(CLOCK_MONOTONIC);
    world.Step(float(dt), iterations, 3);
    const double cpu_s = seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu, wall_s = seconds(CLOCK_MONOTONIC) - wall;
    if (s < warm_up) continue;
    long points = 0;
    for (const Found::Row& row : found.rows) points += row.impulse.count;
    std::printf("%.9f %.9f %ld\n", cpu_s, wall_s, points);
    if (problem.out.is_open()) problem.write(bodies, before, found);
  }
  return 0;
}
