#pragma once
// Multi-contact models: what a normal force at one contact of a grain does to its surface at another. A positive result
// is a displacement: the surface there moves outwards, the overlap grows. Models and equations: docs/laws/multi_contact.md.
//
// A kernel is a struct with
//   name, about   words for the scene file and the help
//   couple        m/N: outward displacement at contact c per unit of force at contact k of the same grain
//   is_symmetric  is that also, to the last bit, what c does at k?
//   shear         m/N, if the kernel knows it: outward displacement at c per unit of T . n_c, T the force across the normal at k
// On a grain that is the same in all directions `couple` needs the angle between the two inward normals and the distances of
// both contacts from the centre, nothing else. It is written for a scalar type T: one pair of contacts, or one in every lane.
#include <string>
#include <tuple>
#include <vector>

#include <talus/contact/material.hpp>
#include <talus/core/lanes.hpp>
#include <talus/core/vec.hpp>
#include <talus/exec/column.hpp>

namespace talus {

// Of one material; a rigid one has zeros and never bulges.
struct MultiContactConstants {
  Real compliance = 0;  // 1/Pa, gamma (1 + nu) / (2 pi E)
  Real poisson = 0;
  Real table = 0;  // first entry of its table
};

// Kernel g of the exact solution for a normal point force on a sphere (Bondareva): series in Legendre polynomials without
// the rigid shift n = 1. `regular` leaves the singular part -2 (1 - nu) / s out; s = sin(theta / 2) in 0..1.
Real point_on_sphere_regular(Real poisson, Real s);

// Largest displacement of any kernel, times the diameter and over the force, 1/Pa: (2) of the docs is largest opposite the
// contact, 3 - 2 nu; the rest is for contacts of deformed grains, which lie nearer to one another.
TALUS_HD Real displacement_bound(const MultiContactConstants& q) {
  return Real(1.5) * (3 - 2 * q.poisson) * q.compliance;
}

inline constexpr std::size_t kernel_table_size = 1024;  // intervals of s; each node has value and slope

// Two contacts on one grain.
template <class T>
struct ContactPair {
  T cosine;        // of the angle between their inward normals
  T arm_k, arm_c;  // m, from the centre
};

struct HalfSpace {
  static constexpr std::string_view name = "half-space";
  static constexpr std::string_view about =
      "point force on an elastic half-space, at the contact points of the deformed grain";
  TALUS_HD static bool is_symmetric(const MultiContactConstants& q) { return q.poisson == 0.5; }
  // Boussinesq, Eq. (1) of Brodu et al. 2015, with d = x_c - x_k = arm_k n_k - arm_c n_c.
  template <class T>
  TALUS_HD T couple(const MultiContactConstants& q, Real, const ContactPair<T>& p) const {
    const T along_k = p.arm_k - p.arm_c * p.cosine, along_c = p.arm_k * p.cosine - p.arm_c;  // n_k . d, n_c . d
    const T inverse = inverse_root(p.arm_k * along_k - p.arm_c * along_c);
    T sum = along_k * along_c * (inverse * inverse) + T(3 - 4 * q.poisson) * p.cosine;
    if (q.poisson != 0.5)
      sum = sum - T(1 - 2 * q.poisson) * (p.cosine + along_c * inverse) / (T(1) + along_k * inverse);
    return T(-q.compliance) * inverse * sum;
  }
  // Cerruti. T is at right angles to n_k, so T . d = -arm_c T . n_c: all terms have this factor.
  template <class T>
  TALUS_HD T shear(const MultiContactConstants& q, Real, const ContactPair<T>& p) const {
    const T along_k = p.arm_k - p.arm_c * p.cosine, along_c = p.arm_k * p.cosine - p.arm_c;
    const T inverse = inverse_root(p.arm_k * along_k - p.arm_c * along_c);
    const T deep = along_k * inverse, turned = along_c * inverse, share = p.arm_c * inverse;
    T sum = T(1) - share * turned;
    if (q.poisson != 0.5) {
      const T under = T(1) / (T(1) + deep);
      sum = sum + T(1 - 2 * q.poisson) * under * (T(1) + share * under * (turned - (T(1) + T(2) * deep) * p.cosine));
    }
    return T(-q.compliance) * inverse * sum;
  }
};

struct SphereToSphere {
  static constexpr std::string_view name = "sphere-to-sphere";
  static constexpr std::string_view about =
      "the half-space solution with contacts kept on the undeformed sphere (Gonzalez & Cuitino)";
  TALUS_HD static bool is_symmetric(const MultiContactConstants&) { return true; }
  template <class T>
  TALUS_HD T couple(const MultiContactConstants& q, Real radius, const ContactPair<T>& p) const {
    const Real nu = q.poisson;
    const T square = T(0.5) * (T(1) - p.cosine), inverse = inverse_root(square);
    const T g = (T(7 - 8 * nu) * square - T(2 * (1 - nu))) * inverse - T(2 * (1 - 2 * nu));
    return T(q.compliance / (2 * radius)) * g;
  }
  template <class T>
  TALUS_HD T shear(const MultiContactConstants& q, Real radius, const ContactPair<T>& p) const {
    const T square = T(0.5) * (T(1) - p.cosine), inverse = inverse_root(square), s = square * inverse;
    T g = T(1.5);
    if (q.poisson != 0.5) g = g + T(0.5 - q.poisson) * (T(4) * square - T(1)) * inverse / (T(1) + s);
    return T(-q.compliance / (2 * radius)) * inverse * g;
  }
};

struct PointOnSphere {
  static constexpr std::string_view name = "point-on-sphere";
  static constexpr std::string_view about = "point force on a sphere whose surface is free elsewhere (Bondareva)";
  Span<const Real> table;
  TALUS_HD static bool is_symmetric(const MultiContactConstants&) { return true; }

