#pragma once
// The shape of a wall: one of the list below. A shape is a plain struct in a header of its own; points are given in the
// wall's own frame, from its position.
//   name, about              word of the scene, and what it means
//   read(in, position)       shape and position from a table of the scene; position comes in as the middle of the cell; `placed_by`: the key that says where it lies
//   is_flat                  true: one facet without end
//   at(x)                    gap, normal and feature of the surface nearest to x
//   is_within(x, reach)      may a ball of this radius around x touch it? It may say yes too often, never no too often
//   direction()              unit, into the sample, where all of the surface faces one way; zero elsewhere
//   cuts(axis)               does it end the sample along this axis?
//   section(axis, way)       m^2, of what it encloses across this axis, when its surface has moved so far (m) along its normal; left out: it encloses nothing
//   girth(axis, way)         m, around that
//   own_area(way, bottom, top), own_volume(...)   m^2 and m^3, of a part of a wall around the sample, between two heights (m) along its axis, and of what that
//                            part encloses; left out: it is all of a wall
//   turns_about()            the axis that it may turn about and stay what it is; left out: none
//   is_tip(feature)          does this part of its surface face against turns_about(), as the tip of a cone does? May be left out: all of it
//   widest()                 m, radius of its largest section across turns_about(); left out: 0
//   encloses()               does the sample lie inside it, although it has no section? May be left out
//   is_host_only             true: no device path; may be left out
//   has_edge                 true: a grain may meet it between its own corners; may be left out
//   is_of_space              true: scenes of the plane do not offer it; may be left out
#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include <talus/geometry/wall_cylinder.hpp>
#include <talus/geometry/wall_facet.hpp>
#include <talus/geometry/wall_ledge.hpp>
#include <talus/geometry/wall_mesh.hpp>
#include <talus/geometry/wall_plane.hpp>
#include <talus/geometry/wall_revolution.hpp>

namespace talus {

// One word here adds a shape.
template <int D>
using WallShapes = std::tuple<WallPlane<D>, WallCylinder<D>, WallLedge<D>, WallRevolution<D>, WallMesh<D>, WallFacet<D>>;

// Plain bytes, so that it lies in columns and on devices. With one shape in the list nothing is asked at run time.
template <int D>
class WallShape {
 public:
  WallShape() : WallShape(WallPlane<D>{}) {}
  template <class S>
  WallShape(const S& shape) requires(!std::is_same_v<S, WallShape>) : kind_(index_of<S>()) {
    static_assert(std::is_trivially_copyable_v<S>);
    std::memcpy(bytes_, &shape, sizeof(S));
  }

