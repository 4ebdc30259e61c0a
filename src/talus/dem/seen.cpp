// What others ask of the explicit method: time step, contacts, who is to blame.
#include <algorithm>

#include <talus/dem/not_finite.hpp>
#include <talus/dem/time_step.ipp>
#include <talus/exec/host.hpp>

namespace talus::dem {

using exec::Host;

namespace {

inline u32 params_of(const RowIndex& index, std::size_t r) { return index.params.empty() ? 0 : index.params[r]; }

// Calls f<law>(row, a, b, contact, touch) for every touching row.
template <int D, class F>
void for_each_touch(const Model<D>& model, const State<D>& state, const Scratch<D>& scratch, F&& f) {
  const BodyView<D> bodies = body_view(model, state);
  for_each_law([&]<std::size_t L>() {
    const auto& rows = state.template rows_of<L>();
    const RowIndex& index = scratch.index[L];
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const u32 a = index.body_a[r], b = index.body_b[r];
      Contact<D> c = touch(bodies, a, b, rows.key[r]);
      c.overlap += (rows.shift.empty() ? Real(0) : rows.shift[r]) +
                   (rows.displacement.empty() ? Real(0) : rows.displacement[r].a + rows.displacement[r].b);
      if (!(c.overlap > 0)) continue;
      const Touch<D> t{c.normal, c.overlap, c.radius, 1 / (bodies.inverse_mass[a] + bodies.inverse_mass[b])};
      f.template operator()<L>(r, a, b, c, t);
    }
  });
}

}  // namespace

template <int D>
TimeStepLimit critical_dt(const Model<D>& model, const State<D>& state, const Scratch<D>& scratch) {
  const Frequencies<D> f = frequencies<Host>(model, state, scratch);
  if (!(f.fastest > 0)) return {HUGE_VAL, 0, 0};
  // The pair to name: the stiffest contact of the body that is first to become unstable.
  Real stiffest = -1;
  RowKey at{};
  for_each_touch(model, state, scratch,
                 [&]<std::size_t L>(std::size_t r, u32 a, u32 b, const Contact<D>&, const Touch<D>& t) {
                   const BodyFrequency<D> of{f.sum.span(), state.bodies.inverse_mass.span()};
                   if (of(a) != f.fastest && of(b) != f.fastest) return;
                   using Law = std::tuple_element_t<L, Laws<D>>;
                   const auto& p = std::get<L>(model.pairs.constants.of)[params_of(scratch.index[L], r)];
                   const RowKey& key = state.template rows_of<L>().key[r];
                   const Real k = Law::stiffness(p, t);
                   if (k < stiffest || (k == stiffest && at < key)) return;
                   stiffest = k;
                   at = key;
                 });
  return {f.stable_step(), at.a, at.b, f.damped_step()};
}

template <int D>
u32 culprit(const Model<D>& model, const State<D>& state, const Scratch<D>& scratch, u32 status) {
  if (status & not_finite) return first_not_finite(state.bodies);
  if (status & too_fast) return farthest_mover(state);
  if (status & (folded | not_solved)) {  // the grain whose contacts have most of the mode that grows
    u32 uid = 0;
    for (u32 k = 0; k < scratch.mode_of_uid.size(); ++k)
      if (scratch.mode_of_uid[k].x > scratch.mode_of_uid[uid].x) uid = k;
    return uid;
  }
  Real deepest = 0;
  RowKey at{};
  for_each_touch(model, state, scratch,
                 [&]<std::size_t L>(std::size_t r, u32, u32, const Contact<D>& c, const Touch<D>&) {
                   const Real depth = c.overlap / smaller_radius(c);
                   const RowKey& key = state.template rows_of<L>().key[r];
                   if (depth < deepest || (depth == deepest && at < key)) return;
                   deepest = depth;
                   at = key;
                 });
  return at.a;
}

template <int D>
std::vector<ContactSample<D>> contacts(const Model<D>& model, const State<D>& state, const Scratch<D>& scratch) {
  std::vector<ContactSample<D>> list;
  const auto add = [&]<std::size_t L>(std::size_t r, u32 a, u32 b, const Contact<D>& c, const Touch<D>& t) {
    using Law = std::tuple_element_t<L, Laws<D>>;
    const auto& rows = state.template rows_of<L>();
    const auto& p = std::get<L>(model.pairs.constants.of)[params_of(scratch.index[L], r)];
    list.push_back({rows.key[r], a, b, u32(L), c.normal, c.branch, force_of(scratch, scratch.index[L].first + r),
                    c.overlap, Law::stiffness(p, t), Law::stored(p, t, rows.history[r]),
                    -c.arm_a * c.normal});
    if (!rows.load.empty())  // springs in series with what bulges: force times displacement over two is not theirs
      list.back().stored.normal -= Real(0.5) * rows.load[r].force * rows.load[r].displacement;
  };
  for_each_touch(model, state, scratch, add);
  std::sort(list.begin(), list.end(), [](const auto& p, const auto& q) { return p.key < q.key; });
  return list;
}

#define TALUS_SEEN(D)                                                                                   \
  template TimeStepLimit critical_dt(const Model<D>&, const State<D>&, const Scratch<D>&);              \
  template std::vector<ContactSample<D>> contacts(const Model<D>&, const State<D>&, const Scratch<D>&); \
  template u32 culprit(const Model<D>&, const State<D>&, const Scratch<D>&, u32);
TALUS_SEEN(2)
TALUS_SEEN(3)

}  // namespace talus::dem
