// Channels: each is declared once, and what a run writes, lists and sums up follows from the declaration.
#include <talus/lab/channels.hpp>

#include <cmath>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include <talus/lab/biaxial.hpp>
#include <talus/lab/methods.hpp>
#include <talus/lab/runner.hpp>

#include "../../support/plane_sample.hpp"
#include "../../support/sample.hpp"

using namespace talus;
using namespace talus::lab;

namespace {

template <int D>
class Still final : public Stage<D> {
 public:
  Still() { this->traits.exact_steps = 5; }
  void plan(Model<D>&, const State<D>&) const override {}
  bool done(const Observation<D>& seen) const override { return seen.stage_steps() >= 5; }
  double progress(const Observation<D>&) const override { return 0; }
};

template <int D>
void add_stage(Experiment<D>& x, bool membrane = false) {
  auto stage = std::make_unique<Still<D>>();
  stage->name = "still";
  stage->membrane = membrane;
  x.stages.push_back(std::move(stage));
  x.cadence.probe_every = 2;
}

Experiment<2> discs() {
  test::Sample<2> s({test::sand(0.3)});
  s.set_law<HertzMindlin<2>>();
  s.set_box({20, 20}, false);
  s.assemble({{{1, 0.99}, 1, 0, {}, {}}, {{2.98, 0.99}, 1, 0, {}, {}}, {{9, 9}, 1, 0, {}, {}}},
             {test::wall<2>({}, {0, 1})});
  Experiment<2> x;
  x.model = s.model;
  x.state = s.state;
  x.method = make_method<2>("dem");
  x.dt_start = 1e-9;
  x.cadence.chains = true;
  add_stage(x);
  return x;
}

Experiment<3> spheres(bool ledger) {
  test::Sample<3> s({test::sand(0.3)});
  s.set_law<HertzMindlin<3>>();
  s.set_box({10, 10, 10});
  s.assemble({{{1, 1, 1}, 1, 0, {}, {}}, {{2.99, 1, 1}, 1, 0, {}, {}}});
  Experiment<3> x;
  x.method = make_method<3>("dem");
  x.model = s.model;
  x.state = s.state;
  x.model.options.ledger = ledger;
  x.dt_start = 1e-9;
  x.cadence.porosity_ball = 0.5;
  add_stage(x);
  return x;
}

// Two bricks side by side between two platens, pressed by a membrane.
Experiment<2> bricks() {
  const Polygon box = make_polygon({{0, 0}, {1, 0}, {1, 1}, {0, 1}});
  test::PlaneSample s(2, 0.5, 0.5);
  s.platen({0, 0}, {0, 1});
  s.platen({0, 1}, {0, -1});
  for (const Real at : {0.5, 1.5}) s.grain(box, {at, 0.5});
  s.assemble();
  for (std::size_t w = 0; w < 2; ++w) s.model.drives[w].axis = 1;
  s.state.bodies.take_forces();
  Experiment<2> x;
  x.model = s.model;
  x.state = s.state;
  x.method = make_method<2>("impulse");
  x.model.membrane = {7, 0.05, 0, 1};
  x.dt_start = 1e-3;
  x.analysis = biaxial_analysis();
  add_stage(x, true);
  return x;
}

template <int D>
std::vector<Row> rows_of(Experiment<D>& x) {
  std::vector<Row> rows;
  Hooks<D> hooks;
  hooks.row = [&](const Row& row) { rows.push_back(row); };
  Runner<D> runner(x, hooks);
  const Result result = runner.run(false);
  EXPECT_EQ(result.outcome, Outcome::done) << result.message;
  return rows;
}

// Strains of a biaxial test count from the start of its own stage; before the first step nothing pushes.
const std::set<std::string> may_be_nan{"eps_a", "eps_v", "phi_m"};

template <int D>
std::set<std::string> expect_sound(Experiment<D>& x) {
  std::set<std::string> names;
  const Channels<D> channels = channels_of(x);
  for (const Channel<D>& c : channels) {
    EXPECT_TRUE(names.insert(c.name).second) << c.name << " is there twice";
    EXPECT_FALSE(c.unit.empty()) << c.name;
    EXPECT_FALSE(c.meaning.empty()) << c.name;
    const ChannelInfo* info = find_channel(c.name);
    if (!info) {
      ADD_FAILURE() << c.name << " is not listed";
      continue;
    }
    EXPECT_EQ(info->unit, c.unit) << c.name;
    EXPECT_EQ(info->meaning, c.meaning) << c.name;
  }
  for (const Row& row : rows_of(x)) {
    EXPECT_EQ(row.size(), channels.size());
    for (std::size_t k = 0; k < row.size() && k < channels.size(); ++k) {
      EXPECT_EQ(row[k].name, channels[k].name);
      EXPECT_TRUE(std::isfinite(row[k].value) || may_be_nan.contains(row[k].name)) << row[k].name;
    }
  }
  return names;
}

}  // namespace

TEST(Channels, OfDiscsBesideAWallAreSound) {
  Experiment<2> x = discs();
  const auto names = expect_sound(x);
  for (const char* name : {"wall_wall_force", "chains", "sigma_xy", "fabric_yy", "kinetic"})
    EXPECT_TRUE(names.contains(name)) << name;
  for (const char* name : {"sigma_zz", "porosity_ball", "solver_sweeps", "contraction"})
    EXPECT_FALSE(names.contains(name)) << name;
}

