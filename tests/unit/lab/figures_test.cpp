// Figures as a reader meets them: each has a name in words beside the one in files.
#include <gtest/gtest.h>

#include <talus/lab/biaxial.hpp>
#include <talus/lab/channels.hpp>
#include <talus/lab/cycle_analysis.hpp>
#include <talus/lab/cyclic_analysis.hpp>
#include <talus/lab/dam_break.hpp>
#include <talus/lab/gyratory.hpp>
#include <talus/lab/methods.hpp>
#include <talus/lab/replica_analysis.hpp>
#include <talus/lab/slope.hpp>
#include <talus/lab/wall_tests.hpp>

using namespace talus;
using namespace talus::lab;

namespace {

void expect_titles(const Figures& figures, const std::string& where) {
  for (const Figure& f : figures) EXPECT_FALSE(f.definition.title.empty()) << f.name << " of " << where << " has no title: core/figure.hpp, Definition";
}

template <int D>
void expect_titles_of_channels() {
  for (const auto& kind : method_kinds<D>()) {
    Experiment<D> x;
    x.method = kind.make();
    for (const ChannelGroup<D>& group : channel_groups<D>()) {
      if (group.needs == "analysis") continue;
      for (const Channel<D>& c : group.declare(x))
        EXPECT_EQ(c.figure.name.empty(), c.figure.definition.title.empty()) << c.figure.name;
    }
  }
}

}  // namespace

TEST(Figures, OfAnalysesHaveATitle) {
  expect_titles(biaxial_analysis()->figures({}), "biaxial");
  expect_titles(rowe_analysis({})->figures({}), "rowe");
  expect_titles(dam_break_analysis({})->figures({}), "dam-break");
  expect_titles(hydrostatic_analysis({})->figures({}), "hydrostatic");
  expect_titles(cycle_analysis({})->figures({}), "cycles");
  expect_titles(replica_analysis<3>({})->figures({}), "replicas");
  expect_titles(gyratory_analysis({})->figures({}), "gyratory");
  expect_titles(oedometer_analysis<3>({})->figures({}), "oedometer");
  expect_titles(direct_shear_analysis<3>({})->figures({}), "direct-shear");
  expect_titles(repose_analysis<3>(0)->figures({}), "repose");
  expect_titles(drum_analysis({})->figures({}), "drum");
  expect_titles(cyclic_analysis<3>(0)->figures({{"stage", {0, 0, 0, 0, 0}}, {"half_cycles", {0, 0, 1, 1, 2}}, {"loop_stress", {0, 1, 1, 0, 0}}, {"loop_strain", {0, 1, 1, 0, 0}}}), "cyclic");
}

TEST(Figures, OfShearHaveATitle) {
  const std::vector<Real> one{0, 0, 0, 0};
  expect_titles(shear_figures({{"stage", one}}, 0), "compression");
  expect_titles(shear_figures({{"stage", one}, {"tau", one}, {"sigma_n", one}, {"axial_strain", one}, {"shear_strain", {0, 1, 2, 3}}}, 0), "simple shear");
}

TEST(Figures, OfChannelsHaveATitle) {
  expect_titles_of_channels<2>();
  expect_titles_of_channels<3>();
}
