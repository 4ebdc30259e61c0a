// The device against the host: one step from the same state, for every law, dimension and kind of bookkeeping; whole runs.
#include <gtest/gtest.h>

#include <talus/dem/device.hpp>
#include <talus/measure/state_hash.hpp>

#include "../support/mixed_sample.hpp"

using namespace talus;
using namespace talus::test;

namespace {

constexpr Real tolerance = 1e-10;

// Largest difference of a column's numbers over the largest number in it, bodies and rows found again by their names.
template <int D>
struct Difference {
  const State<D>&p, &q;
  Real worst = 0;
  std::string where;

  void note(const std::string& name, Real difference, Real scale) {
    const Real relative = scale > 0 ? difference / scale : difference;
    if (!(relative <= worst)) worst = relative, where = name;
  }
  template <class T>
  void compare(const std::string& name, const Column<T>& a, const Column<T>& b, const std::vector<std::size_t>& in_a,
               const std::vector<std::size_t>& in_b) {
    if constexpr (sizeof(T) % sizeof(Real) == 0 && !std::is_integral_v<T> && !std::is_same_v<T, RowKey>) {
      constexpr std::size_t words = sizeof(T) / sizeof(Real);
      Real difference = 0, scale = 0;
      for (std::size_t n = 0; n < in_a.size(); ++n)
        for (std::size_t w = 0; w < words; ++w) {
          const Real x = reinterpret_cast<const Real*>(&a[in_a[n]])[w],
                     y = reinterpret_cast<const Real*>(&b[in_b[n]])[w];
          difference = std::max(difference, std::isfinite(y - x) ? std::abs(x - y) : HUGE_VAL);
          scale = std::max(scale, std::abs(x));
        }
      note(name, difference, scale);
    }
  }

