#pragma once
// Coats and rigid points of contact in space, solved together for the velocities of the bodies.
//
//   M (v - v_free) = sum J^T p(J v),    p of a coat: h (a - b u), of a rigid point: Signorini and Coulomb
//
// Coats outnumber degrees of freedom, and h b K is 1e4 and more: impulses of coats are a poor unknown, velocities are a good one. Where p is linear the
// matrix is M + sum w J^T J, symmetric and positive; conjugate gradients solve it, preconditioned by its blocks of one body (6 x 6). Rigid points are
// rows of a large w with a multiplier q, p = max(0, q - w u), and q becomes p until they agree; friction is reweighted to its bound.
#include <vector>

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
  Real tolerance = 1e-3;   // of momentum and of rigid contacts, over the mean impulse
  i64 max_rounds = 200;    // of reweighting
  i64 max_iterations = 0;  // of conjugate gradients in a round; 0: as many as there are degrees of freedom
};

struct CompliantReport {
  i64 rounds = 0, iterations = 0;
  Real momentum = 0;  // largest momentum that a body is short of, over the mean impulse
  Real contact = 0;   // largest change that rigid contacts still ask for, over the mean impulse
  Real stiffest = 0;  // largest h b K of a coat
  bool not_converged = false;
};

// Velocities of a body, or what is dual to them.
struct Twist {
  Vec3 way{}, turn{};
  Twist& operator+=(const Twist& o) { return way += o.way, turn += o.turn, *this; }
};
inline Twist operator+(Twist a, const Twist& b) { return a += b; }
inline Twist operator*(Real s, const Twist& t) { return {s * t.way, s * t.turn}; }
inline Real dot(const Twist& a, const Twist& b) { return dot(a.way, b.way) + dot(a.turn, b.turn); }

class CompliantSolver {
 public:
  // `bodies`: velocities without contacts; those at the end of the step are put there. `guess`: where to begin. `order`: of the bodies in sums over
  // all of them; empty: as they lie. Points start from their impulses.
  CompliantReport solve(std::vector<SpaceCoat>& coats, std::vector<SpacePatch>& points, std::vector<SpaceMotion>& bodies,
                        const std::vector<Twist>& guess, const CompliantOptions& options, const std::vector<u32>& order = {});

 private:
  // One impulse; it changes by -weight times its opening u = on_a v_a + on_b v_b + bias.
  struct Row {
    u32 a, b;
    Twist on_a, on_b;  // as far as the bodies can follow
    Real bias, weight = 0;
  };
  // How a body answers.
  struct Body {
    Real mass = 0;  // 0: it is driven
    Mat<3> inertia{};
    bool turns = false, along = false;
    Vec3 only{};        // where it is free along one direction alone
    Real root[6][6]{};  // of its block of the matrix (Cholesky), lower triangle
    Twist allowed(const Twist& t) const;
    Twist inertia_times(const Twist& t) const;
    Twist block_solved(const Twist& r) const;
  };
  struct Place {
    u32 row;
    bool is_a;
  };
  using Coats = std::vector<SpaceCoat>;
  using Points = std::vector<SpacePatch>;

  void lay_out(const Coats& coats, const Points& points, const std::vector<SpaceMotion>& free);
  void add_row(const SpacePatch& p, int axis, Real bias, const std::vector<SpaceMotion>& free);
  // Impulses and weights at the velocities as they are.
  void linearise(const Coats& coats, const Points& points);
  void linearise_coat(const SpaceCoat& c, std::size_t k);
  void linearise_point(const SpacePatch& p, std::size_t k);
  void make_blocks();
  Real shortage();  // N s, most momentum that a body is short of
  Real unsettled() const;  // N s, most by which points and their multipliers differ
  Real mean_impulse() const;
  i64 find_change(Real tolerance, i64 most, const std::vector<u32>& order);
  void multiply();  // ahead_ to times_
  template <class Impulse>
  Twist gathered(std::size_t body, const Impulse& of) const;
  Real opening(const Row& r, const std::vector<Twist>& v) const { return dot(r.on_a, v[r.a]) + dot(r.on_b, v[r.b]); }

  std::vector<Row> rows_;
  std::vector<u32> first_row_;     // of coats, then of points; one more at the end
  std::vector<u32> start_;         // of each body's places
  std::vector<Place> places_;      // in order of rows
  std::vector<Body> bodies_;
  std::vector<Real> arm_;          // m, by which moments are compared with impulses
  std::vector<Vec3> impulse_, multiplier_;  // N s; of coats, then of points; of points
  std::vector<Real> push_;                  // N s per m/s, of points
  std::vector<Twist> free_, velocity_, rest_, change_, ahead_, times_, solved_;
  std::vector<Real> row_push_;  // N s
};

}  // namespace talus::impulse
