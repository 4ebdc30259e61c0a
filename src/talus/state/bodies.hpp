#pragma once
// The bodies: grains first, in spatial order, then driven bodies (walls) in order of uid. An index means nothing
// beyond the current step; a uid names a body for ever.
#include <vector>

#include <talus/core/vec.hpp>
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

template <int D>
struct Bodies {
  Column<u32> uid, material, shape;
  Column<Vec<D>> position, velocity, force;
  Column<Spin<D>> spin, torque;
  Column<Spin<D>> turn;        // empty when all grains are balls: nobody sees how a ball is turned
  Column<Spin<D>> turn_start;  // empty until a stage asks how far grains turn
  Column<Real> radius, mass, inverse_mass, inverse_inertia;
  Column<Vec<D>> applied;     // empty when nothing but gravity acts from outside
  Column<Real> applied_work;  // together with it
  Column<BodyWork> work;      // empty when the scene keeps no energy ledger
  Column<Real> model_work;    // empty without a ledger or a multi-contact model

  std::size_t size() const { return uid.size(); }

  template <class Self, class F>
  static void visit(Self& s, F&& f) {
    f(About{"uid", "1", "lasting number of the body"}, s.uid);
    f(About{"material", "1", "index of its material"}, s.material);
    f(About{"shape", "1", "index of its shape"}, s.shape);
    f(About{"position", "m", "centre; not wrapped: a body that leaves the cell goes on counting"}, s.position);
    f(About{"velocity", "m/s", "of the centre; in a deforming cell without the affine part"}, s.velocity);
    f(About{"spin", "rad/s", "angular velocity"}, s.spin);
    f(About{"turn", "rad", "angle it has turned by, full turns counted"}, s.turn);
    f(About{"turn_start", "rad", "its turn when that stage began"}, s.turn_start);
    f(About{"force", "N", "total at the end of the step, damping and gravity included"}, s.force);
    f(About{"torque", "N m", "total at the end of the step"}, s.torque);
    f(About{"radius", "m", "at radius scale 1; 0 for walls"}, s.radius);
    f(About{"mass", "kg", "density scaling included; 0 for driven bodies"}, s.mass);
    f(About{"inverse_mass", "1/kg", "0 for driven bodies"}, s.inverse_mass);
    f(About{"inverse_inertia", "1/(kg m^2)", "0 where rotation is inhibited"}, s.inverse_inertia);
    f(About{"applied", "N", "force that acts on the centre from outside"}, s.applied);
    f(About{"applied_work", "J", "what it has put in since the start"}, s.applied_work);
    f(About{"work", "J", "energy ledger of the body: friction, viscous, stiffness, growth, local, gravity"}, s.work);
    f(About{"model_work", "J",
            "put in by a multi-contact model that is not conservative, at contacts whose first body this is"},
      s.model_work);
  }

  // Without forces from outside: `take_forces` makes room for them.
  void resize(std::size_t n, bool ledger, bool turns = false) {
    visit(*this, [&](const About&, auto& column) { column.resize(n); });
    turn_start.release();
    applied.release();
    applied_work.release();
    model_work.release();
    if (!ledger) work.release();
    if (!turns) turn.release();
  }
  void take_forces() {
    applied.assign(size(), {});
    applied_work.assign(size(), 0);
  }
};

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
