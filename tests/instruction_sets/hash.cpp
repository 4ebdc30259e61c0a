// Runs lively samples and prints their state hashes. The engine is compiled into this program with the program's own
// flags: built once per instruction set, all builds must print the same. With TALUS_ONE_BY_ONE the kernels take one row
// and one body at a time, as a device does, and no lanes: the same hashes again.
#include <cstdio>

#include <talus/dem/host.ipp>
#if !defined(TALUS_ONE_BY_ONE)
namespace talus::dem {
#define ALL_OF(D)                    \
  TALUS_ACT_HOST(, D, Keep::forces)  \
  TALUS_ACT_HOST(, D, Keep::stress)  \
  TALUS_ACT_HOST(, D, Keep::ledger)  \
  TALUS_ACT_HOST(, D, Keep::any)     \
  TALUS_STEP_HOST(D)
ALL_OF(2)
ALL_OF(3)
TALUS_MULTI_CONTACT_HOST()
}  // namespace talus::dem
#endif
#include <talus/measure/state_hash.hpp>

#include "../support/mixed_sample.hpp"

#if defined(TALUS_ONE_BY_ONE)
namespace talus::dem {

struct OneByOne : exec::Host {
  template <class Kernel>
  static void raise(std::size_t n, const Kernel& kernel, Real* most) {
    for (std::size_t i = 0; i < n; ++i) *most = talus::max(*most, kernel(i));
  }
};

template <class Exec, bool Rotation, Keep K, int D>
  requires std::is_same_v<Exec, OneByOne>
void act_then_gather(const Model<D>& model, State<D>& state, Scratch<D>& s) {
  for_each_law([&]<std::size_t L>() {
    Exec::raise(state.template rows_of<L>().size(), act_kernel<D, L, Rotation, K>(model, state, s), &s.tally[0].overlap);
  });
  Exec::raise(state.bodies.size(), gather_kernel<D, Rotation, K>(model, state, s), &s.tally[0].fastest);
}

}  // namespace talus::dem
#endif

using namespace talus;
using namespace talus::test;

namespace {

constexpr int steps = 500, every = 100;

#if defined(TALUS_ONE_BY_ONE)

constexpr int lanes = 1;

template <int D>
void step(Sample<D>& s) {
  s.status |= dem::advance<dem::RowContacts<dem::OneByOne, D>>(s.model, s.options, s.state, s.scratch, 1).status;
}
template <int D>
void prepare(Sample<D>& s) {
  s.status |= dem::find_first_forces<dem::RowContacts<dem::OneByOne, D>>(s.model, s.options, s.state, s.scratch).status;
}

#else

constexpr int lanes = native_lanes;

template <int D>
void step(Sample<D>& s) {
  s.step();
}
template <int D>
void prepare(Sample<D>& s) {
  s.prepare();
}

#endif

template <int D>
struct Nothing {
  void operator()(Sample<D>&) const {}
};

// `change` is made before the first step, `disturb` before every step.
template <int D, class Change, class Disturb = Nothing<D>>
void run(const char* name, const Change& change, const Disturb& disturb = {}) {
  Sample<D> s = mixed_sample<D>();
  change(s);
  prepare(s);
  std::printf("%dD %s:", D, name);
  for (int n = 1; n <= steps; ++n) {
    disturb(s);
    step(s);
    if (n % every == 0) std::printf(" %016llx", static_cast<unsigned long long>(state_hash(s.state)));
  }
  // `halted` by a bad number would leave nothing to compare.
  std::printf(" status %u, rebuilds %s\n", unsigned(s.status), s.scratch.rebuilds > 5 ? "many" : "few");
}

// One law between all materials with three sets of constants, of which one has no damping and one no rolling friction:
// neighbouring lanes have different ones.
template <class Law>
void give_three_pairs(Sample<Law::dimension>& s) {
  const Material &a = s.model.materials[0], &b = s.model.materials[1];
  s.template set_law<Law>(0, 0, mix<Law>(a, a, {0.5, 1, 0.1}));
  s.template set_law<Law>(0, 1, mix<Law>(a, b, {0.4, 0.8, 0}, {{"shear_unloading", "kept"}}));
  s.template set_law<Law>(1, 1, mix<Law>(b, b, {0.0, 0.6, 0.2}));
}

// The same balls in a box.
template <int D>
void put_between_walls(Sample<D>& s) {
  const Bodies<D> bodies = s.state.bodies;
  Vec<D> size;
  for (int k = 0; k < D; ++k) size[k] = s.state.globals.cell.h(k, k);
  std::vector<Ball<D>> balls;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    balls.push_back({bodies.position[i], bodies.radius[i], bodies.material[i], bodies.velocity[i], bodies.spin[i]});
  s.set_box(size, false);
  s.set_rate({});
  s.assemble(balls, box_walls<D>(size));
}

template <int D>
void run_all() {
  run<D>("three laws", Nothing<D>{});
  run<D>("three pairs of Hertz-Mindlin", give_three_pairs<HertzMindlin<D>>);
  run<D>("three pairs of linear", give_three_pairs<Linear<D>>);
  run<D>("three pairs of Hertz-Mindlin with rolling", give_three_pairs<Rolling<HertzMindlin<D>>>);
  run<D>("three pairs of linear with rolling", give_three_pairs<Rolling<Linear<D>>>);
  run<D>("forces alone", [](Sample<D>& s) { s.model.options.ledger = false; });
  run<D>("stress without ledger", [](Sample<D>& s) {
    s.model.options.ledger = false;
    s.model.cell.holds_stress(0, 0) = 1;
    s.model.cell.target(0, 0) = 5e3;
    s.model.cell.reference = 5e3;
    s.model.cell.rate_max = 2;
  });
  run<D>("no rotation", [](Sample<D>& s) { s.model.options.rotation = false; });
  run<D>("no rotation, forces alone", [](Sample<D>& s) { s.model.options.rotation = s.model.options.ledger = false; });
  run<D>("walls", put_between_walls<D>);
  run<D>("growing radii", [](Sample<D>& s) { s.state.globals.radius_rate = 2; });
  run<D>("shifted", [](Sample<D>& s) {
    prepare(s);
    for_each_law([&]<std::size_t L>() {
      auto& rows = s.state.template rows_of<L>();
      rows.shift.assign(rows.size(), 0);
      for (std::size_t r = 0; r < rows.size(); ++r) {  // by name, not by place
        Rng rng{rows.key[r].a, rows.key[r].b, 0};
        rows.shift[r] = rng.uniform(-2e-4, 2e-4);
      }
    });
  });
  if constexpr (D == 3)
    for (const MultiContactKind kind : {MultiContactKind::sphere_to_sphere, MultiContactKind::multi_contact})
      run<D>("bulging", [kind](Sample<D>& s) {
        s.model.multi_contact.kind = kind;
        s.model.multi_contact.prepare(s.model.materials);
      });
}

}  // namespace

int main() {
  std::printf("%d lanes\n", lanes);
  run_all<3>();
  run_all<2>();
}
