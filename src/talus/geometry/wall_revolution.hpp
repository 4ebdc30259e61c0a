#pragma once
// A convex solid of revolution as a wall, seen from outside: a cone, a rod, a penetrometer. Its profile goes from corner to corner, from one end of the axis to
// the other; the wall's position is where its heights are counted from. Scenes of the plane do not offer it.
#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include <talus/core/input.hpp>
#include <talus/geometry/surface.hpp>

namespace talus {

template <int D>
struct WallRevolution {
  static constexpr std::string_view name = "revolution", about = "a convex solid of revolution, such as a cone or a rod; the sample is outside", placed_by = "axis";
  static constexpr bool is_flat = false, is_of_space = true, has_edge = true;
  static constexpr u32 most_corners = 12;

  Vec<D> axis{};               // unit
  Real height[most_corners]{}, radius[most_corners]{};  // m, of the corners of the profile, along the axis and across it
  u32 corners = 0;

  // Corners in order of their heights; the first and the last may lie on the axis, else a flat end closes the solid there.
  static WallRevolution about_axis(const Vec<D>& direction, const std::vector<Real>& heights, const std::vector<Real>& radii) {
    WallRevolution w{(1 / length(direction)) * direction};
    const auto add = [&](Real z, Real r) { w.height[w.corners] = z, w.radius[w.corners++] = r; };
    if (radii.front() > 0) add(heights.front(), 0);
    for (std::size_t k = 0; k < heights.size(); ++k) add(heights[k], radii[k]);
    if (radii.back() > 0) add(heights.back(), 0);
    return w;
  }
  static WallRevolution read(Input& in, Vec<D>& position) {
    std::vector<Real> middle;
    for (int k = 0; k < D; ++k) middle.push_back(position[k]);
    position = to_vec<D>(in.numbers("point", dim::length, Range::any(), D, middle, "the point of the axis from which heights of a profile are counted; left out: the middle of the cell"));
    const Vec<D> way = to_vec<D>(in.numbers("axis", dim::none, Range::any(), D, std::nullopt, "direction of the axis, along which heights rise"));
    if (!(length(way) > 0)) in.fail("axis", "the axis has no length", "");
    if (in.has("stands_at")) {
      const Vec<D> along = (1 / length(way)) * way;
      position += (in.number("stands_at", dim::length, Range::any(), std::nullopt, "place of that point along the axis, whatever point says") - dot(position, along)) * along;
    }
    const auto z = in.numbers("heights", dim::length, Range::any(), 0, std::nullopt, "of the corners of the profile along the axis, rising; of a cone that points down: [\"0 mm\", \"20 mm\", \"500 mm\"]");
    const auto r = in.numbers("radii", dim::length, Range::not_negative(), 0, std::nullopt, "of these corners: [\"0 mm\", \"10 mm\", \"10 mm\"]");
    if (z.size() != r.size()) in.fail("radii", "there are " + std::to_string(r.size()) + " radii for " + std::to_string(z.size()) + " heights", "state one for each corner");
    if (z.size() < 2 || z.size() + 2 > most_corners) in.fail("heights", "a profile has 2 to " + std::to_string(most_corners - 2) + " corners", "");
    for (std::size_t k = 1; k < z.size(); ++k)
      if (!(z[k] >= z[k - 1]) || (z[k] == z[k - 1] && r[k] == r[k - 1])) in.fail("heights", "corner " + std::to_string(k + 1) + " is not above the one before", "state them from one end to the other");
    const WallRevolution w = about_axis(way, z, r);
    if (!w.is_convex()) in.fail("radii", "the profile is not convex, or has no volume", "radii rise no faster and faster, and fall no slower and slower");
    return w;
  }

  TALUS_HD Surface<D> at(const Vec<D>& x) const {
    const Real z = dot(x, axis);
    const Vec<D> out = x - z * axis;
    const Real r = length(out);
    const Near near = nearest(z, r);
    const Vec<D> across = r > 0 ? (1 / r) * out : any_across();
    return {near.gap, near.along * axis + near.across * across, near.edge};
  }
  TALUS_HD bool is_within(const Vec<D>& x, Real reach) const {
    const Real z = dot(x, axis);
    return nearest(z, length(x - z * axis)).gap < reach;
  }
  TALUS_HD Vec<D> direction() const { return {}; }
  Vec<D> turns_about() const { return axis; }
  bool cuts(int) const { return true; }
  // m, of its largest section; and does the part of its surface that this feature names face against the axis? The tip of a cone that points down.
  Real widest() const { return *std::max_element(radius, radius + corners); }
  bool is_tip(u32 edge) const { return radius[edge + 1] > radius[edge]; }

  bool is_convex() const {
    if (corners < 3 || !(widest() > 0)) return false;
    for (u32 k = 0; k + 2 < corners; ++k) {
      const Real turn = (height[k + 1] - height[k]) * (radius[k + 2] - radius[k + 1]) - (radius[k + 1] - radius[k]) * (height[k + 2] - height[k + 1]);
      if (!(turn <= Real(1e-12) * widest() * widest())) return false;
    }
    return true;
  }

 private:
  struct Near {
    Real gap, along, across;  // m; components of the normal
    u32 edge;
  };
  // In the half plane of height and radius. Edge k goes from corner k to the next; its normal is that way turned outwards.
  TALUS_HD Near nearest(Real z, Real r) const {
    Near inside{-HUGE_VAL, 0, 1, 0}, outside{HUGE_VAL, 0, 1, 0};
    for (u32 k = 0; k + 1 < corners; ++k) {
      const Real dz = height[k + 1] - height[k], dr = radius[k + 1] - radius[k], size = std::sqrt(dz * dz + dr * dr);
      const Real nz = -dr / size, nr = dz / size, pz = z - height[k], pr = r - radius[k];
      const Real above = pz * nz + pr * nr;
      if (above > inside.gap) inside = {above, nz, nr, k};
      const Real share = clamp((pz * dz + pr * dr) / (size * size), Real(0), Real(1));
      const Real qz = pz - share * dz, qr = pr - share * dr, away = std::sqrt(qz * qz + qr * qr);
      if (away < outside.gap) outside = {away, share > 0 && share < 1 ? nz : qz / away, share > 0 && share < 1 ? nr : qr / away, k};
    }
    return inside.gap > 0 && outside.gap > 0 ? outside : inside;
  }
  TALUS_HD Vec<D> any_across() const {
    Vec<D> way;
    way[std::abs(axis.x) < Real(0.9) ? 0 : 1] = 1;
    const Vec<D> flat = way - dot(way, axis) * axis;
    return (1 / length(flat)) * flat;
  }
};

}  // namespace talus
