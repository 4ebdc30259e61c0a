#include <talus/stages/overlap.hpp>

#include <talus/stages/pair_list.hpp>
#include <talus/stages/row_manifold.hpp>

namespace talus {

Overlap deepest_overlap(const Model<2>& model, State<2> state) {
  Overlap out;
  PairList pairs;
  if (search(model, state, pairs, 0) != fine) return out;
  for (std::size_t row = 0; row < pairs.key.size(); ++row) {
    const u32 a = pairs.body_a[row], b = pairs.body_b[row];
    Witnesses none{};
    const Manifold m =
        row_manifold(model, state, pairs.key[row], a, b, placement_of(state, a), placement_of(state, b), 0, none);
    if (m.count == 0) continue;
    out.touches_itself = out.touches_itself || a == b;
    Real depth = 0;
    for (int k = 0; k < m.count; ++k) depth = max(depth, -m.point[k].gap);
    const Real ra = state.bodies.radius[a], rb = state.bodies.radius[b];
    const Real share = depth / (rb > 0 ? min(ra, rb) : ra);
    if (share > out.share) out.share = share, out.first = pairs.key[row].a, out.second = pairs.key[row].b;
  }
  return out;
}

}  // namespace talus