  Real all() {
    std::vector<std::size_t> in_p(p.bodies.size()), in_q(p.bodies.size());
    for (std::size_t i = 0; i < in_p.size(); ++i) in_p[p.bodies.uid[i]] = in_q[q.bodies.uid[i]] = 0;
    for (std::size_t i = 0; i < in_p.size(); ++i) {
      in_p[p.bodies.uid[i]] = i;
      in_q[q.bodies.uid[i]] = i;
    }
    std::vector<const void*> columns;
    Bodies<D>::visit(q.bodies, [&](const About&, const auto& column) { columns.push_back(&column); });
    std::size_t next = 0;
    Bodies<D>::visit(p.bodies, [&](const About& about, const auto& column) {
      using C = std::remove_cvref_t<decltype(column)>;
      const C& other = *static_cast<const C*>(columns[next++]);
      if (!column.empty()) compare(std::string(about.name), column, other, in_p, in_q);
    });
    for_each_law([&]<std::size_t L>() {
      const auto &a = p.template rows_of<L>(), &b = q.template rows_of<L>();
      const auto remembering = [](const auto& rows) {
        std::vector<std::size_t> list;
        for (std::size_t r = 0; r < rows.size(); ++r)
          if (rows.remembers(r)) list.push_back(r);
        std::sort(list.begin(), list.end(), [&](std::size_t x, std::size_t y) { return rows.key[x] < rows.key[y]; });
        return list;
      };
      const auto in_a = remembering(a), in_b = remembering(b);
      if (in_a.size() != in_b.size()) return note("number of rows that remember", 1, 1);
      for (std::size_t n = 0; n < in_a.size(); ++n)
        if (!(a.key[in_a[n]] == b.key[in_b[n]])) return note("keys of rows", 1, 1);
      compare("history", a.history, b.history, in_a, in_b);
      if (!a.viscous.empty()) compare("viscous", a.viscous, b.viscous, in_a, in_b);
      if (!a.displacement.empty()) compare("displacement", a.displacement, b.displacement, in_a, in_b);
      if (!a.load.empty()) compare("load", a.load, b.load, in_a, in_b);
      if (!a.tangential_force.empty()) compare("tangential_force", a.tangential_force, b.tangential_force, in_a, in_b);
    });
    Column<Mat<D>> vp, vq;
    vp.push_back(p.globals.virial);
    vq.push_back(q.globals.virial);
    compare("virial", vp, vq, {0}, {0});
    note("boundary work", std::abs(p.globals.boundary_work - q.globals.boundary_work),
         std::abs(p.globals.boundary_work));
    return worst;
  }
};

template <int D>
void expect_parity(Sample<D> s, int steps, const std::string& what) {
  s.prepare();
  s.run(20);
  ASSERT_EQ(s.status, 0u) << what;
  dem::Device<D> device;
  Real worst = 0;
  std::string where;
  for (int n = 0; n < steps; ++n) {
    device.upload(s.model, s.options, s.state);
    const auto report = device.advance(1);
    ASSERT_EQ(report.status, 0u) << what << " step " << n;
    State<D> there;
    dem::Scratch<D> scratch;
    device.download(there, scratch);
    const auto host = dem::step(s.model, s.options, s.state, s.scratch);
    ASSERT_EQ(host.status, 0u) << what;
    ASSERT_NEAR(report.overlap, host.overlap, tolerance) << what;
    Difference<D> d{s.state, there, 0, {}};
    if (d.all() > worst) worst = d.worst, where = d.where;
    ASSERT_LE(d.worst, tolerance) << what << " step " << n << ": " << d.where;
    ASSERT_EQ(there.globals.step, s.state.globals.step);
    ASSERT_EQ(there.globals.time, s.state.globals.time);
  }
  std::printf("  %-44s largest relative difference %.2g (%s)\n", what.c_str(), worst, where.c_str());
}

template <int D>
void parity_of_all_options() {
  for (const bool rotation : {true, false})
    for (const bool ledger : {true, false})
      for (const bool servo : {false, true}) {
        Sample<D> s = mixed_sample<D>();
        s.model.options.rotation = rotation;
        s.model.options.ledger = ledger;
        if (!ledger) s.state.bodies.work.resize(0);
        if (servo) {
          s.model.cell.holds_stress(0, 0) = 1;
          s.model.cell.target(0, 0) = 2e4;
          s.model.cell.rate_max = 1;
          s.model.cell.reference = 2e4;
        }
        expect_parity(s, 100,
                      std::to_string(D) + "D" + (rotation ? " rotation" : "") + (ledger ? " ledger" : "") +
                          (servo ? " servo" : ""));
      }
}

}  // namespace

TEST(Parity, EachOfAHundredStepsInSpace) { parity_of_all_options<3>(); }
TEST(Parity, EachOfAHundredStepsInThePlane) { parity_of_all_options<2>(); }
TEST(Parity, WallsUnderStressAndVelocity) {
  expect_parity(walled_sample<3>(), 100, "3D walls");
  expect_parity(walled_sample<2>(), 100, "2D walls");
}
TEST(Parity, GrowingRadii) {
  Sample<3> s = mixed_sample<3>();
  s.state.globals.radius_rate = 0.5;
  expect_parity(s, 100, "3D growing radii");
}

TEST(Parity, ContactsThatFeelOneAnother) {
  for (const MultiContactKind kind :
       {MultiContactKind::multi_contact, MultiContactKind::sphere_to_sphere, MultiContactKind::point_on_sphere})
    for (const bool walls : {false, true}) {
      Sample<3> s = walls ? walled_sample<3>() : mixed_sample<3>();
      s.model.multi_contact.kind = kind;
      s.model.multi_contact.reach = 0.3;
      s.model.multi_contact.self_term = walls;
      s.model.multi_contact.prepare(s.model.materials);
      expect_parity(s, 100, multi_contact_names()[std::size_t(kind)] + (walls ? ", walls" : ""));
    }
}

