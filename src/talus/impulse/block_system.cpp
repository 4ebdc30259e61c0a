#include <talus/impulse/block_system.hpp>

#include <cmath>

#include <talus/exec/host.hpp>

namespace talus::impulse {
namespace {

using exec::Host;

constexpr std::size_t most_of_a_part = 500;  // bodies
constexpr i64 many = 60;  // iterations with parts
constexpr std::size_t most_as_whole = 10000;  // bodies

void unpack(const Twist& t, Real (&x)[6]) {
  x[0] = t.way.x, x[1] = t.way.y, x[2] = t.way.z, x[3] = t.turn.x, x[4] = t.turn.y, x[5] = t.turn.z;
}
Twist packed(const Real (&x)[6]) { return {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}}; }

void add_lower(SixBySix& m, const SixBySix& more) {
  for (int j = 0; j < 6; ++j)
    for (int k = 0; k <= j; ++k) m.at[j][k] += more.at[j][k];
}

// Of the lower triangle, with inverses on the diagonal.
void make_root(SixBySix& m) {
  for (int j = 0; j < 6; ++j)
    for (int k = 0; k <= j; ++k) {
      Real sum = m.at[j][k];
      for (int l = 0; l < k; ++l) sum -= m.at[j][l] * m.at[k][l];
      m.at[j][k] = j == k ? 1 / std::sqrt(sum) : sum * m.at[k][k];
    }
}

Real product(const Real (&x)[6], const Real (&y)[6]) {
  Real sum = 0;
  for (int j = 0; j < 6; ++j) sum += x[j] * y[j];
  return sum;
}

}  // namespace

void add_square(SixBySix& m, Real weight, const Twist& t) {
  Real x[6];
  unpack(t, x);
  for (int j = 0; j < 6; ++j)
    for (int k = 0; k <= j; ++k) m.at[j][k] += weight * x[j] * x[k];
}

void add_product(SixBySix& m, Real weight, const Twist& s, const Twist& t) {
  Real x[6], y[6];
  unpack(s, x);
  unpack(t, y);
  for (int j = 0; j < 6; ++j)
    for (int k = 0; k < 6; ++k) m.at[j][k] += weight * x[j] * y[k];
}

void BlockSystem::lay_out(std::size_t bodies, const std::vector<u32>& free, const std::vector<BodyPair>& pairs) {
  body_ = free;
  unknown_.assign(bodies, none);
  for (u32 u = 0; u < free.size(); ++u) unknown_[free[u]] = u;
  start_.assign(free.size() + 1, 0);
  const auto each_end = [&](const auto& visit) {
    for (u32 n = 0; n < pairs.size(); ++n) {
      const u32 a = unknown_[pairs[n].a], b = unknown_[pairs[n].b];
      if (a != none) visit(a, Entry{n, b, true});
      if (b != none) visit(b, Entry{n, a, false});
    }
  };
  each_end([&](u32 u, const Entry&) { ++start_[u + 1]; });
  for (std::size_t u = 0; u < free.size(); ++u) start_[u + 1] += start_[u];
  entries_.resize(start_.back());
  std::vector<u32> next(start_.begin(), start_.end() - 1);
  each_end([&](u32 u, const Entry& e) { entries_[next[u]++] = e; });
  root_.resize(free.size());
  block_.resize(free.size());
  coupling_.clear();
  links_.clear();
  for (u32 n = 0; n < pairs.size(); ++n) {
    const u32 a = unknown_[pairs[n].a], b = unknown_[pairs[n].b];
    if (a != none && b != none) coupling_.push_back(n), links_.push_back({a, b});
  }
  as_whole_ = false;
}

void BlockSystem::factor() {
  std::vector<const SixBySix*> coupling;
  for (const u32 n : coupling_) coupling.push_back(&(*pairs_)[n].ab);
  BlockCholesky& factors = as_whole_ ? whole_ : parts_;
  factors.lay_out(body_.size(), links_, as_whole_ ? most_as_whole : most_of_a_part);
  factors.factor(block_, coupling);
}

void BlockSystem::take(const std::vector<BodyPair>& pairs, const std::vector<SixBySix>& own) {
  pairs_ = &pairs;
  Host::for_each(body_.size(), [&](std::size_t u) {
    SixBySix& block = block_[u];
    block = own[body_[u]];
    for (u32 n = start_[u]; n < start_[u + 1]; ++n) {
      const BodyPair& p = pairs[entries_[n].pair];
      add_lower(block, entries_[n].is_a ? p.aa : p.bb);
    }
    root_[u] = block;
    make_root(root_[u]);
    for (int j = 0; j < 6; ++j)
      for (int k = j + 1; k < 6; ++k) block.at[j][k] = block.at[k][j];
  });
}