TEST(Channels, OfSpheresAreSoundWithAndWithoutALedger) {
  Experiment<3> with = spheres(true), without = spheres(false);
  const auto all = expect_sound(with), fewer = expect_sound(without);
  EXPECT_TRUE(all.contains("energy_residual_rel"));
  EXPECT_FALSE(fewer.contains("energy_residual_rel"));
  EXPECT_FALSE(fewer.contains("kinetic"));
  EXPECT_TRUE(fewer.contains("porosity_ball"));
  EXPECT_TRUE(fewer.contains("sigma_zz"));
}

TEST(Channels, OfAMembraneAndItsTestAreSound) {
  Experiment<2> x = bricks();
  const auto names = expect_sound(x);
  for (const char* name : {"sigma2", "mean_width", "solver_residual", "state_residual", "wall_platen 0_stress"})
    EXPECT_TRUE(names.contains(name)) << name;
  Experiment<2> again = bricks();
  std::map<std::string, Real> last;
  const auto rows = rows_of(again);
  for (const Reading& r : rows.back()) last[r.name] = r.value;
  EXPECT_NEAR(last.at("mean_width"), 2, 1e-9);  // two bricks side by side
  EXPECT_EQ(last.at("ray_force_ratio"), 1);
}

// The list names what no experiment of one dimension has all of.
TEST(Channels, AreListedOnceWithWhatTheyNeed) {
  std::map<std::string, const ChannelInfo*> all;
  for (const ChannelInfo& c : all_channels()) {
    EXPECT_TRUE(all.emplace(c.name, &c).second) << c.name;
    EXPECT_FALSE(c.unit.empty()) << c.name;
    EXPECT_FALSE(c.meaning.empty()) << c.name;
    EXPECT_EQ(c.meaning.find("  "), std::string::npos) << c.name << ": tools/measures_table splits there";
  }
  EXPECT_EQ(all.at("time")->needs, "");
  EXPECT_EQ(all.at("porosity")->needs, "grains");
  EXPECT_EQ(all.at("porosity")->figure, "porosity_final");
  EXPECT_EQ(all.at("phi_m")->needs, "analysis biaxial");
  EXPECT_EQ(all.at("ratio")->needs, "analysis rowe");
  EXPECT_EQ(all.at("f_class_NN")->needs, "analysis cycles");
  EXPECT_NE(all.at("kinetic")->needs, "");
  EXPECT_EQ(find_channel("wall_left_stress"), all.at("wall_NAME_stress"));
  EXPECT_EQ(find_channel("sigma_yz"), all.at("sigma_ij"));
  EXPECT_EQ(find_channel("sigma_n"), all.at("sigma_n"));
  EXPECT_EQ(find_channel("no_such_thing"), nullptr);
}

TEST(Channels, FiguresAreReducedAsTheyAreDeclared) {
  const Channels<2> channels{{"a", "m", "x", {}, {Reduce::last, "a_final", "x"}},
                             {"b", "Pa", "x", {}, {Reduce::most, "b_max", "x"}},
                             {"c", "1", "x", {}, {Reduce::sum, "c_all", "x"}},
                             {"d", "1", "x", {}, {Reduce::mean, "d_mean", "x"}},
                             {"e", "1", "x", {}}};
  const SeriesData series{{"step", {0, 1, 4}}, {"a", {1, 2, 3}}, {"b", {1, 5, 3}}, {"c", {0, 2, 3}}, {"d", {0, 2, 6}}};
  const Figures found = figures_of(channels, series, {});
  ASSERT_EQ(found.size(), 4u);
  EXPECT_EQ(found[0].value.value(), 3);
  EXPECT_EQ(found[1].value.value(), 5);
  EXPECT_EQ(found[1].unit, "Pa");
  EXPECT_EQ(found[2].value.value(), 5);
  EXPECT_EQ(found[3].value.value(), (1 * 2 + 3 * 6) / 4.0);
  // The last row is known although others were lost.
  const Figures lost = figures_of(channels, series, {}, "rows were lost");
  EXPECT_TRUE(lost[0].value);
  for (std::size_t k = 1; k < 4; ++k) {
    EXPECT_FALSE(lost[k].value);
    EXPECT_EQ(lost[k].reason, "rows were lost");
  }
  EXPECT_EQ(figures_of(channels, {}, {})[0].reason, "no row was written");
}

// Steps after the last row count: a run may be stopped between two.
TEST(Channels, WhatStepsShowedAfterTheLastRowCounts) {
  Experiment<2> x = discs();
  SinceRow pending;
  pending.overlap = 0.5;
  std::map<std::string, std::optional<Real>> found;
  for (const Figure& f : figures_of(channels_of(x), {{"max_overlap", {0.1, 0.2}}}, pending)) found[f.name] = f.value;
  EXPECT_EQ(found.at("max_overlap").value(), 0.5);
}

TEST(Observation, MeasuresEachThingOncePerLook) {
  Experiment<2> x = bricks();
  Hooks<2> hooks;
  int looks = 0;
  hooks.stage_end = [&](const Observation<2>& seen) {
    ++looks;
    const Rays* rays = &seen.rays();
    const ContactList<2>* contacts = &seen.contacts();
    EXPECT_NEAR(seen.box().sleeve, 2, 1e-9);
    for (const Channel<2>& c : channels_of(x)) (void)c.value(seen);
    EXPECT_EQ(&seen.rays(), rays);
    EXPECT_EQ(&seen.contacts(), contacts);
    int measured = 0;
    for (int k = 0; k < 3; ++k) EXPECT_EQ(seen.once(&measured, [&] { return ++measured; }), 1);
  };
  Runner<2> runner(x, hooks);
  EXPECT_EQ(runner.run(false).outcome, Outcome::done);
  EXPECT_EQ(looks, 1);
}