TEST(Parity, ContactsThatFeelFrictionAndThoseThatAreIterated) {
  for (const bool iterate : {false, true}) {
    Sample<3> s = walled_sample<3>();
    s.model.multi_contact.kind = MultiContactKind::half_space;
    s.model.multi_contact.reach = 0.3;
    s.model.multi_contact.tangential = !iterate;
    s.model.multi_contact.iterate = iterate;
    s.model.multi_contact.prepare(s.model.materials);
    expect_parity(s, 50, iterate ? "half-space, iterated" : "half-space, friction");
  }
}

TEST(DeviceRun, CriticalStepIsThatOfTheHost) {
  Sample<3> s = mixed_sample<3>();
  s.prepare();
  s.run(50);
  dem::Device<3> device;
  device.upload(s.model, s.options, s.state);
  device.advance(1);
  s.step();
  EXPECT_NEAR(device.critical_dt().dt / dem::critical_dt(s.model, s.state, s.scratch).dt, 1, 1e-9);
}

// Not promised, but so: nothing in a step depends on where it runs.
TEST(DeviceRun, AThousandStepsHaveTheHashOfTheHost) {
  const auto expect = [](auto s, const char* what) {
    constexpr int D = decltype(s.state.globals.gravity)::size;
    s.prepare();
    dem::Device<D> device;
    device.upload(s.model, s.options, s.state);
    ASSERT_EQ(device.advance(1000).status, 0u) << what;
    State<D> there;
    dem::Scratch<D> scratch;
    device.download(there, scratch);
    s.run(1000);
    EXPECT_EQ(state_hash(there), state_hash(s.state)) << what;
  };
  expect(mixed_sample<3>(), "periodic, in space");
  Sample<3> bulging = mixed_sample<3>();
  bulging.model.multi_contact.kind = MultiContactKind::multi_contact;
  bulging.model.multi_contact.reach = 0.3;
  bulging.model.multi_contact.prepare(bulging.model.materials);
  expect(bulging, "contacts that feel one another");
  bulging.model.multi_contact.iterate = true;
  bulging.model.multi_contact.tolerance = 1e-7;
  expect(bulging, "contacts that feel one another, iterated");
  expect(mixed_sample<2>(), "periodic, in the plane");
  expect(walled_sample<3>(), "walls, in space");
  expect(walled_sample<2>(), "walls, in the plane");
}

TEST(DeviceRun, TwoRunsHaveTheSameHashAndRebuildOnTheirWay) {
  u64 hash[2];
  i64 rebuilds = 0;
  for (u64& h : hash) {
    Sample<3> s = mixed_sample<3>();
    s.prepare();
    dem::Device<3> device;
    device.upload(s.model, s.options, s.state);
    ASSERT_EQ(device.advance(1000).status, 0u);
    device.download(s.state, s.scratch);
    h = state_hash(s.state);
    rebuilds = device.rebuilds();
  }
  EXPECT_EQ(hash[0], hash[1]);
  EXPECT_GT(rebuilds, 5);
}

TEST(DeviceRun, StepsInOneCallOrInManyAreTheSame) {
  u64 hash[2];
  for (int way = 0; way < 2; ++way) {
    Sample<3> s = mixed_sample<3>();
    s.prepare();
    dem::Device<3> device;
    device.upload(s.model, s.options, s.state);
    if (way == 0)
      device.advance(300);
    else
      for (int n = 0; n < 300; ++n) device.advance(1);
    device.download(s.state, s.scratch);
    EXPECT_EQ(s.state.globals.step, 300);
    hash[way] = state_hash(s.state);
  }
  EXPECT_EQ(hash[0], hash[1]);
}

TEST(DeviceRun, ANumberThatIsNotOneStopsTheRun) {
  Sample<3> s = mixed_sample<3>();
  s.prepare();
  s.state.bodies.velocity[7].x = NAN;
  dem::Device<3> device;
  device.upload(s.model, s.options, s.state);
  EXPECT_NE(device.advance(100).status & not_finite, 0u);
}
