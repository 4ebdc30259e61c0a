#pragma once
// Coats and contacts of aggregates in space, solved together for the velocities of the bodies.
//
//   M (v - v_free) = sum J^T p(J v)
//   coat            p = h (a - b u), u the opening velocity
//   aggregates      p = max(0, q - w u) along the normal, across it q - w u within friction times the normal one
//
// Coats outnumber degrees of freedom, and h b K is 1e4 and more: impulses of coats are a poor unknown, velocities are a good one. A contact of aggregates is a
// stiff row that carries its push q over: from the step before, so that it is an elastic contact, or from round to round until p = q, so that it is rigid.
// With the bounds of friction as they were a round before, the velocities are where a convex potential is least: Newton's method with a search along its
// direction finds them from anywhere. Then the bounds follow, until both agree.
#include <vector>

#include <talus/impulse/block_system.hpp>
#include <talus/impulse/space_patch.hpp>

namespace talus::impulse {

// A coat between two bodies in one step: p = max(aim - weight u, least) along the normal, u the opening velocity; -lateral u across it.
struct SpaceCoat {
  SpacePatch patch;  // normal, levers, bodies; its impulse is found. Gap, friction and bias do not count
  Real aim = 0;      // N s
  Real weight = 0;   // N s per m/s: h b
  Real least = 0;    // N s; minus infinity where it may pull without a limit
  Real lateral = 0;  // N s per m/s
};

struct CompliantOptions {
  Real tolerance = 1e-3;      // of momentum and of the laws of contacts, over the mean impulse
  i64 max_rounds = 200;       // of Newton's method
  i64 max_iterations = 0;     // of conjugate gradients in all rounds; 0: without a limit
  Real give = 0;              // m/s, by which a contact of aggregates gives way under the mean impulse; 0: rigid
};

struct CompliantReport {
  i64 rounds = 0, iterations = 0;
  Real momentum = 0;  // largest momentum that a body is short of, over the mean impulse
  Real contact = 0;   // largest impulse by which a contact is off its law, over the mean impulse
  Real stiffest = 0;  // largest h b K of a coat
  bool not_converged = false;
};

class CompliantSolver {
 public:
  // `bodies`: velocities without contacts; those at the end of the step are put there. `guess`: where to begin. `order`: of the bodies in sums over
  // all of them; empty: as they lie. Points carry their impulses over.
  CompliantReport solve(std::vector<SpaceCoat>& coats, std::vector<SpacePatch>& points, std::vector<SpaceMotion>& bodies,
                        const std::vector<Twist>& guess, const CompliantOptions& options, const std::vector<u32>& order = {});

 private:
  // Its opening is on_a v_a + on_b v_b + bias.
  struct Row {
    u32 a, b;
    Twist on_a, on_b;  // as far as the bodies can follow
    Real bias;
  };
  struct Body {
    Real mass = 0;  // 0: it is driven
    Mat<3> inertia{};
    bool turns = false, along = false;
    Vec3 only{};  // where it is free along one direction alone
    Twist allowed(const Twist& t) const;
    Twist inertia_times(const Twist& t) const { return {mass * t.way, inertia * t.turn}; }
  };
  // A coat, or a contact of aggregates: its law in this step.
  struct Contact {
    u32 row = 0, rows = 1, pair = 0;
    bool is_coat = true;
    Real weight = 0, lateral = 0, least = 0;  // of coats as above; weight of contacts of aggregates in all directions
    Vec3 carried{};                           // N s, impulse without opening: aim, or the push that is carried over
    Real friction = 0, bound = 0;             // coefficient; N s
    Vec3 impulse_at(const Vec3& opening) const { return impulse_at(opening, bound); }
    Vec3 impulse_at(const Vec3& opening, Real limit) const;
  };
  using Coats = std::vector<SpaceCoat>;
  using Points = std::vector<SpacePatch>;

  void lay_out(const Coats& coats, const Points& points, const std::vector<SpaceMotion>& free, const std::vector<u32>& order);
  void lay_out_bodies(const std::vector<SpaceMotion>& free, const std::vector<u32>& order);
  void add_contact(const SpacePatch& p, bool is_coat, int rows, const std::vector<SpaceMotion>& free);
  void number_pairs();
  void begin_at(const std::vector<Twist>& guess);
  void choose_weights(Real give);
  Vec3 opening(const Contact& c, const std::vector<Twist>& v, bool with_bias) const;
  void find_impulses();
  Real shortage();  // N s, most momentum that a body is short of; puts rest_
  Real unsettled() const;  // N s, most by which contacts of aggregates are off their laws
  Real loose() const;      // m/s, most that a body alone would still be moved by; asks for the matrix
  Real mean_impulse() const;
  void forget_bounds();
  void settle();  // bounds of friction, and pushes of rigid contacts, follow
  bool carry_on(Real limit);
  void make_matrix(bool bodies_alone = false);
  void add_to_matrix(const Contact& c, const Vec3& opening, BodyPair& pair) const;
  Real slope_at(Real way) const;  // of the potential along change_
  Real step_along();

  std::vector<Row> rows_;
  std::vector<Contact> contacts_;  // coats, then points
  std::size_t coats_ = 0;
  std::vector<BodyPair> pairs_;
  std::vector<u32> start_, of_pair_;  // contacts of each pair
  struct Place {
    u32 row;
    bool is_a;
  };
  std::vector<u32> body_start_;  // of each body's places
  std::vector<Place> places_;    // in order of rows
  std::vector<Body> bodies_;
  std::vector<u32> moving_;  // bodies that move, in the order of sums over them
  std::vector<Real> arm_;    // m, by which moments are compared with impulses
  std::vector<SixBySix> own_;
  BlockSystem system_;
  bool rigid_ = false;
  std::vector<Twist> free_, velocity_, rest_, change_;
  std::vector<Vec3> opening_, towards_, impulse_;  // of contacts; of change_ in the second
  std::vector<Real> last_bound_, last_lack_;               // N s, of contacts of aggregates: bounds, and by how much they were too small
  std::vector<std::vector<Real>> step_bound_, step_lack_;  // their last changes
  std::vector<u32> near_;                          // contacts that change_ may reach
  std::vector<Real> row_push_;                     // N s
};

}  // namespace talus::impulse