  TALUS_HD Real regular(const MultiContactConstants& q, Real s) const {
    const Real at = s * Real(kernel_table_size);
    const auto cell = at < Real(kernel_table_size) ? std::size_t(at) : kernel_table_size - 1;
    const Real x = at - Real(cell), y = 1 - x;
    const Real* node = table.data + std::size_t(q.table) + 2 * cell;
    return y * y * ((1 + 2 * x) * node[0] + x * node[1]) + x * x * ((1 + 2 * y) * node[2] - y * node[3]);
  }
  // What a contact does to itself beyond Hertz, per unit of force: the part of the sphere's answer that a half-space lacks.
  // Contacts that push one another add up to a rigid shift; taking it out is a term of the contact itself.
  TALUS_HD Real self(const MultiContactConstants& q, Real radius, Real contact_radius) const {
    return q.compliance / (2 * radius) * regular(q, q.poisson == 0.5 ? Real(0) : contact_radius / (2 * radius));
  }
  TALUS_HD Real couple(const MultiContactConstants& q, Real radius, const ContactPair<Real>& p) const {
    const Real s = sqrt(Real(0.5) * (1 - p.cosine));
    return q.compliance / (2 * radius) * (regular(q, s) - 2 * (1 - q.poisson) / s);
  }
#if !defined(__CUDACC__)
  template <int N>
  Lanes<N> couple(const MultiContactConstants& q, Real radius, const ContactPair<Lanes<N>>& p) const {
    Lanes<N> out;
    for (int k = 0; k < N; ++k)
      out.v[k] = couple(q, radius, ContactPair<Real>{p.cosine.v[k], p.arm_k.v[k], p.arm_c.v[k]});
    return out;
  }
#endif
};

// The list of models. `multi-contact` is the half-space with a free factor gamma; `independent` has no kernel.
enum class MultiContactKind : u32 { independent, point_on_sphere, sphere_to_sphere, half_space, multi_contact };
inline std::vector<std::string> multi_contact_names() {
  return {"independent", std::string(PointOnSphere::name), std::string(SphereToSphere::name),
          std::string(HalfSpace::name), "multi-contact"};
}

struct MultiContactModel {
  MultiContactKind kind = MultiContactKind::independent;
  Real gamma = 1;           // multiplies every displacement
  bool self_term = false;   // of point-on-sphere
  bool tangential = false;  // friction forces move surfaces too
  bool iterate = false;     // solve each step to the tolerance; false: forces of the last step, once
  Real tolerance = 1e-10;   // of iterated forces, over the largest
  i64 max_iterations = 2000;
  Real reach = 0.15;  // gaps up to this share of the two radii are watched: displacements may close them
  Column<MultiContactConstants> constants;  // of each material
  Column<Real> table;

  bool acts() const { return kind != MultiContactKind::independent; }
  Real search_reach() const { return acts() ? reach : 0; }
  // Fills the constants; to be called when kind, gamma and materials are known.
  void prepare(const std::vector<Material>& materials);
};

// Calls f with the kernel of a model that acts.
template <class F>
void with_kernel(const MultiContactModel& model, F&& f) {
  switch (model.kind) {
    case MultiContactKind::independent:
      return;
    case MultiContactKind::point_on_sphere:
      return f(PointOnSphere{model.table.span()});
    case MultiContactKind::sphere_to_sphere:
      return f(SphereToSphere{});
    case MultiContactKind::half_space:
    case MultiContactKind::multi_contact:
      return f(HalfSpace{});
  }
}

// What a contact of a multi-contact model remembers of its last step. All that the pass over its two grains needs lies in one line
// of the cache.
template <class T>
struct alignas(2 * sizeof(T)) LoadOf {
  Vec<3, T> normal{};  // unit, from body b to body a
  T depth{};           // m, radius minus arm of both bodies, as long as none of them bulges
  T skew{};            // m, half of what body a bulges more than body b: the contact point lies by so much nearer to b
  T force{};           // N, elastic normal force; 0: it does not touch
  T displacement{};    // m, that was in its overlap
  T mode{};            // 1, its entry in the slowest mode of the map from forces to forces, see design note 018
};
using Load = LoadOf<Real>;

// One number for each body of a row.
template <class T>
struct SidesOf {
  T a{}, b{};
};
using Sides = SidesOf<Real>;

}  // namespace talus
