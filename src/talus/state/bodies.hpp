#pragma once
// The bodies: grains first, in spatial order, then driven bodies (walls) in order of uid. An index means nothing
// beyond the current step; a uid names a body for ever.
#include <vector>

#include <talus/core/quat.hpp>
#include <talus/exec/column.hpp>
#include <talus/state/columns.hpp>

namespace talus {

// Energy that left or entered through one body since the start, J. Summed in uid order when measured.
struct BodyWork {
  Real friction = 0;   // slid or rolled away at contacts whose first body this is
  Real viscous = 0;    // taken by dashpots of those contacts
  Real stiffness = 0;  // lost because springs changed their stiffness under load
  Real growth = 0;     // put in by growing radii
  Real local = 0;      // taken by local damping of this body
  Real gravity = 0;    // put in by gravity
};

// Of a wall whose surface moves along its own normal everywhere: a cylinder that closes in. Of other bodies nothing.
struct Closing {
  Real way = 0;    // m, that the surface has moved into the sample; its shape states where it began
  Real speed = 0;  // m/s, of this step, into the sample
  Real push = 0;   // N, sum of the normal forces of the sample on it, out of the sample
};

template <int D>
struct Bodies : Table<Bodies<D>> {
  Column<u32> uid, material, shape;
  Column<Vec<D>> position, velocity, force;
  Column<Spin<D>> spin, torque;
  Column<Spin<D>> turn, turn_start;  // balls have none: nobody sees how they are turned
  Column<Quat> orientation;
  Column<Real> radius, mass, inverse_mass, inverse_inertia;
  Column<Vec<D>> start;
  Column<Vec3> inverse_moments;
  Column<Vec<D>> applied;
  Column<Real> applied_work;
  Column<BodyWork> work;
  Column<Real> model_work;
  Column<Closing> closing;

  std::size_t size() const { return uid.size(); }

  template <class Self, class F>
  static constexpr void visit(Self& s, F&& f) {
    f(About{"uid", "1", "lasting number of the body"}, s.uid);
    f(About{"material", "1", "index of its material"}, s.material);
    f(About{"shape", "1", "index of its shape"}, s.shape);
    f(About{"position", "m", "centre; not wrapped at periodic edges"}, s.position);
    f(About{"velocity", "m/s", "of the centre; in a deforming cell without the affine part"}, s.velocity);
    f(About{"spin", "rad/s", "angular velocity"}, s.spin);
    f(About{"turn", "rad", "angle it has turned by, full turns counted"}.with(kept::turns), s.turn);
    f(About{"turn_start", "rad", "its turn when a stage began that asks how far grains turn"}.with(kept::turn_start), s.turn_start);
    f(About{"orientation", "1", "quaternion w, x, y, z: turns the axes of the shape into space"}.with(kept::orientations), s.orientation);
    f(About{"force", "N", "total at the end of the step, damping and gravity included"}, s.force);
    f(About{"torque", "N m", "total at the end of the step"}, s.torque);
    f(About{"radius", "m", "at radius scale 1; 0 for walls"}, s.radius);
    f(About{"mass", "kg", "density scaling included; 0 for driven bodies"}, s.mass);
    f(About{"inverse_mass", "1/kg", "0 for driven bodies and for grains that are held"}, s.inverse_mass);
    f(About{"inverse_inertia", "1/(kg m^2)", "0 where rotation is inhibited"}, s.inverse_inertia);
    f(About{"start", "m", "its position when a stage of shear began"}.with(kept::start), s.start);
    f(About{"inverse_moments", "1/(kg m^2)", "about the main axes of the shape; 0 where rotation is inhibited"}.with(kept::orientations), s.inverse_moments);
    f(About{"applied", "N", "force that acts on the centre from outside, beyond gravity"}.with(kept::applied), s.applied);
    f(About{"applied_work", "J", "what it has put in since the start"}.with(kept::applied).inherited(), s.applied_work);
    f(About{"work", "J", "energy ledger of the body: friction, viscous, stiffness, growth, local, gravity"}
          .with(kept::ledger)
          .inherited(),
      s.work);
    f(About{"model_work", "J",
            "put in by a multi-contact model that is not conservative, at contacts whose first body this is"}
          .with(kept::ledger | kept::multi_contact)
          .inherited(),
      s.model_work);
    f(About{"closing", "m, m/s, N", "of walls that close in: way and speed of the surface along its normal, sum of normal forces on it"}.with(kept::closing), s.closing);
  }

  void take_forces() {  // from outside, zero at first
    applied.assign(size(), {});
    applied_work.assign(size(), 0);
  }
};

// J, of a body's rotation.
template <int D>
Real spin_energy(const Bodies<D>& b, std::size_t i) {
  if constexpr (D == 3)
    if (!b.orientation.empty()) {
      const Vec3 spin = b.orientation[i].turned_back(b.spin[i]), inverse = b.inverse_moments[i];
      Real sum = 0;
      for (int k = 0; k < 3; ++k)
        if (inverse[k] > 0) sum += Real(0.5) / inverse[k] * spin[k] * spin[k];
      return sum;
    }
  return b.inverse_inertia[i] > 0 ? Real(0.5) / b.inverse_inertia[i] * dot(b.spin[i], b.spin[i]) : 0;
}

// Where the body of each uid is; anything for uids of bodies that are gone.
template <int D>
std::vector<u32> index_by_uid(const Bodies<D>& b) {
  u32 most = 0;
  for (const u32 uid : b.uid) most = uid < most ? most : uid;
  std::vector<u32> index(std::size_t(most) + 1);
  for (std::size_t i = 0; i < b.size(); ++i) index[b.uid[i]] = u32(i);
  return index;
}

}  // namespace talus
