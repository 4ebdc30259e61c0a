#pragma once
// A picture of the sample: spheres (discs in 2D) with their shadows into the gaps, seen from a distance without
// perspective, coloured by one scalar; the periodic cell and the walls as outlines; contact forces in 2D as lines, in 3D as rods.
#include <array>
#include <limits>
#include <string>
#include <vector>

#include <talus/core/vec.hpp>
#include <talus/report/report.hpp>

namespace talus::report {

struct ForceLine {
  Vec3 from, to;  // m
  Real force;     // N; the width is proportional to it
};

// A force in space.
struct Rod {
  Vec3 from, to;  // m
  Real radius;    // m
  Real value;     // on the scale of the picture's values
};

// A flat piece of a wall or of a membrane; the pieces of a wall are outlined together.
struct WallFace {
  int wall;                   // which; -1: a membrane
  std::vector<Vec3> corners;  // m, around it; in the plane two
  Vec3 inward;                // unit, into the sample
};

struct Ring {
  Vec3 centre;
  Real radius;  // m
};

// A face of a grain that is no ball.
struct Facet {
  int grain;                  // whose
  Vec3 normal;                // unit, outward
  std::vector<Vec3> corners;  // m, around it
};

struct Grains {
  std::vector<Vec3> centres;                // m; z is up; in 2D x and y are drawn
  std::vector<Real> radii;                  // m
  std::vector<std::vector<Vec2>> outlines;  // m, flat: corners of each grain; none of a disc
  std::vector<Facet> facets;                // in space: drawn instead of spheres, where there are any
  std::vector<Real> values;                 // of any unit; empty: all grains in one colour; NaN: grey
  std::string value_label;                  // with the unit of `values`
  Real low = std::numeric_limits<Real>::quiet_NaN(), high = low;  // ends of the colour scale; NaN: of the values
  bool flat = false;                                              // 2D
  bool has_cell = false;
  bool frames_cell = false;     // the picture is what the cell holds: all frames of a film have one size
  Vec3 origin{};                // corner of the cell, m
  std::array<Vec3, 3> edges{};  // of the cell, m
  std::vector<ForceLine> lines;
  std::vector<Rod> rods;    // in space
  std::vector<WallFace> walls;
  Real scale = 0;           // pixels per m; 0: as large as the width that is asked for
  std::vector<Ring> rings;  // flat: circles around parts of the sample
  std::string caption;
};

// Height follows from what is drawn, at most `width`. About a second for 100,000 spheres.
Picture draw_grains(const Grains& grains, int width = 1200);

}  // namespace talus::report
