// The rows of each body, in order of the partner's uid: what the gather walks through. Made at every rebuild.
#pragma once
#include <talus/dem/slots.ipp>
#include <talus/dem/step.hpp>
#include <talus/exec/shared_memory.hpp>
#include <talus/exec/timers.hpp>
#include <talus/exec/whole_columns.hpp>

namespace talus::dem {

template <int D>
bool needs_stress(const Model<D>& model) {
  return model.cell.needs_stress() || model.options.ledger;
}

// Rows of each body: counted first, then filled in.
struct ListRows {
  Span<const u32> body_a, body_b;
  Span<u32> next, incidence;  // incidence empty: count
  u32 first;
  TALUS_HD void operator()(std::size_t r) const {
    const u32 a = exec::atomic_add(&next[body_a[r]], 1), b = exec::atomic_add(&next[body_b[r]], 1);
    if (incidence.size == 0) return;
    incidence[a] = (first + u32(r)) * 2;
    incidence[b] = (first + u32(r)) * 2 + 1;
  }
};

// The same by one sort: entry 2 r + side is named by its body and the partner's uid.
struct NameEntries {
  Span<const u32> body_a, body_b;
  Span<const RowKey> key;
  Span<u64> names;
  TALUS_HD void operator()(std::size_t r) const {
    names[2 * r] = u64(body_a[r]) << 32 | key[r].b;
    names[2 * r + 1] = u64(body_b[r]) << 32 | key[r].a;
  }
};
// Sorts each body's rows by partner uid, image and side.
template <int D>
struct SortIncidence {
  Span<const u32> start;
  Span<u32> incidence;
  struct Keys {
    Span<const RowKey> key;
    u32 first;
  } laws[law_count];
  bool sorted_by_uid = false;  // only images of one partner may lie wrongly

