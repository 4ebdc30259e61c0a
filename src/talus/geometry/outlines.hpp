#pragma once
// The polygons of a model side by side: what kernels read.
#include <talus/geometry/polygon.hpp>

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
    return u32(size() - 1);
  }

  PolygonView operator[](std::size_t k) const {
    const std::size_t first = start_[k], count = start_[k + 1] - first;
    return {{corners_.data() + first, count}, {normals_.data() + first, count == 1 ? 0 : count}, rounding_[k]};
  }

 private:
  Column<Vec2> corners_, normals_;
  Column<u32> start_;  // first corner of each; one more at the end
  Column<Real> rounding_;
};

// A disc about its centre.
inline PolygonView disc_view(Real radius) {
  static constexpr Vec2 centre{};
  return {{&centre, 1}, {}, radius};
}

}  // namespace talus
