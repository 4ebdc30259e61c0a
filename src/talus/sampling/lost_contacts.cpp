#include <talus/sampling/lost_contacts.hpp>

#include <algorithm>

namespace talus::sampling {
namespace {

// A contact of the cell, as one of its two grains has it.
template <int D>
struct Side {
  u32 grain, partner;        // uids in the cell
  Vec<D> force, to_partner;  // N, on the grain; m
  bool operator<(const Side& other) const { return grain < other.grain; }
};

template <int D>
std::vector<Side<D>> sides_in_cell(const ContactList<D>& of_cell, u32 first_wall) {
  std::vector<Side<D>> sides;
  for (const auto& c : of_cell) {
    if (c.key.a >= first_wall || c.key.b >= first_wall) continue;
    sides.push_back({c.key.a, c.key.b, c.force, -c.branch});
    sides.push_back({c.key.b, c.key.a, -c.force, c.branch});
  }
  std::stable_sort(sides.begin(), sides.end());
  return sides;
}

u64 pair_of(u64 uid, u64 partner_in_cell) { return uid << 32 | partner_in_cell; }

}  // namespace

template <int D>
std::vector<LostContact<D>> lost_contacts(const State<D>& sample, const ContactList<D>& contacts, const ContactList<D>& of_cell, u32 first_wall, i64 copies) {
  const auto uid_in_cell = [&](u64 uid) { return uid / u64(copies); };
  std::vector<u64> there;
  for (const auto& c : contacts) {
    there.push_back(pair_of(c.key.a, uid_in_cell(c.key.b)));
    there.push_back(pair_of(c.key.b, uid_in_cell(c.key.a)));
  }
  std::sort(there.begin(), there.end());
  const std::vector<Side<D>> sides = sides_in_cell(of_cell, first_wall);
  std::vector<LostContact<D>> out;
  for (u32 i = 0; i < sample.grains(); ++i) {
    const u64 uid = sample.bodies.uid[i];
    const auto [first, last] = std::equal_range(sides.begin(), sides.end(), Side<D>{u32(uid_in_cell(uid)), 0, {}, {}});
    for (auto s = first; s != last; ++s)
      if (!std::binary_search(there.begin(), there.end(), pair_of(uid, s->partner)))
        out.push_back({i, s->force, sample.bodies.position[i] + s->to_partner});
  }
  return out;
}

template std::vector<LostContact<2>> lost_contacts(const State<2>&, const ContactList<2>&, const ContactList<2>&, u32, i64);
template std::vector<LostContact<3>> lost_contacts(const State<3>&, const ContactList<3>&, const ContactList<3>&, u32, i64);

}  // namespace talus::sampling