  TALUS_HD Surface<D> at(const Vec<D>& x) const {
    return visit([&](const auto& shape) { return shape.at(x); });
  }
  TALUS_HD bool is_within(const Vec<D>& x, Real reach) const {
    return visit([&](const auto& shape) { return shape.is_within(x, reach); });
  }
  TALUS_HD Vec<D> direction() const {
    return visit([](const auto& shape) { return shape.direction(); });
  }
  // Unit, the axis that it may turn about and stay what it is; zero: none.
  Vec<D> turns_about() const {
    return visit([](const auto& shape) {
      if constexpr (requires { shape.turns_about(); }) return shape.turns_about();
      else return Vec<D>{};
    });
  }
  // Of a penetrometer: is this part of its surface the tip, and how wide is it?
  bool is_tip(u32 feature) const {
    return visit([&](const auto& shape) {
      if constexpr (requires { shape.is_tip(feature); }) return shape.is_tip(feature);
      else return true;
    });
  }
  Real widest() const {
    return visit([](const auto& shape) {
      if constexpr (requires { shape.widest(); }) return shape.widest();
      else return Real(0);
    });
  }
  bool is_flat() const {
    return visit([](const auto& shape) { return shape.is_flat; });
  }
  bool has_edge() const {
    return visit([](const auto& shape) { return requires { shape.has_edge; }; });
  }
  bool is_host_only() const {
    return visit([](const auto& shape) { return requires { shape.is_host_only; }; });
  }
  // Does the sample lie inside it, although it has no section across an axis of space?
  bool encloses() const {
    return visit([](const auto& shape) {
      if constexpr (requires { shape.encloses(); }) return shape.encloses();
      else return false;
    });
  }
  std::string_view name() const {
    return visit([](const auto& shape) { return shape.name; });
  }
  std::string_view placed_by() const {
    return visit([](const auto& shape) { return shape.placed_by; });
  }
  bool cuts(int axis) const {
    return visit([&](const auto& shape) { return shape.cuts(axis); });
  }
  TALUS_HD Real section(int axis, Real way = 0) const {
    return visit([&](const auto& shape) {
      if constexpr (requires { shape.section(axis, way); }) return shape.section(axis, way);
      else return Real(0);
    });
  }
  TALUS_HD Real girth(int axis, Real way = 0) const {
    return visit([&](const auto& shape) {
      if constexpr (requires { shape.girth(axis, way); }) return shape.girth(axis, way);
      else return Real(0);
    });
  }
  TALUS_HD Real own_area(Real way, Real bottom = -HUGE_VAL, Real top = HUGE_VAL) const {
    return visit([&](const auto& shape) {
      if constexpr (requires { shape.own_area(way, bottom, top); }) return shape.own_area(way, bottom, top);
      else return Real(0);
    });
  }
  TALUS_HD Real own_volume(Real way, Real bottom = -HUGE_VAL, Real top = HUGE_VAL) const {
    return visit([&](const auto& shape) {
      if constexpr (requires { shape.own_volume(way, bottom, top); }) return shape.own_volume(way, bottom, top);
      else return Real(0);
    });
  }
  // m, of the cylinder that it is a part of; 0: it is none.
  Real whole_radius() const {
    return visit([&](const auto& shape) {
      if constexpr (requires { shape.whole_radius(); }) return shape.whole_radius();
      else return Real(0);
    });
  }
  // The axis that all of it faces along or against, to rounding; -1: none.
  int axis() const {
    const Vec<D> d = direction();
    int along = -1;
    for (int k = 0; k < D; ++k)
      if (d[k] != 0 && std::abs(d[k]) == length(d)) along = k;
    return along;
  }
  // Does all of it face along this axis? 1: along it, -1: against it, 0: neither.
  TALUS_HD int faces_along(int axis) const {
    const Real d = direction()[axis];
    return d == 1 ? 1 : d == -1 ? -1 : 0;
  }

  // Calls f with each shape of the list, as an object that says nothing but its kind.
  template <class F>
  static void for_each_kind(F&& f) {
    [&]<std::size_t... K>(std::index_sequence<K...>) { (f(Kind<K>{}), ...); }
    (std::make_index_sequence<count>{});
  }
  // The shape of this name, read from a table of the scene; the name is in the list.
  static WallShape read(std::string_view name, Input& in, Vec<D>& position) {
    WallShape out;
    for_each_kind([&](const auto& kind) {
      if (kind.name == name) out = kind.read(in, position);
    });
    return out;
  }

 private:
  template <std::size_t K>
  using Kind = std::tuple_element_t<K, WallShapes<D>>;
  static constexpr std::size_t count = std::tuple_size_v<WallShapes<D>>;

  template <class S, std::size_t K = 0>
  static constexpr u32 index_of() {
    static_assert(K < count, "a wall's shape is one of WallShapes");
    if constexpr (std::is_same_v<S, Kind<K>>)
      return u32(K);
    else
      return index_of<S, K + 1>();
  }
  template <std::size_t K = 0, class F>
  TALUS_HD auto visit(const F& f) const {
    if constexpr (K + 1 < count)
      if (kind_ != K) return visit<K + 1>(f);
    return f(*reinterpret_cast<const Kind<K>*>(bytes_));
  }
  template <class... S>
  static constexpr std::size_t room_for(const std::tuple<S...>*) {
    return std::max({sizeof(S)...});
  }

  alignas(Real) unsigned char bytes_[room_for(static_cast<const WallShapes<D>*>(nullptr))];
  u32 kind_;
};

}  // namespace talus
