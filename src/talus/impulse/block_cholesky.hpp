#pragma once
// Cholesky's factors A = L L^T of a symmetric, positive matrix of 6 x 6 blocks, most of which are zero: one unknown for each body, one block for each two that touch.
//
// Unknowns are eliminated in the order of least degree: that with the fewest neighbours first, whose neighbours then are coupled with each other. Grains that touch
// fill up slowly: 300 of them have seven times the blocks that they had, 1,500 ten times. The work grows with the square of the number, so a large
// system is cut into parts, and what couples parts is left out: the factors are a preconditioner then.
//
// A factor is found column by column, each from those before it in order of elimination: the order of sums is that of the matrix alone.
#include <vector>

#include <talus/core/vec.hpp>

namespace talus::impulse {

struct Six {
  Real at[6]{};
};
struct SixBySix {
  Real at[6][6]{};
};

class BlockCholesky {
 public:
  // Two unknowns that are coupled.
  struct Link {
    u32 a, b;
    friend bool operator==(const Link&, const Link&) = default;
  };

  // `most`: unknowns of a part. Nothing is done where the links are those of before.
  void lay_out(std::size_t unknowns, const std::vector<Link>& links, std::size_t most);
  // Blocks of the unknowns, and of links: rows of a, columns of b.
  void factor(const std::vector<SixBySix>& own, const std::vector<const SixBySix*>& coupling);
  // L L^T x = r, in place.
  void solve(std::vector<Six>& x);

  std::size_t blocks() const { return lower_.size(); }   // of L below its diagonal
  std::size_t products() const { return products_; }     // of blocks, that factors take

 private:
  // Rows of eight: six and two zeros.
  struct alignas(64) Block {
    Real at[6][8]{};
  };
  struct alignas(64) Row {
    Real at[8]{};
  };
  static constexpr u32 none = ~u32(0);

  void cut(std::size_t most);  // puts part_
  void eliminate(const std::vector<u32>& part, std::vector<std::vector<u32>>& below);
  void make_columns(const std::vector<std::vector<u32>>& below);
  void place_links();
  void fill(const std::vector<SixBySix>& own, const std::vector<const SixBySix*>& coupling);
  void improve(u32 column);
  void finish(u32 column);

  std::vector<Link> links_;
  std::size_t unknowns_ = 0, products_ = 0;
  std::vector<u32> part_;   // of each unknown
  std::vector<u32> turn_;   // of each unknown: when it is eliminated
  std::vector<u32> start_, row_;  // of each column: rows below the diagonal, ascending
  struct Left {
    u32 column, at;
  };
  std::vector<u32> left_start_;  // of each row: blocks left of the diagonal
  std::vector<Left> left_;
  struct Place {
    u32 at;  // none: between parts
    bool turned;
  };
  std::vector<Place> place_;   // of each link's block
  std::vector<Block> lower_, diagonal_;  // of the diagonal the inverses of its roots
  std::vector<u32> where_;     // of each row in the column at hand
  std::vector<Row> x_;
};

}  // namespace talus::impulse
