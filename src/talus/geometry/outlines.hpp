#pragma once
// The polygons of a model side by side: what kernels read.
#include <algorithm>

#include <talus/geometry/compound.hpp>
#include <talus/geometry/heart.hpp>

namespace talus {

class Outlines {
 public:
  std::size_t size() const { return rounding_.size(); }

  u32 add(const Polygon& p) {
    const Heart heart = make_heart(view(p));
    return add(p, heart, {}, true);
  }
  // Its parts come one after the other. They have no hearts: soft contacts are not made for them.
  u32 add(const Compound& c) {
    const auto first = u32(size());
    for (std::size_t k = 0; k < c.parts.size(); ++k) add(c.parts[k], {}, c.shown[k], false);
    if (piece_start_.empty()) piece_start_.push_back(0);
    for (const OutlinePiece& p : c.outline) pieces_.push_back(p);
    piece_start_.push_back(u32(pieces_.size()));
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
  Span<const OutlinePiece> around(u32 first) const {
    const auto c =
        std::size_t(std::lower_bound(compound_at_.begin(), compound_at_.end(), first) - compound_at_.begin());
    return {pieces_.data() + piece_start_[c], piece_start_[c + 1] - piece_start_[c]};
  }
  HeartView heart(std::size_t k) const {
    const std::size_t first = heart_start_[k];
    return {{hearts_.data() + first, heart_start_[k + 1] - first}, depth_[k]};
  }

 private:
  u32 add(const Polygon& p, const Heart& heart, const std::vector<Shown>& shown, bool is_whole) {
    if (start_.empty()) start_.push_back(0), heart_start_.push_back(0), shown_start_.push_back(0);
    Vec2 middle{};
    for (std::size_t i = 0; i < p.corners.size(); ++i) {
      corners_.push_back(p.corners[i]);
      normals_.push_back(i < p.normals.size() ? p.normals[i] : Vec2{});
      middle += (1 / Real(p.corners.size())) * p.corners[i];
    }
    start_.push_back(u32(corners_.size()));
    rounding_.push_back(p.rounding);
    for (const HeartEdge& e : heart.edges) hearts_.push_back(e);
    heart_start_.push_back(u32(hearts_.size()));
    depth_.push_back(heart.depth);
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
  Column<HeartEdge> hearts_;
  Column<u32> heart_start_;
  Column<Real> depth_;
  Column<Shown> shown_;
  Column<u32> shown_start_, is_whole_;
  Column<Vec2> centre_;
  Column<Real> reach_, slack_;
  Column<u32> compound_at_;  // first part of each compound, in order
  Column<OutlinePiece> pieces_;
  Column<u32> piece_start_;
};

// A disc about its centre.
inline PolygonView disc_view(Real radius) {
  static constexpr Vec2 centre{};
  return {{&centre, 1}, {}, radius};
}
inline HeartView disc_heart(Real radius) {
  static constexpr HeartEdge centre{};
  return {{&centre, 1}, radius};
}

}  // namespace talus
