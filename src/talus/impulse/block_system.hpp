#pragma once
// A symmetric, positive system with an unknown twist for each free body, coupled pair by pair: solved by conjugate gradients, preconditioned with Cholesky's factors
// of parts of the matrix, or of all of it where that takes many iterations. A product is one 6 x 6 block for each body that a body is coupled to, whatever number of rows a pair has;
// couplings with bodies that do not move count on the diagonal alone.
#include <vector>

#include <talus/impulse/block_cholesky.hpp>

namespace talus::impulse {

// Velocities of a body, or what is dual to them.
struct Twist {
  Vec3 way{}, turn{};
  Twist& operator+=(const Twist& o) { return way += o.way, turn += o.turn, *this; }
};
inline Twist operator+(Twist a, const Twist& b) { return a += b; }
inline Twist operator*(Real s, const Twist& t) { return {s * t.way, s * t.turn}; }
inline Real dot(const Twist& a, const Twist& b) { return dot(a.way, b.way) + dot(a.turn, b.turn); }

// Lower triangle of weight x x^T.
void add_square(SixBySix& m, Real weight, const Twist& x);
// weight x y^T.
void add_product(SixBySix& m, Real weight, const Twist& x, const Twist& y);

// Two bodies that rows act on, and what the rows add to the matrix.
struct BodyPair {
  u32 a, b;
  SixBySix aa, ab, bb;  // lower triangles of aa and bb
  // A row with its share on each of the two.
  void add(Real weight, const Twist& on_a, const Twist& on_b) {
    add_square(aa, weight, on_a);
    add_product(ab, weight, on_a, on_b);
    add_square(bb, weight, on_b);
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
  // When a remainder is small enough: its ways and turns over the bodies' arms, and what it would move bodies by (turns times arms).
  struct Enough {
    const std::vector<Real>& arm;
    Real rest, moved;
  };
  // x, of bodies, with A x = rest, up to such a remainder. The number of iterations.
  i64 solve(const std::vector<Twist>& rest, std::vector<Twist>& x, const Enough& enough, i64 most);

 private:
  struct Entry {
    u32 pair, other;  // an unknown, or `none`
    bool is_a;
  };
  static constexpr u32 none = ~u32(0);

  Six times(std::size_t unknown) const;  // the matrix on ahead_
  void precondition();  // left_ to solved_
  void factor();
  i64 iterate(const Enough& enough, i64 most, bool& solved);
  Real left_over(const Enough& enough) const;  // of a remainder, over what is enough
  void begin(const std::vector<Twist>& rest);
  Real sum_of_shares() const;

  std::vector<u32> body_;     // of each unknown
  std::vector<u32> unknown_;  // of each body
  std::vector<u32> start_;    // of each unknown's entries
  std::vector<Entry> entries_;
  const std::vector<BodyPair>* pairs_ = nullptr;
  std::vector<SixBySix> block_, root_;  // of each unknown; the root with inverses on its diagonal
  std::vector<u32> coupling_;           // pairs of two unknowns
  std::vector<BlockCholesky::Link> links_;
  BlockCholesky parts_, whole_;
  bool as_whole_ = false;  // parts took too many iterations in this layout
  std::vector<Six> left_, solved_, ahead_, times_, found_;
  std::vector<Real> share_;  // of a sum over unknowns
};

}  // namespace talus::impulse
