#pragma once
// Ready-made tests of solids and soils as particles: a cantilever that swings, a body that spins, a body that is dropped, two rings that
// collide, a column that collapses, a slope. Their error and the tolerance that it is held against are figures of every run.
#include <algorithm>
#include <cmath>

#include <talus/lab/analysis.hpp>

namespace talus::lab {

// A beam along x, clamped at one end, thin against its length, that gravity sets swinging.
struct Cantilever {
  Real length = 0, thickness = 0;  // m
  Real young = 0, poisson = 0;     // Pa, 1
  Real density = 0;                // kg/m^3
  Real period() const;             // s, of its first mode in plane strain
};
std::unique_ptr<Analysis<2>> cantilever_analysis(const Cantilever& beam);

// A free body that turns: its angular momentum stays.
std::unique_ptr<Analysis<3>> spin_analysis();

// A body that is dropped on a floor.
struct Drop {
  Real height = 0;   // m, of fall
  Real gravity = 0;  // m/s^2
};
std::unique_ptr<Analysis<3>> drop_analysis(const Drop& drop);

// Two bodies that fly at each other along x.
std::unique_ptr<Analysis<2>> rings_analysis(Real spacing);

// A column that collapses over a floor, against the laws of Lube and others (2004 in space, 2005 in the plane).
struct Collapse {
  Real width = 0;    // m, radius, or width before a wall at x = 0
  Real height = 0;   // m
  Real spacing = 0;  // m
  Real tolerance = 0;
};
Real lube_runout(int dimension, Real aspect);  // final over first radius or width
template <int D>
std::unique_ptr<Analysis<D>> collapse_analysis(const Collapse& column, const Vec<D>& middle);

// A layer of soil on a rough floor that goes on for ever downhill, along x. Between the two angles at which it rests and flows, it may do either.
struct InfiniteSlope {
  Real angle = 0;     // rad, of the floor
  Real friction = 0;  // tau/p in steady simple shear: 3 alpha of the cone
  Real gravity = 0;   // m/s^2
  Real flowing() const { return std::sin(angle) - friction * std::cos(angle); }                     // acceleration over gravity, of a flow
  Real lowest() const { return std::sin(angle) > friction ? std::max(flowing(), Real(0)) : 0; }  // of what may be
  Real highest() const { return std::max(flowing(), Real(0)); }
};
template <int D>
std::unique_ptr<Analysis<D>> slope_analysis(const InfiniteSlope& slope);

// A heap that is poured beside a wall at x = 0 and falls along x, in the plane.
struct Pile {
  Real friction = 0;  // tau/p in steady simple shear: 3 alpha of the cone
  Real spacing = 0;   // m
};
std::unique_ptr<Analysis<2>> pile_analysis(const Pile& pile);

}  // namespace talus::lab