Twist BlockSystem::block_solved(u32 body, const Twist& r) const {
  const u32 u = unknown_[body];
  if (u == none) return {};
  const SixBySix& l = root_[u];
  Six x;
  unpack(r, x.at);
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < i; ++j) x.at[i] -= l.at[i][j] * x.at[j];
    x.at[i] *= l.at[i][i];
  }
  for (int i = 5; i >= 0; --i) {
    for (int j = i + 1; j < 6; ++j) x.at[i] -= l.at[j][i] * x.at[j];
    x.at[i] *= l.at[i][i];
  }
  return packed(x.at);
}

// Column by column, so that lanes hold the rows of the result.
Six BlockSystem::times(std::size_t u) const {
  Six sum;
  const auto add_columns = [&sum](const SixBySix& columns, const Six& x) {
    for (int k = 0; k < 6; ++k)
      for (int j = 0; j < 6; ++j) sum.at[j] += columns.at[k][j] * x.at[k];
  };
  add_columns(block_[u], ahead_[u]);
  for (u32 n = start_[u]; n < start_[u + 1]; ++n) {
    const Entry& e = entries_[n];
    if (e.other == none) continue;
    const SixBySix& ab = (*pairs_)[e.pair].ab;
    const Six& x = ahead_[e.other];
    if (!e.is_a) {
      add_columns(ab, x);
      continue;
    }
    for (int j = 0; j < 6; ++j) sum.at[j] += product(ab.at[j], x.at);
  }
  return sum;
}

void BlockSystem::begin(const std::vector<Twist>& rest) {
  const std::size_t n = body_.size();
  left_.resize(n);
  solved_.resize(n);
  ahead_.resize(n);
  times_.resize(n);
  found_.assign(n, {});
  share_.resize(n);
  Host::for_each(n, [&](std::size_t u) { unpack(rest[body_[u]], left_[u].at); });
}

void BlockSystem::precondition() {
  solved_ = left_;
  (as_whole_ ? whole_ : parts_).solve(solved_);
  Host::for_each(share_.size(), [&](std::size_t u) { share_[u] = product(left_[u].at, solved_[u].at); });
}

Real BlockSystem::sum_of_shares() const {
  return Host::sum<Real>(share_.size(), [&](std::size_t u) { return share_[u]; });
}

// From found_ and left_ on.
i64 BlockSystem::iterate(const Enough& enough, i64 most, bool& solved) {
  const std::size_t n = body_.size();
  factor();
  precondition();
  ahead_ = solved_;
  Real size = sum_of_shares();
  solved = false;
  i64 k = 0;
  while (k < most) {
    Host::for_each(n, [&](std::size_t u) {
      times_[u] = times(u);
      share_[u] = product(ahead_[u].at, times_[u].at);
    });
    const Real bend = sum_of_shares();
    if (!(bend > 0)) return solved = true, k;
    const Real way = size / bend;
    Host::for_each(n, [&](std::size_t u) {
      for (int j = 0; j < 6; ++j) {
        found_[u].at[j] += way * ahead_[u].at[j];
        left_[u].at[j] -= way * times_[u].at[j];
      }
    });
    precondition();
    ++k;
    if (!(left_over(enough) > 1)) return solved = true, k;
    const Real next = sum_of_shares(), share = next / size;
    Host::for_each(n, [&](std::size_t u) {
      for (int j = 0; j < 6; ++j) ahead_[u].at[j] = solved_[u].at[j] + share * ahead_[u].at[j];
    });
    size = next;
  }
  return k;
}

Real BlockSystem::left_over(const Enough& enough) const {
  Real most = 0;
  Host::raise(
      body_.size(),
      [&](std::size_t u) {
        const Twist r = packed(left_[u].at), moved = packed(solved_[u].at);
        const Real arm = enough.arm[body_[u]];
        return max(max(length(r.way), length(r.turn) / arm) / enough.rest, max(length(moved.way), length(moved.turn) * arm) / enough.moved);
      },
      &most);
  return most;
}

i64 BlockSystem::solve(const std::vector<Twist>& rest, std::vector<Twist>& x, const Enough& enough, i64 most) {
  begin(rest);
  bool solved = false;
  i64 k = as_whole_ ? 0 : iterate(enough, min(most, many), solved);
  if (!solved && body_.size() <= most_as_whole) as_whole_ = true;
  if (!solved) k += iterate(enough, most - k, solved);
  x.assign(unknown_.size(), {});
  Host::for_each(body_.size(), [&](std::size_t u) { x[body_[u]] = packed(found_[u].at); });
  return k;
}

}  // namespace talus::impulse
