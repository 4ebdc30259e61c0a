#include <talus/impulse/block_cholesky.hpp>

#include <algorithm>
#include <bit>
#include <cmath>

#include <talus/core/lanes.hpp>

namespace talus::impulse {
namespace {

using Eight = VectorOf<8>::Reals;
typedef Real EightWords __attribute__((vector_size(64), may_alias));

EightWords& row_of(Real* at) { return *reinterpret_cast<EightWords*>(at); }
Real sum_of(const Eight& v) { return ((v[0] + v[1]) + (v[2] + v[3])) + (v[4] + v[5]); }

// Rows of 64 unknowns a word.
struct BitRows {
  std::size_t words;
  std::vector<u64> bit;
  explicit BitRows(std::size_t n) : words((n + 63) / 64), bit(n * words) {}
  u64* row(std::size_t i) { return bit.data() + i * words; }
  void set(std::size_t i, std::size_t j) { row(i)[j / 64] |= u64(1) << j % 64; }
  void clear(std::size_t i, std::size_t j) { row(i)[j / 64] &= ~(u64(1) << j % 64); }
};

}  // namespace

// ---- where blocks are ----------------------------------------------------------------------------------------------------

void BlockCholesky::lay_out(std::size_t unknowns, const std::vector<Link>& links, std::size_t most) {
  if (unknowns == unknowns_ && links == links_) return;
  unknowns_ = unknowns;
  links_ = links;
  cut(most);
  turn_.assign(unknowns, none);
  std::vector<std::vector<u32>> parts, below(unknowns);
  for (u32 u = 0; u < unknowns; ++u) {
    if (part_[u] >= parts.size()) parts.resize(part_[u] + 1);
    parts[part_[u]].push_back(u);
  }
  u32 first = 0;
  for (const std::vector<u32>& part : parts) {
    for (u32 k = 0; k < part.size(); ++k) turn_[part[k]] = first + k;  // in the part, until it is eliminated
    eliminate(part, below);
    first += u32(part.size());
  }
  make_columns(below);
  place_links();
}

// Parts grow along links from the first unknown that belongs to none.
void BlockCholesky::cut(std::size_t most) {
  part_.assign(unknowns_, 0);
  if (unknowns_ <= most) return;
  std::vector<u32> start(unknowns_ + 1, 0), other(2 * links_.size()), queue;
  for (const Link& l : links_) ++start[l.a + 1], ++start[l.b + 1];
  for (std::size_t u = 0; u < unknowns_; ++u) start[u + 1] += start[u];
  std::vector<u32> next(start.begin(), start.end() - 1);
  for (const Link& l : links_) other[next[l.a]++] = l.b, other[next[l.b]++] = l.a;
  std::fill(part_.begin(), part_.end(), none);
  u32 part = 0;
  std::size_t size = 0;
  for (u32 from = 0; from < unknowns_; ++from) {
    if (part_[from] != none) continue;
    queue.assign(1, from);
    part_[from] = part;
    ++size;
    for (std::size_t k = 0; k < queue.size() && size < most; ++k)
      for (u32 n = start[queue[k]]; n < start[queue[k] + 1] && size < most; ++n)
        if (part_[other[n]] == none) part_[other[n]] = part, queue.push_back(other[n]), ++size;
    if (size == most) ++part, size = 0;
  }
}

// Of one part: turns, and of each unknown those that it is coupled to when its turn comes.
void BlockCholesky::eliminate(const std::vector<u32>& part, std::vector<std::vector<u32>>& below) {
  const std::size_t n = part.size();
  if (n == 0) return;
  const u32 first = turn_[part[0]];
  BitRows coupled(n);
  for (const Link& l : links_)
    if (part_[l.a] == part_[part[0]] && part_[l.b] == part_[part[0]] && l.a != l.b) {
      coupled.set(turn_[l.a] - first, turn_[l.b] - first);
      coupled.set(turn_[l.b] - first, turn_[l.a] - first);
    }
  std::vector<u32> degree(n), turn(n);
  const auto count = [&](std::size_t i) {
    u32 sum = 0;
    for (std::size_t w = 0; w < coupled.words; ++w) sum += u32(std::popcount(coupled.row(i)[w]));
    return sum;
  };
  for (std::size_t i = 0; i < n; ++i) degree[i] = count(i);
  for (u32 k = 0; k < n; ++k) {
    const auto now = std::size_t(std::min_element(degree.begin(), degree.end()) - degree.begin());
    turn[now] = first + k;
    degree[now] = none;
    std::vector<u32>& to = below[part[now]];
    for (std::size_t w = 0; w < coupled.words; ++w)
      for (u64 left = coupled.row(now)[w]; left != 0; left &= left - 1) to.push_back(part[64 * w + std::size_t(std::countr_zero(left))]);
    for (const u32 u : to) {
      const std::size_t i = turn_[u] - first;
      for (std::size_t w = 0; w < coupled.words; ++w) coupled.row(i)[w] |= coupled.row(now)[w];
      coupled.clear(i, i);
      coupled.clear(i, now);
      degree[i] = count(i);
    }
  }
  for (std::size_t i = 0; i < n; ++i) turn_[part[i]] = turn[i];
}

void BlockCholesky::make_columns(const std::vector<std::vector<u32>>& below) {
  std::vector<u32> unknown(unknowns_);
  for (u32 u = 0; u < unknowns_; ++u) unknown[turn_[u]] = u;
  start_.assign(1, 0);
  row_.clear();
  products_ = 0;
  left_start_.assign(unknowns_ + 1, 0);
  for (u32 j = 0; j < unknowns_; ++j) {
    for (const u32 u : below[unknown[j]]) row_.push_back(turn_[u]), ++left_start_[turn_[u] + 1];
    std::sort(row_.begin() + start_[j], row_.end());
    start_.push_back(u32(row_.size()));
    const std::size_t size = start_[j + 1] - start_[j];
    products_ += size * (size + 3) / 2;
  }
  for (std::size_t j = 0; j < unknowns_; ++j) left_start_[j + 1] += left_start_[j];
  left_.resize(row_.size());
  std::vector<u32> next(left_start_.begin(), left_start_.end() - 1);
  for (u32 j = 0; j < unknowns_; ++j)
    for (u32 q = start_[j]; q < start_[j + 1]; ++q) left_[next[row_[q]]++] = {j, q};
}

void BlockCholesky::place_links() {
  place_.assign(links_.size(), {none, false});
  for (std::size_t n = 0; n < links_.size(); ++n) {
    const Link& l = links_[n];
    if (part_[l.a] != part_[l.b] || l.a == l.b) continue;
    const u32 column = std::min(turn_[l.a], turn_[l.b]), row = std::max(turn_[l.a], turn_[l.b]);
    const auto at = std::lower_bound(row_.begin() + start_[column], row_.begin() + start_[column + 1], row);
    place_[n] = {u32(at - row_.begin()), turn_[l.a] == column};
  }
}

// ---- numbers ---------------------------------------------------------------------------------------------------------------

void BlockCholesky::fill(const std::vector<SixBySix>& own, const std::vector<const SixBySix*>& coupling) {
  lower_.assign(row_.size(), {});
  diagonal_.resize(unknowns_);
  for (std::size_t u = 0; u < unknowns_; ++u)
    for (int j = 0; j < 6; ++j)
      for (int k = 0; k < 6; ++k) diagonal_[turn_[u]].at[j][k] = own[u].at[j][k];
  for (std::size_t n = 0; n < links_.size(); ++n) {
    if (place_[n].at == none) continue;
    Block& block = lower_[place_[n].at];
    for (int j = 0; j < 6; ++j)
      for (int k = 0; k < 6; ++k) block.at[j][k] += place_[n].turned ? coupling[n]->at[k][j] : coupling[n]->at[j][k];
  }
}

// What the columns before it take from a column.
void BlockCholesky::improve(u32 column) {
  for (u32 q = start_[column]; q < start_[column + 1]; ++q) where_[row_[q]] = q;
  for (u32 n = left_start_[column]; n < left_start_[column + 1]; ++n) {
    const Block& of = lower_[left_[n].at];
    Eight turned[6];
    for (int k = 0; k < 6; ++k) turned[k] = Eight{of.at[0][k], of.at[1][k], of.at[2][k], of.at[3][k], of.at[4][k], of.at[5][k], 0, 0};
    const auto take = [&turned](const Block& a, Block& c) {
      for (int j = 0; j < 6; ++j) {
        Eight sum = row_of(c.at[j]);
        for (int k = 0; k < 6; ++k) sum -= a.at[j][k] * turned[k];
        row_of(c.at[j]) = sum;
      }
    };
    take(of, diagonal_[column]);
    for (u32 q = left_[n].at + 1; q < start_[left_[n].column + 1]; ++q) take(lower_[q], lower_[where_[row_[q]]]);
  }
}

// The root of the block on the diagonal, its inverse in the place of the block, and the column divided by the root.
void BlockCholesky::finish(u32 column) {
  const Block sum = diagonal_[column];
  Real root[6][6]{};
  for (int j = 0; j < 6; ++j)
    for (int k = 0; k <= j; ++k) {
      Real rest = sum.at[j][k];
      for (int l = 0; l < k; ++l) rest -= root[j][l] * root[k][l];
      root[j][k] = j == k ? 1 / std::sqrt(rest) : rest * root[k][k];  // inverses on the diagonal
    }
  Block& inverse = diagonal_[column];
  inverse = {};
  for (int k = 0; k < 6; ++k)
    for (int j = k; j < 6; ++j) {
      Real rest = Real(j == k);
      for (int l = k; l < j; ++l) rest -= root[j][l] * inverse.at[l][k];
      inverse.at[j][k] = rest * root[j][j];
    }
  Eight turned[6];
  for (int k = 0; k < 6; ++k)
    turned[k] = Eight{inverse.at[0][k], inverse.at[1][k], inverse.at[2][k], inverse.at[3][k], inverse.at[4][k], inverse.at[5][k], 0, 0};
  for (u32 q = start_[column]; q < start_[column + 1]; ++q) {
    Block& block = lower_[q];
    for (int j = 0; j < 6; ++j) {
      Eight product = block.at[j][0] * turned[0];
      for (int k = 1; k < 6; ++k) product += block.at[j][k] * turned[k];
      row_of(block.at[j]) = product;
    }
  }
}

void BlockCholesky::factor(const std::vector<SixBySix>& own, const std::vector<const SixBySix*>& coupling) {
  fill(own, coupling);
  where_.resize(unknowns_);
  for (u32 j = 0; j < unknowns_; ++j) {
    improve(j);
    finish(j);
  }
}

void BlockCholesky::solve(std::vector<Six>& x) {
  x_.assign(unknowns_, {});
  for (std::size_t u = 0; u < unknowns_; ++u)
    for (int j = 0; j < 6; ++j) x_[turn_[u]].at[j] = x[u].at[j];
  for (u32 i = 0; i < unknowns_; ++i) {  // L y = r
    Eight sum[6]{};
    for (u32 n = left_start_[i]; n < left_start_[i + 1]; ++n) {
      const Eight& before = row_of(x_[left_[n].column].at);
      for (int j = 0; j < 6; ++j) sum[j] += row_of(lower_[left_[n].at].at[j]) * before;
    }
    Real rest[6];
    for (int j = 0; j < 6; ++j) rest[j] = x_[i].at[j] - sum_of(sum[j]);
    for (int j = 0; j < 6; ++j) {
      Real y = 0;
      for (int k = 0; k <= j; ++k) y += diagonal_[i].at[j][k] * rest[k];
      x_[i].at[j] = y;
    }
  }
  for (u32 i = u32(unknowns_); i-- > 0;) {  // L^T x = y
    Eight rest = row_of(x_[i].at);
    for (u32 q = start_[i]; q < start_[i + 1]; ++q) {
      const Row& after = x_[row_[q]];
      for (int j = 0; j < 6; ++j) rest -= after.at[j] * row_of(lower_[q].at[j]);
    }
    Eight found = rest[0] * row_of(diagonal_[i].at[0]);
    for (int j = 1; j < 6; ++j) found += rest[j] * row_of(diagonal_[i].at[j]);
    row_of(x_[i].at) = found;
  }
  for (std::size_t u = 0; u < unknowns_; ++u)
    for (int j = 0; j < 6; ++j) x[u].at[j] = x_[turn_[u]].at[j];
}

}  // namespace talus::impulse
