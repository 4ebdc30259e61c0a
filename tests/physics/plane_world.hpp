#pragma once
// A few grains in the plane, for tests of the contact solver: every pair is looked at in every step.
#include <map>
#include <tuple>
#include <vector>

#include <talus/geometry/manifold.hpp>
#include <talus/impulse/solver.hpp>

namespace talus::impulse {

struct PlaneWorld {
  struct Grain {
    Polygon shape;
    Vec2 position;
    Real angle = 0;
    Vec2 force{};  // N, held
  };
  struct Platen {
    Vec2 point, normal;  // normal into the sample
    Vec2 velocity{};
    Real friction = 0;
    Vec2 push{};  // N, of the grains on it in the last step
  };
  std::vector<Platen> platens;
  std::vector<Grain> grains;
  std::vector<Motion> bodies;  // platens first
  Vec2 gravity{};
  Real friction = 0, restitution = 0, reach = 1e-3;
  SolverOptions options;
  std::vector<Patch> patches;  // of the last step
  Real deepest = 0;            // m

  u32 platen(const Vec2& point, const Vec2& normal, Real mu) {
    platens.push_back({point, normal, {}, mu, {}});
    bodies.insert(bodies.begin() + std::ptrdiff_t(platens.size()) - 1, Motion{});
    return u32(platens.size()) - 1;
  }
  u32 grain(const Polygon& shape, const Vec2& position, Real density, bool turns = true) {
    grains.push_back({shape, position, 0, {}});
    bodies.push_back({{}, 0, 1 / (density * shape.area), turns ? 1 / (density * shape.second_moment) : 0});
    return u32(grains.size()) - 1;
  }
  Motion& motion(u32 grain) { return bodies[platens.size() + grain]; }

  SolverReport step(Real dt) {
    for (std::size_t i = 0; i < grains.size(); ++i) {
      Motion& m = motion(u32(i));
      m.velocity += dt * (gravity + m.inverse_mass * grains[i].force);
    }
    for (std::size_t i = 0; i < platens.size(); ++i) bodies[i].velocity = platens[i].velocity;
    patches.clear();
    names_.clear();
    deepest = 0;
    for (std::size_t i = 0; i < grains.size(); ++i) {
      const Placement at = Placement::at(grains[i].position, grains[i].angle);
      for (std::size_t p = 0; p < platens.size(); ++p)
        add(u32(platens.size() + i), u32(p), platens[p].friction, grains[i].position, platens[p].point,
            meet_plane(view(grains[i].shape), at, platens[p].point, platens[p].normal, reach), dt);
      for (std::size_t j = 0; j < i; ++j) {
        const Real far = grains[i].shape.reach + grains[j].shape.reach + reach;
        const Vec2 between = grains[i].position - grains[j].position;
        if (dot(between, between) > far * far) continue;
        add(u32(platens.size() + i), u32(platens.size() + j), friction, grains[i].position, grains[j].position,
            meet(view(grains[i].shape), at, view(grains[j].shape), Placement::at(grains[j].position, grains[j].angle),
                 reach),
            dt);
      }
    }
    const SolverReport report = solve(patches, bodies, options);
    std::vector<Motion> displaced;
    std::vector<Patch> moved = patches;
    for (Patch& p : moved) {
      const Three u = p.velocities(bodies[p.a], bodies[p.b]);
      p.gap[0] += dt * (u.x - p.target[0]);
      p.gap[1] += dt * (u.y - p.target[1]);
    }
    separate(moved, bodies, {1e-3, 1000}, displaced);
    for (Platen& p : platens) p.push = {};
    memory_.clear();
    for (std::size_t k = 0; k < patches.size(); ++k) {
      const Patch& p = patches[k];
      memory_[names_[k]] = p.impulse;
      if (p.b < platens.size())
        platens[p.b].push -= (1 / dt) * (normal_of(p.impulse) * p.normal + p.impulse.z * p.tangent());
    }
    for (std::size_t i = 0; i < grains.size(); ++i) {
      const Motion& d = displaced[platens.size() + i];
      grains[i].position += dt * motion(u32(i)).velocity + d.velocity;
      grains[i].angle += dt * motion(u32(i)).spin + d.spin;
    }
    for (Platen& p : platens) p.point += dt * p.velocity;
    return report;
  }

 private:
  using Name = std::tuple<u32, u32, u32, u32>;
  std::vector<Name> names_;
  std::map<Name, Three> memory_;

  void add(u32 a, u32 b, Real mu, const Vec2& xa, const Vec2& xb, const Manifold& m, Real dt) {
    if (m.count == 0) return;
    Patch p;
    p.a = a;
    p.b = b;
    p.normal = m.normal;
    p.points = u32(m.count);
    p.friction = mu;
    Vec2 middle{};
    for (int k = 0; k < m.count; ++k) {
      const ManifoldPoint& point = m.point[k];
      middle += (1 / Real(m.count)) * point.at;
      p.lever_a[k] = moment(point.at - xa, m.normal).x;
      p.lever_b[k] = moment(point.at - xb, m.normal).x;
      p.gap[k] = point.gap;
      deepest = max(deepest, -point.gap);
    }
    p.lever_a[2] = moment(middle - xa, p.tangent()).x;
    p.lever_b[2] = moment(middle - xb, p.tangent()).x;
    const Three before = p.velocities(bodies[a], bodies[b]);
    for (int k = 0; k < m.count; ++k) {
      const Real approach = k == 0 ? before.x : before.y;
      p.target[k] = max(m.point[k].gap, Real(0)) / dt + restitution * min(approach, Real(0));
    }
    const Name name{a, b, m.point[0].feature, m.count == 2 ? m.point[1].feature : ~0u};
    if (const auto known = memory_.find(name); known != memory_.end()) p.impulse = known->second;
    names_.push_back(name);
    patches.push_back(p);
  }
};

}  // namespace talus::impulse
