#pragma once
// The polygons of a model side by side: what kernels read.
#include <talus/geometry/heart.hpp>

namespace talus {

class Outlines {
 public:
  std::size_t size() const { return rounding_.size(); }

  u32 add(const Polygon& p) {
    if (start_.empty()) start_.push_back(0);
    for (std::size_t i = 0; i < p.corners.size(); ++i) {
      corners_.push_back(p.corners[i]);
      normals_.push_back(i < p.normals.size() ? p.normals[i] : Vec2{});
    }
    start_.push_back(u32(corners_.size()));
    rounding_.push_back(p.rounding);
    const Heart heart = make_heart(view(p));
    if (heart_start_.empty()) heart_start_.push_back(0);
    for (const HeartEdge& e : heart.edges) hearts_.push_back(e);
    heart_start_.push_back(u32(hearts_.size()));
    depth_.push_back(heart.depth);
    return u32(size() - 1);
  }

  PolygonView operator[](std::size_t k) const {
    const std::size_t first = start_[k], count = start_[k + 1] - first;
    return {{corners_.data() + first, count}, {normals_.data() + first, count == 1 ? 0 : count}, rounding_[k]};
  }
  HeartView heart(std::size_t k) const {
    const std::size_t first = heart_start_[k];
    return {{hearts_.data() + first, heart_start_[k + 1] - first}, depth_[k]};
  }

 private:
  Column<Vec2> corners_, normals_;
  Column<u32> start_;  // first corner of each; one more at the end
  Column<Real> rounding_;
  Column<HeartEdge> hearts_;
  Column<u32> heart_start_;
  Column<Real> depth_;
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
