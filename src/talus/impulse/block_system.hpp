#pragma once
// A symmetric, positive system with an unknown twist for each free body, coupled pair by pair: solved by conjugate gradients, preconditioned with its blocks of
// one body. A product is one 6 x 6 block for each body that a body is coupled to, whatever number of rows a pair has; couplings with bodies that do not move
// count on the diagonal alone.
//
// Scaling the couplings by the roots of the blocks would save the solutions of these in each iteration. It costs as much as twelve iterations, and a
// matrix is used for about ten.
#include <vector>

#include <talus/core/vec.hpp>

namespace talus::impulse {

// Velocities of a body, or what is dual to them.
struct Twist {
  Vec3 way{}, turn{};
  Twist& operator+=(const Twist& o) { return way += o.way, turn += o.turn, *this; }
};
inline Twist operator+(Twist a, const Twist& b) { return a += b; }
inline Twist operator*(Real s, const Twist& t) { return {s * t.way, s * t.turn}; }
inline Real dot(const Twist& a, const Twist& b) { return dot(a.way, b.way) + dot(a.turn, b.turn); }

struct SixBySix {
  Real at[6][6]{};
  // Lower triangle of weight x x^T.
  void add_square(Real weight, const Twist& x);
  // weight x y^T.
  void add_product(Real weight, const Twist& x, const Twist& y);
};

// Two bodies that rows act on, and what the rows add to the matrix.
struct BodyPair {
  u32 a, b;
  SixBySix aa, ab, bb;  // lower triangles of aa and bb
  // A row with its share on each of the two.
  void add(Real weight, const Twist& on_a, const Twist& on_b) {
    aa.add_square(weight, on_a);
    ab.add_product(weight, on_a, on_b);
    bb.add_square(weight, on_b);
  }
};

class BlockSystem {
 public:
  // `free`: bodies that are unknowns, in the order of sums over all; of so many `bodies`. `pairs` may be filled later.
  void lay_out(std::size_t bodies, const std::vector<u32>& free, const std::vector<BodyPair>& pairs);
  // `own`: lower triangle of each body's own share. The pairs stay where they are until the system is solved.
  void take(const std::vector<BodyPair>& pairs, const std::vector<SixBySix>& own);
  // Solves the block of one body alone.
  Twist block_solved(u32 body, const Twist& r) const;
  // When a remainder is small enough: its ways and turns over the bodies' arms, and what it would move its body by if it were alone (turns times arms).
  struct Enough {
    const std::vector<Real>& arm;
    Real rest, moved;
  };
  // x, of bodies, with A x = rest, up to such a remainder. The number of iterations.
  i64 solve(const std::vector<Twist>& rest, std::vector<Twist>& x, const Enough& enough, i64 most);

 private:
  struct Six {
    Real at[6]{};
  };
  struct Entry {
    u32 pair, other;  // an unknown, or `none`
    bool is_a;
  };
  static constexpr u32 none = ~u32(0);

  Six times(std::size_t unknown) const;  // the matrix on ahead_
  Six solved(std::size_t unknown, const Six& r) const;
  void begin(const std::vector<Twist>& rest);
  Real sum_of_shares() const;

  std::vector<u32> body_;     // of each unknown
  std::vector<u32> unknown_;  // of each body
  std::vector<u32> start_;    // of each unknown's entries
  std::vector<Entry> entries_;
  const std::vector<BodyPair>* pairs_ = nullptr;
  std::vector<SixBySix> block_, root_;  // of each unknown; the root with inverses on its diagonal
  std::vector<Six> left_, solved_, ahead_, times_, found_;
  std::vector<Real> share_;  // of a sum over unknowns
};

}  // namespace talus::impulse