  TALUS_HD const RowKey& key_of(u32 row) const {
    std::size_t law = 0;
    while (law + 1 < law_count && row >= laws[law + 1].first) ++law;
    return laws[law].key[row - laws[law].first];
  }
  TALUS_HD bool before(u32 p, u32 q) const {
    const RowKey &kp = key_of(p >> 1), &kq = key_of(q >> 1);
    const u32 up = p & 1u ? kp.a : kp.b, uq = q & 1u ? kq.a : kq.b;
    if (up != uq) return up < uq;
    return comes_first(kp, kq) || (!comes_first(kq, kp) && (p & 1u) < (q & 1u));
  }
  TALUS_HD void operator()(std::size_t i) const {
    const u32 first = start[i], last = start[i + 1];
    if (last - first > 64 && !sorted_by_uid) return heap(first, last - first);  // walls and very large grains
    for (u32 e = first + 1; e < last; ++e) {
      const u32 moving = incidence[e];
      u32 hole = e;
      for (; hole > first && before(moving, incidence[hole - 1]); --hole) incidence[hole] = incidence[hole - 1];
      incidence[hole] = moving;
    }
  }
  TALUS_HD void sink(u32 first, u32 root, u32 n) const {
    while (true) {
      u32 child = 2 * root + 1;
      if (child >= n) return;
      if (child + 1 < n && before(incidence[first + child], incidence[first + child + 1])) ++child;
      if (!before(incidence[first + root], incidence[first + child])) return;
      const u32 swap = incidence[first + root];
      incidence[first + root] = incidence[first + child];
      incidence[first + child] = swap;
      root = child;
    }
  }
  TALUS_HD void heap(u32 first, u32 n) const {
    for (u32 r = n / 2; r-- > 0;) sink(first, r, n);
    for (u32 end = n; end-- > 1;) {
      const u32 swap = incidence[first];
      incidence[first] = incidence[first + end];
      incidence[first + end] = swap;
      sink(first, 0, end);
    }
  }
};

// Of each body's rows those that are not inactive; there is room for all, since others may become active.
struct ListActive {
  Span<const u32> start, incidence;
  Span<const u8> marks;
  Span<u32> end, active;
  TALUS_HD void operator()(std::size_t i) const {
    u32 at = start[i];
    for (u32 e = start[i]; e < start[i + 1]; ++e)
      if (!(marks[incidence[e] >> 1] & row_inactive)) active[at++] = incidence[e];
    end[i] = at;
  }
};

// Each body's rows as the body sees them: first those that are active.
struct ListBodyRows {
  struct OfLaw {
    Span<const u32> body_a, body_b;
    u32 first;
  } laws[law_count];
  Span<const u32> start, incidence;
  Span<const u8> marks;
  Span<BodyRow> body_rows;
  Span<u32> idle;
  void operator()(std::size_t i) const {
    u32 at = start[i];
    for (const bool inactive : {false, true}) {
      if (inactive) idle[i] = at;
      for (u32 e = start[i]; e < start[i + 1]; ++e) {
        const u32 row = incidence[e] >> 1, mark = marks[row];
        if (((mark & row_inactive) != 0) != inactive) continue;
        std::size_t l = 0;
        while (l + 1 < law_count && row >= laws[l + 1].first) ++l;
        const OfLaw& law = laws[l];
        const u32 partner = (incidence[e] & 1u ? law.body_a : law.body_b)[row - law.first];
        body_rows[at++] = {incidence[e], partner | (mark & row_wall ? BodyRow::wall_bit : 0) |
                                             (mark & row_image ? BodyRow::image_bit : 0)};
      }
    }
  }
};

// The first partner of each body, if it comes before the body.
struct FindEarliest {
  Span<const u32> body_a, body_b;
  Span<u32> earliest;
  TALUS_HD void operator()(std::size_t r) const {
    const u32 a = body_a[r], b = body_b[r];
    exec::atomic_lower(&earliest[max(a, b)], min(a, b));
  }
};

// Rows of each body, on a device: it sorts faster than its threads fill lists of any length.
template <class Exec, int D>
void sort_incidence(std::size_t bodies, std::size_t grains, u32 total, SortIncidence<D>& sort, Scratch<D>& s) {
  Column<u64> keys(2 * std::size_t(total), Exec::memory());
  for_each_law([&]<std::size_t L>() {
    const RowIndex& index = s.index[L];
    Exec::for_each(index.body_a.size(), NameEntries{index.body_a.span(),
                                                    index.body_b.span(),
                                                    sort.laws[L].key,
                                                    {keys.data() + 2 * index.first, 2 * index.body_a.size()}});
  });
  s.incidence.resize_unset(0);
  Exec::sort_order(keys.span(), s.incidence);
  permute<Exec>(keys, s.incidence);
  s.incidence_start.resize_unset(bodies + 1);
  Exec::for_each(keys.size() + 1, FillStarts{keys.span(), s.incidence_start.span(), 32});
  sort.start = s.incidence_start.span();
  sort.incidence = s.incidence.span();
  sort.sorted_by_uid = true;
  Exec::for_each(grains, sort);
}

// The same on the host, which fills the lists. Counts, then starts, then (after filling) ends: one place further on, so that
// they end up as starts again.
template <class Exec, int D>
void fill_incidence(std::size_t bodies, u32 total, SortIncidence<D>& sort, Scratch<D>& s) {
  fill<Exec>(s.incidence_start, bodies + 1, 0u);
  s.incidence.resize_unset(2 * std::size_t(total));
  const Span<u32> next{s.incidence_start.data() + 1, bodies};
  const auto list = [&](Span<u32> incidence) {
    for (const RowIndex& index : s.index)
      Exec::for_each(index.body_a.size(),
                     ListRows{index.body_a.span(), index.body_b.span(), next, incidence, index.first});
  };
  list({});
  Exec::scan(next);
  if (total > 0) list(s.incidence.span());
  sort.start = s.incidence_start.span();
  sort.incidence = s.incidence.span();
  Exec::for_each(bodies, sort);
  fill<Exec>(s.earliest, bodies, ~0u);
  for (const RowIndex& index : s.index)
    Exec::for_each(index.body_a.size(), FindEarliest{index.body_a.span(), index.body_b.span(), s.earliest.span()});
}

// What a multi-contact model keeps of rows and bodies; nothing without one.
template <class Exec, int D>
void list_multi_contact(const Model<D>& model, std::size_t bodies, u32 total, Scratch<D>& s) {
  const bool acts = model.multi_contact.acts();
  if constexpr (!requires { Exec::gate; }) {
    s.body_rows.resize_unset(acts ? s.incidence.size() : 0);
    s.idle.resize_unset(acts ? bodies : 0);
    fill<Exec>(s.close, acts ? 2 * std::size_t(total) : 0, u8(1));
    if (acts) {
      ListBodyRows list{{},           s.incidence_start.span(), s.incidence.span(), s.marks.span(), s.body_rows.span(),
                        s.idle.span()};
      for (std::size_t l = 0; l < law_count; ++l)
        list.laws[l] = {s.index[l].body_a.span(), s.index[l].body_b.span(), s.index[l].first};
      Exec::for_each(bodies, list);
    }
  }
  fill<Exec>(s.trend, acts ? total : 0, Sides{});
  fill<Exec>(s.bound, acts ? bodies : 0, Real(0));
  fill<Exec>(s.model_work, acts && model.options.ledger ? total : 0, Real(0));
}

template <class Exec, int D>
void list_incidence(const Model<D>& model, State<D>& state, Scratch<D>& s) {
  const exec::Stage timed("list_rows");
  const std::size_t bodies = state.bodies.size();
  u32 total = 0;
  bool couples = false;
  SortIncidence<D> sort;
  for_each_law([&]<std::size_t L>() {
    sort.laws[L] = {state.template rows_of<L>().key.span(), total};
    total += u32(state.template rows_of<L>().size());
    couples = couples || (std::tuple_element_t<L, Laws<D>>::has_couple && state.template rows_of<L>().size() > 0);
  });
  if constexpr (requires { Exec::gate; })
    sort_incidence<Exec>(bodies, state.grains(), total, sort, s);
  else
    fill_incidence<Exec>(bodies, total, sort, s);
  s.active_end.resize_unset(bodies);
  s.active.resize_unset(s.incidence.size());
  Exec::for_each(bodies, ListActive{s.incidence_start.span(), s.incidence.span(), s.marks.span(), s.active_end.span(),
                                    s.active.span()});
  fill<Exec>(s.activated, bodies, u8(none_activated));
  // Inactive rows are not summed before they are written, but pushes are copied off a device as a whole, and couples are not
  // written by laws that have none.
  const std::size_t slots = lay_out<Exec>(s, state.grains(), total);
  fill<Exec>(s.push, slots, RowPush<D>{});
  s.branch.resize_unset(needs_stress(model) ? slots : 0);
  fill<Exec>(s.couple, couples ? slots : 0, Spin<D>{});
  s.work.resize_unset(model.options.ledger ? slots : 0);
  s.kept.resize_unset(slots == total ? 0 : total);
  list_multi_contact<Exec>(model, bodies, total, s);
}

}  // namespace talus::dem
