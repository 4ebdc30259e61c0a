#include <talus/measure/chains.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>


namespace talus::measure {
namespace {

constexpr Real same = 1e-9;  // relative: closer values are equal

struct Principal {
  Real major;      // Pa
  Vec2 direction;  // unit, of either sign
};
Principal principal(const Mat<2>& s) {
  const Real mean = (s(0, 0) + s(1, 1)) / 2, half = (s(0, 0) - s(1, 1)) / 2, radius = std::hypot(half, s(0, 1));
  const Real angle = std::atan2(s(0, 1), half) / 2;
  return {mean + radius, {std::cos(angle), std::sin(angle)}};
}

// What one grain pushes another with; compounds may touch in several places.
std::vector<ChainLink> pushes_of(const State<2>& state, const ContactList<2>& contacts) {
  std::vector<ChainLink> out;
  const auto pair_of = [](const RowKey& k) { return std::array<u64, 3>{k.a, k.b, k.image_and_kind()}; };
  std::vector<std::size_t> order;
  for (std::size_t k = 0; k < contacts.size(); ++k)
    if (contacts[k].a < state.grains() && contacts[k].b < state.grains()) order.push_back(k);
  std::stable_sort(order.begin(), order.end(),
                   [&](auto p, auto q) { return pair_of(contacts[p].key) < pair_of(contacts[q].key); });
  for (std::size_t n = 0; n < order.size(); ++n) {
    const auto& c = contacts[order[n]];
    if (n > 0 && pair_of(contacts[order[n - 1]].key) == pair_of(c.key))
      out.back().force += dot(c.force, c.normal);
    else
      out.push_back({c.a, c.b, -c.branch, dot(c.force, c.normal)});
  }
  return out;
}

// On which side of a grain a line to a neighbour is: 0 ahead, 1 behind.
u32 side_of(const Principal& grain, const Vec2& line) { return dot(line, grain.direction) > 0 ? 0u : 1u; }

// Ahead of a grain and behind it: its strongest push there. Of equal ones that which lies more to the left of the
// direction, seen from the grain, so that lines of a lattice stay lines.
struct Choice {
  bool made = false;
  std::size_t push = 0;
  Real force = 0, left = 0;
};
std::vector<std::array<Choice, 2>> choose(const std::vector<ChainLink>& pushes, const std::vector<Principal>& of,
                                          const std::vector<bool>& highly_stressed, Real angle) {
  std::vector<std::array<Choice, 2>> choice(of.size());
  const Real least = std::cos(angle) - same;
  for (std::size_t k = 0; k < pushes.size(); ++k) {
    const ChainLink& p = pushes[k];
    if (!(p.force > 0) || !highly_stressed[p.from] || !highly_stressed[p.to]) continue;
    const Vec2 line = (1 / length(p.branch)) * p.branch;
    if (std::abs(dot(line, of[p.from].direction)) < least || std::abs(dot(line, of[p.to].direction)) < least) continue;
    for (const bool first : {true, false}) {
      const std::size_t i = first ? p.from : p.to;
      const Vec2 to = first ? line : -line, ahead = of[i].direction;
      const u32 side = side_of(of[i], to);
      const Real left = (side == 0 ? 1 : -1) * (ahead.x * to.y - ahead.y * to.x);
      Choice& c = choice[i][side];
      const bool stronger = p.force > (1 + same) * c.force, equal = p.force > (1 - same) * c.force;
      if (!c.made || stronger || (equal && left > c.left + same)) c = {true, k, p.force, left};
    }
  }
  return choice;
}

// The neighbour of a grain on each side, where both chose the same push.
struct Next {
  bool has = false;
  ChainLink link{};
};
std::vector<std::array<Next, 2>> join(const std::vector<ChainLink>& pushes, const std::vector<Principal>& of,
                                      const std::vector<std::array<Choice, 2>>& choice) {
  std::vector<std::array<Next, 2>> next(of.size());
  for (std::size_t i = 0; i < of.size(); ++i)
    for (u32 side = 0; side < 2; ++side) {
      const Choice& mine = choice[i][side];
      if (!mine.made) continue;
      ChainLink link = pushes[mine.push];
      if (link.from != i || side_of(of[i], link.branch) != side) link = {link.to, link.from, -link.branch, link.force};
      const Choice& other = choice[link.to][side_of(of[link.to], -link.branch)];
      if (other.made && other.push == mine.push) next[i][side] = {true, link};
    }
  return next;
}

}  // namespace

Real ForceChains::mean_length() const {
  if (chains.empty()) return 0;
  return Real(std::count(in_chain.begin(), in_chain.end(), true)) / Real(chains.size());
}

Real ForceChains::share() const {
  if (in_chain.empty()) return 0;
  return Real(std::count(in_chain.begin(), in_chain.end(), true)) / Real(in_chain.size());
}

ForceChains force_chains(const Model<2>& model, const State<2>& state, const ContactList<2>& contacts,
                         const ChainRule& rule) {
  const std::size_t grains = state.grains();
  ForceChains out;
  out.highly_stressed.assign(grains, false);
  out.in_chain.assign(grains, false);
  std::vector<Principal> of;
  for (const Mat<2>& s : grain_stresses(model, state, contacts)) of.push_back(principal(s));
  std::vector<std::size_t> order(grains);
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::sort(order.begin(), order.end(), [&](auto i, auto j) { return state.bodies.uid[i] < state.bodies.uid[j]; });
  Real mean = 0;
  for (const std::size_t i : order) mean += of[i].major / Real(grains);
  if (!(mean > 0)) return out;
  for (std::size_t i = 0; i < grains; ++i) out.highly_stressed[i] = of[i].major >= (1 - same) * mean;

  const std::vector<ChainLink> pushes = pushes_of(state, contacts);
  const auto next = join(pushes, of, choose(pushes, of, out.highly_stressed, rule.angle));
  // From ends first, then what is left are rings.
  std::vector<bool> seen(grains, false);
  const auto walk = [&](std::size_t start, u32 side) {
    std::vector<ChainLink> links;
    std::vector<std::size_t> met{start};
    seen[start] = true;
    for (std::size_t i = start; next[i][side].has;) {
      const ChainLink& link = next[i][side].link;
      links.push_back(link);
      if (seen[link.to]) break;  // round a ring
      const u32 behind = side_of(of[link.to], -link.branch);
      i = link.to;
      side = 1 - behind;
      seen[i] = true;
      met.push_back(i);
    }
    if (met.size() < rule.least) return;
    for (const std::size_t i : met) out.in_chain[i] = true;
    out.chains.push_back(std::move(links));
  };
  for (const std::size_t i : order)
    if (!seen[i] && next[i][0].has != next[i][1].has) walk(i, next[i][0].has ? 0 : 1);
  for (const std::size_t i : order)
    if (!seen[i] && next[i][0].has) walk(i, 0);
  return out;
}

}  // namespace talus::measure
