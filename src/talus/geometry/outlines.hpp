#pragma once
// The polygons of a model side by side: what kernels read.
#include <algorithm>

#include <talus/geometry/compound.hpp>
#include <talus/geometry/core_polygon.hpp>

namespace talus {

class Outlines {
 public:
  std::size_t size() const { return rounding_.size(); }

  u32 add(const Polygon& p) {
    const CorePolygon core = make_core_polygon(view(p));
    return add(p, core, {}, true);
  }
  // Its parts come one after the other. They have no core polygons: soft contacts are not made for them.
  u32 add(const Compound& c) {
    const auto first = u32(size());
    for (std::size_t k = 0; k < c.parts.size(); ++k) add(c.parts[k], {}, c.shown[k], false);
    if (segment_start_.empty()) segment_start_.push_back(0);
    for (const OutlineSegment& p : c.outline) segments_.push_back(p);
    segment_start_.push_back(u32(segments_.size()));
    compound_at_.push_back(first);
    return first;
  }
  bool has_compounds() const { return !compound_at_.empty(); }

  PolygonView operator[](std::size_t k) const {
    const std::size_t first = start_[k], count = start_[k + 1] - first;
    return {{corners_.data() + first, count}, {normals_.data() + first, count == 1 ? 0 : count}, rounding_[k]};
  }
  PartView part(std::size_t k) const {
    const std::size_t first = shown_start_[k];
    return {(*this)[k], {shown_.data() + first, shown_start_[k + 1] - first}, is_whole_[k] == 1, centre_[k], reach_[k],
            slack_[k]};
  }
  // All around the compound whose parts begin there.
  Span<const OutlineSegment> around(u32 first) const {
    const auto c =
        std::size_t(std::lower_bound(compound_at_.begin(), compound_at_.end(), first) - compound_at_.begin());
    return {segments_.data() + segment_start_[c], segment_start_[c + 1] - segment_start_[c]};
  }
  CorePolygonView core(std::size_t k) const {
    const std::size_t first = core_start_[k];
    return {{core_edges_.data() + first, core_start_[k + 1] - first}, depth_[k]};
  }

 private:
  u32 add(const Polygon& p, const CorePolygon& core, const std::vector<Shown>& shown, bool is_whole) {
    if (start_.empty()) start_.push_back(0), core_start_.push_back(0), shown_start_.push_back(0);
    Vec2 middle{};
    for (std::size_t i = 0; i < p.corners.size(); ++i) {
      corners_.push_back(p.corners[i]);
      normals_.push_back(i < p.normals.size() ? p.normals[i] : Vec2{});
      middle += (1 / Real(p.corners.size())) * p.corners[i];
    }
    start_.push_back(u32(corners_.size()));
    rounding_.push_back(p.rounding);
    for (const CoreEdge& e : core.edges) core_edges_.push_back(e);
    core_start_.push_back(u32(core_edges_.size()));
    depth_.push_back(core.depth);
    for (const Shown& s : shown) shown_.push_back(s);
    shown_start_.push_back(u32(shown_.size()));
    is_whole_.push_back(is_whole ? 1 : 0);
    centre_.push_back(middle);
    Real reach = 0;
    for (const Vec2& c : p.corners) reach = max(reach, length(c - middle) + p.rounding);
    reach_.push_back(reach);
    slack_.push_back(Real(0.01) * std::sqrt(p.area));
    return u32(size() - 1);
  }

  Column<Vec2> corners_, normals_;
  Column<u32> start_;  // first corner of each; one more at the end
  Column<Real> rounding_;
  Column<CoreEdge> core_edges_;
  Column<u32> core_start_;
  Column<Real> depth_;
  Column<Shown> shown_;
  Column<u32> shown_start_, is_whole_;
  Column<Vec2> centre_;
  Column<Real> reach_, slack_;
  Column<u32> compound_at_;  // first part of each compound, in order
  Column<OutlineSegment> segments_;
  Column<u32> segment_start_;
};

// A disc about its centre.
inline PolygonView disc_view(Real radius) {
  static constexpr Vec2 centre{};
  return {{&centre, 1}, {}, radius};
}
inline CorePolygonView disc_core(Real radius) {
  static constexpr CoreEdge centre{};
  return {{&centre, 1}, radius};
}

}  // namespace talus
