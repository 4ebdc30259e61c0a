#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <regex>

#include <talus/core/base64.hpp>
#include <talus/core/input_error.hpp>
#include <talus/report/charts_of_run.hpp>
#include <talus/report/colour_map.hpp>
#include <talus/report/decimate.hpp>
#include <talus/report/lights_of_run.hpp>
#include <talus/report/significance.hpp>
#include <talus/report/told_verdict.hpp>
#include <talus/report/picture.hpp>
#include <talus/report/png.hpp>
#include <talus/report/text.hpp>
#include <talus/report/units.hpp>
#include <talus/report/write_report.hpp>

using namespace talus;
using namespace talus::report;

namespace {

constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++n;
  return n;
}

// Preparation (stage 0), then shear (stage 1) to 10 % with q rising to `plateau`.
RunData triaxial(std::string label, u64 seed, double plateau = 260e3) {
  RunData run;
  run.label = std::move(label);
  run.summary.title = "Triaxial";
  run.summary.version = "0";
  run.summary.seed = seed;
  run.summary.status = "done";
  run.summary.figures = {{"q_plateau", plateau, "Pa", "mean of q", ""}, {"q_peak", {}, "Pa", "largest q", "no peak"}};
  run.stages = {"consolidate", "shear"};
  run.shear_stages = {1};
  run.scene_text = "seed = " + std::to_string(seed) + "\ntitle = \"Triaxial\"\n";
  std::string text =
      "step,time [s],stage [1],axial_strain [1],q [Pa],p [Pa],unbalanced [1],inertial_number [1],empty [1]\n";
  for (int k = 0; k <= 20; ++k) {
    const double strain = k < 10 ? 0 : (k - 10) * 0.01, q = plateau * (1 - std::exp(-100 * strain));
    text += std::to_string(k) + "," + std::to_string(0.1 * k) + "," + (k < 10 ? "0" : "1") + "," +
            std::to_string(strain) + "," + std::to_string(q) + "," + std::to_string(1e5 + q / 3) + ",0.00" +
            std::to_string(1 + k % 5) + "," + (k < 10 ? "0.5" : "0.0005") + ",nan\n";
  }
  run.series = parse_series(text, "series.csv");
  return run;
}

const Chart* chart(const std::vector<Chart>& charts, const std::string& title, const std::string& group = "") {
  for (const Chart& c : charts)
    if (c.title == title && (group.empty() || c.group == group)) return &c;
  return nullptr;
}

const Light& light(const std::vector<Light>& lights, const std::string& name) {
  const auto found = std::find_if(lights.begin(), lights.end(), [&](const Light& l) { return l.name == name; });
  if (found == lights.end()) throw std::runtime_error("no light " + name);
  return *found;
}

Grains two_spheres(bool flat) {
  Grains g;
  g.centres = {{0, 0, 0}, {2, 0, 0}};
  g.radii = {1, 1};
  g.values = {0, 1};
  g.value_label = "Value";
  g.flat = flat;
  g.has_cell = true;
  g.origin = {-1.5, -1.5, -1.5};
  g.edges = {Vec3{5, 0, 0}, Vec3{0, 3, 0}, Vec3{0, 0, 3}};
  return g;
}

}  // namespace

TEST(Units, TicksAreFewWhateverTheEnds) {
  const double far = 1e17, inf = HUGE_VAL;
  for (const auto& [low, high] : {std::pair{far, far + 32}, {-1e308, 1e308}, {5e-324, 1e-323}, {-inf, inf}, {0.0, inf}, {1.0, 0.0},
                                  {1.0, std::nextafter(1.0, 2.0)}, {std::nan(""), 1.0}})
    EXPECT_LE(round_ticks(low, high).size(), 12u) << low << " to " << high;
  EXPECT_EQ(round_ticks(0, 1), (std::vector<double>{0, 0.2, 0.4, 0.6000000000000001, 0.8, 1}));
}

TEST(ReportPage, TextFromOutsideCannotBecomeMarkup) {
  const std::string evil = "<script>alert('&\"')</script>";
  Report r;
  r.title = r.subtitle = r.scene_text = evil;
  r.provenance = {{evil, evil}};
  r.lights = {{evil, Light::Level::warn, evil, evil}};
  r.figures = {{evil, {evil}, evil}};
  r.figure_columns = {evil};
  Chart c;
  c.title = c.x_label = c.y_label = c.note = c.group = evil;
  c.curves = {{evil, {0, 1}, {0, 1}, {}, {}, -1, false}};
  c.marks = {{0, evil}};
  r.charts = {c};
  const std::string page = render_html(r);
  EXPECT_FALSE(contains(page, "<script>alert"));
  EXPECT_EQ(count(page, "</script>"), 3u);  // the data, the library, the page's own
  EXPECT_EQ(escape_html(evil), "&lt;script&gt;alert(&#39;&amp;&quot;&#39;)&lt;/script&gt;");
}

TEST(ReportPage, LoadsNothingFromOutside) {
  const RunData run = triaxial("a", 1);
  Report r = report_of_runs({run});
  r.pictures = {draw_grains(two_spheres(false), 60)};
  const std::string page = render_html(r);
  EXPECT_FALSE(std::regex_search(page, std::regex("(src|href|action)\\s*=\\s*[\"']?(https?:)?//")));
  EXPECT_FALSE(contains(page, "<link"));
  EXPECT_FALSE(contains(page, "@import"));
  EXPECT_FALSE(contains(page, "url("));
  EXPECT_TRUE(contains(page, "default-src 'none'"));
  EXPECT_TRUE(contains(page, "data:image/png;base64,"));
  EXPECT_TRUE(contains(page, "Chart.js"));  // the library is inside
}

TEST(ReportPage, HasACanvasForEveryChart) {
  const RunData run = triaxial("a", 1);
  const Report r = report_of_runs({run});
  const std::string page = render_html(r);
  ASSERT_GE(r.charts.size(), 4u);
  EXPECT_EQ(count(page, "<canvas"), r.charts.size());
}

TEST(ReportPage, AnEmptyReportIsStillAPage) {
  const std::string page = render_html(Report{});
  EXPECT_TRUE(contains(page, "</html>"));
  EXPECT_FALSE(contains(page, "<canvas"));
}

TEST(ReportVerdict, IsThatOfTheWorstLightAndNamesIt) {
  using L = Light::Level;
  EXPECT_EQ(judge({{"a", L::good, "", ""}, {"b", L::good, "", ""}}).level, L::good);
  const Verdict warn = judge({{"a", L::good, "", ""}, {"b", L::warn, "", ""}});
  EXPECT_EQ(warn.level, L::warn);
  EXPECT_TRUE(contains(warn.text, "b"));
  EXPECT_EQ(judge({{"a", L::bad, "", ""}, {"b", L::warn, "", ""}}).level, L::bad);
  EXPECT_EQ(judge({{"a", L::unknown, "", ""}}).level, L::unknown);
  EXPECT_TRUE(contains(judge({{"a", L::good, "", ""}, {"b", L::unknown, "", ""}}).text, "Not judged: b"));
}

TEST(ReportJson, CannotEndItsScriptAndKeepsNoNan) {
  Report r;
  Chart c;
  c.curves = {{"</script>", {0, 1, 2}, {1, nan_value, 3}, {}, {}, -1, false}};
  r.charts = {c};
  const std::string page = render_html(r);
  EXPECT_TRUE(contains(page, "[1.0,null,3.0]"));
  EXPECT_TRUE(contains(page, "\\u003c/script\\u003e"));
}

TEST(ReportText, Base64FollowsTheStandardVectors) {  // RFC 4648, section 10
  const auto encode = [](std::string_view s) {
    return base64({reinterpret_cast<const unsigned char*>(s.data()), s.size()});
  };
  EXPECT_EQ(encode(""), "");
  EXPECT_EQ(encode("f"), "Zg==");
  EXPECT_EQ(encode("fo"), "Zm8=");
  EXPECT_EQ(encode("foobar"), "Zm9vYmFy");
}

TEST(ReportUnits, ReadAsAnEngineerWritesThem) {
  EXPECT_EQ(format_quantity(260e3, "Pa"), "260.0 kPa");
  EXPECT_EQ(format_quantity(3e9, "Pa"), "3.000 GPa");
  EXPECT_EQ(format_quantity(0.21e-3, "m"), "0.2100 mm");
  EXPECT_EQ(format_quantity(2e-6, "m"), "2.000 µm");
  EXPECT_EQ(format_quantity(34.4, "deg"), "34.40°");
  EXPECT_EQ(format_quantity(0.385, "1"), "0.3850");
  EXPECT_EQ(format_quantity(5000, "1"), "5000");
  EXPECT_EQ(format_quantity(-0.05, "1"), "−0.05000");
  EXPECT_EQ(format_quantity(0, "Pa"), "0 Pa");
  EXPECT_EQ(format_number(7.9e-6, 2), "7.9·10⁻⁶");
  EXPECT_EQ(format_number(9.9996), "10.00");
  EXPECT_EQ(format_spread(262.14e3, 3.44e3, "Pa"), "262.1 ± 3.4 kPa");
  EXPECT_EQ(format_spread(262e3, 0, "Pa"), "262.0 kPa");
  EXPECT_EQ(pick_scale("J", 3e-8).unit, "nJ");
}

TEST(ReportDecimation, KeepsEndsExtremesAndGaps) {
  Curve c;
  for (int k = 0; k < 100000; ++k) {
    c.x.push_back(k);
    c.y.push_back(std::sin(0.001 * k));
  }
  c.y[33333] = 50;
  c.y[66666] = -50;
  c.y[77777] = nan_value;
  const Curve d = decimate(c, 1500);
  EXPECT_LE(d.x.size(), 1600u);  // two per stretch, the ends, the gap
  EXPECT_EQ(d.x.front(), 0);
  EXPECT_EQ(d.x.back(), 99999);
  EXPECT_TRUE(std::is_sorted(d.x.begin(), d.x.end()));
  EXPECT_EQ(std::count(d.y.begin(), d.y.end(), 50), 1);
  EXPECT_EQ(std::count(d.y.begin(), d.y.end(), -50), 1);
  EXPECT_EQ(std::count_if(d.y.begin(), d.y.end(), [](double v) { return std::isnan(v); }), 1);
}

TEST(ReportDecimation, KeepsTheTurnsOfALoop) {
  Curve c;
  for (int k = 0; k < 50000; ++k) {
    c.x.push_back(std::cos(1e-3 * k));
    c.y.push_back(std::sin(1e-3 * k));
  }
  const Curve d = decimate(c);
  const auto [left, right] = std::minmax_element(c.x.begin(), c.x.end());
  EXPECT_EQ(*std::min_element(d.x.begin(), d.x.end()), *left);
  EXPECT_EQ(*std::max_element(d.x.begin(), d.x.end()), *right);
}

TEST(ReportDecimation, LeavesShortCurvesAlone) {
  const Curve c{"", {0, 1, 2}, {3, 4, 5}, {}, {}, -1, false};
  EXPECT_EQ(decimate(c).y, c.y);
}

TEST(ReportSeries, ReadsUnitsAndNanAndLeavesOutALineCutShort) {
  const SeriesTable t = parse_series("step,q [Pa],Z [1]\n0,1.5,nan\n1,2.5,4\n2,3", "series.csv");
  EXPECT_EQ(t.rows, 2u);
  ASSERT_NE(t.find("q"), nullptr);
  EXPECT_EQ(t.find("q")->unit, "Pa");
  EXPECT_TRUE(std::isnan(t.find("Z")->values[0]));
  EXPECT_EQ(t.find("p"), nullptr);
  EXPECT_THROW(parse_series("step,q [Pa]\n0,1,2\n", "series.csv"), InputError);
}

TEST(ReportCharts, ShearCurvesHoldOnlyRowsOfShearStages) {
  const std::vector<RunData> runs{triaxial("a", 1)};
  const auto charts = charts_of_runs(group_replicates(runs));
  const Chart* q = chart(charts, "Deviator stress");
  ASSERT_NE(q, nullptr);
  ASSERT_EQ(q->curves.size(), 1u);
  EXPECT_EQ(q->curves[0].x.size(), 11u);
  EXPECT_NEAR(q->curves[0].x.back(), 10, 1e-9);  // percent
  EXPECT_NEAR(q->curves[0].y.back(), 260, 0.1);  // kPa; exp(-10) of the way to go
  EXPECT_EQ(q->y_label, "Deviator stress q (kPa)");
  EXPECT_NE(chart(charts, "Stress path"), nullptr);
}

TEST(ReportCharts, PreparationAndTestStandInPanelsOfTheirOwn) {
  const std::vector<RunData> runs{triaxial("a", 1)};
  std::vector<Chart> panels;
  for (const Chart& c : charts_of_runs(group_replicates(runs)))
    if (c.title == "Unbalanced force") panels.push_back(c);
  ASSERT_EQ(panels.size(), 2u);
  EXPECT_EQ(panels[0].panel, "Preparation");
  EXPECT_EQ(panels[0].curves[0].x.size(), 10u);
  EXPECT_TRUE(contains(panels[0].x_label, "Time"));
  EXPECT_EQ(panels[1].panel, "Test");
  EXPECT_EQ(panels[1].curves[0].x.size(), 11u);
  EXPECT_EQ(panels[1].x_label, "Axial strain (%)");
  EXPECT_EQ(count(render_html(report_of_runs(runs)), "<h3>Unbalanced force</h3>"), 1u);  // one frame around both
}

TEST(ReportPage, TheTitleBlockTellsWhatWasTested) {
  RunData run = triaxial("a", 1);
  run.summary.extra["grains"] = "5000";
  run.sizes = SizeCurve{{1e-4, 2e-4, 3e-4}, {0, 0.25, 0.75}};
  run.scene_text = "method = \"dem\"\n[material.quartz]  # a material\nfriction = 0.5  # of it\n[contact]\nlaw = \"linear\"\n[dynamics]\nrotation = \"free\"\n"
                   "[grains.sand]\nmaterial = \"quartz\"\n[grains.sand.sizes]\nkind = \"single\"\n[[stage]]\npressure = 1e4\n[[stage]]\nconfining = 1e5\n";
  const auto block = report_of_runs({run}).test;
  const std::vector<std::pair<std::string, std::string>> expected{{"Grains", "5000"}, {"D50", "0.2500 mm"}, {"Contact law", "linear"},
                                                                  {"Friction", "0.5"}, {"Stress", "100.0 kPa lateral"}, {"Rotation", "free"}, {"Test", "shear"}};
  EXPECT_EQ(block, expected);
}

TEST(ReportPage, AReaderMayPlotAnyColumnThatChanges) {
  const Report r = report_of_runs({triaxial("a", 1)});
  ASSERT_EQ(r.tables.size(), 1u);
  const auto has = [&](const std::string& name) {
    return std::any_of(r.tables[0].columns.begin(), r.tables[0].columns.end(), [&](const DataColumn& c) { return c.name == name; });
  };
  EXPECT_TRUE(has("q") && has("axial_strain"));
  EXPECT_FALSE(has("empty"));
  EXPECT_EQ(r.tables[0].columns[0].values.size(), r.tables[0].stage.size());
  EXPECT_TRUE(contains(render_html(r), "id=\"explorer\""));
}

TEST(ReportCharts, TimeCurvesShowWhereStagesBegin) {
  std::vector<RunData> runs{triaxial("a", 1)};
  runs[0].shear_stages.clear();
  const auto charts = charts_of_runs(group_replicates(runs));
  const Chart* c = chart(charts, "Unbalanced force");
  ASSERT_NE(c, nullptr);
  EXPECT_TRUE(c->log_y);
  EXPECT_EQ(c->curves[0].x.size(), 21u);
  ASSERT_EQ(c->marks.size(), 2u);
  EXPECT_EQ(c->marks[1].label, "shear");
  EXPECT_NEAR(c->marks[1].x, 0.9, 1e-9);
}

// Two cycles of two levels; the first does not count. Force, contacts and classes of forces are told by hand.
RunData pressed(const std::string& label, const std::string& model, double force) {
  RunData run;
  run.label = label;
  run.scene_text =
      "[multi_contact]  # x\nmodel = \"" + model + "\"  # y\n[analysis]\nkind = \"cycles\"\ndropped = 1  # z\n";
  std::vector<std::string> names{"step",        "settled",           "cycle",    "level", "loading",
                                 "travel",      "top_force",         "Z_strong", "Z_any", "phi_inside",
                                 "branch_mean", "force_mean_grains", "scaling"};
  for (const std::string& name : names) run.series.columns.push_back({name, name == "travel" ? "m" : "1", {}});
  for (int k = 0; k < 80; ++k)
    run.series.columns.push_back({"f_class_" + std::string(k < 10 ? "0" : "") + std::to_string(k), "1", {}});
  for (int cycle = 1; cycle <= 2; ++cycle)
    for (const int p : {1, 2, 3, 4}) {
      const int level = p <= 2 ? p : 4 - p;
      const double top = cycle == 1 ? 100 : force * level;
      std::vector<double> row{double(run.series.rows),
                              1,
                              double(cycle),
                              double(level),
                              double(p <= 2),
                              0.01 * level,
                              top,
                              5.0 + level,
                              6.0 + level,
                              0.6,
                              0.02,
                              0.01 * level,
                              0.001 * level};
      for (int k = 0; k < 80; ++k) row.push_back(k == 40 || k == 42 ? 50 * level : 0);
      for (std::size_t c = 0; c < row.size(); ++c) run.series.columns[c].values.push_back(row[c]);
      ++run.series.rows;
    }
  return run;
}

TEST(ReportCharts, CyclesAreAveragedOverThoseThatCount) {
  const std::vector<RunData> runs{pressed("a", "half-space", 3)};
  const auto charts = charts_of_runs(group_replicates(runs));
  const Chart* force = chart(charts, "Force on the platen");
  ASSERT_NE(force, nullptr);
  ASSERT_EQ(force->curves.size(), 2u);
  EXPECT_EQ(force->curves[0].label, "loading");
  EXPECT_NEAR(force->curves[0].y.back(), 6, 1e-12);  // not the 100 of the cycle that is dropped
  EXPECT_NEAR(force->curves[0].x.back(), 20, 1e-12);
  EXPECT_EQ(force->x_label, "Travel of the platen (mm)");
  ASSERT_NE(chart(charts, "Contacts per grain"), nullptr);
  ASSERT_NE(chart(charts, "Scaling of the force"), nullptr);
}

// A density over f / <f>: its integral over the classes is one.
TEST(ReportCharts, DistributionOfForcesIsADensityOverTheirMean) {
  const std::vector<RunData> runs{pressed("a", "half-space", 3)};
  const auto charts = charts_of_runs(group_replicates(runs));
  const Chart* p = chart(charts, "Distribution of contact forces");
  ASSERT_NE(p, nullptr);
  EXPECT_TRUE(p->log_x && p->log_y);
  const Curve& c = p->curves.back();
  ASSERT_EQ(c.x.size(), 3u);
  EXPECT_TRUE(std::isnan(c.y[1]));             // an empty class
  const double step = std::pow(10, 4.0 / 80);  // edges of classes
  double sum = 0;
  for (const int k : {0, 2}) sum += c.y[std::size_t(k)] * c.x[std::size_t(k)] * (std::sqrt(step) - 1 / std::sqrt(step));
  EXPECT_NEAR(sum, 1, 1e-9);
}

TEST(ReportFigures, TableOfModelsIsAgainstTheMultiContactRunAndSaysSo) {
  const std::vector<RunData> runs{pressed("one", "independent", 3), pressed("two", "multi-contact", 4)};
  const Report report = report_of_runs(runs);
  const auto row = [&](const std::string& name) {
    for (const FigureRow& r : report.figures)
      if (r.name == name) return r;
    return FigureRow{};
  };
  ASSERT_GE(row("Rtop").values.size(), 2u);
  EXPECT_EQ(row("Rtop").values[0], "0.7500");
  EXPECT_EQ(row("Rtop").values[1], "1.000");
  EXPECT_NE(row("errf").definition.text.find("run two in the place of an experiment"), std::string::npos);
}

TEST(ReportCharts, ACompressionCurveBeginsUnderTheFirstStress) {
  RunData run;
  run.label = "a";
  run.stages = {"fill", "100 kPa", "200 kPa"};
  run.series = parse_series("time [s],stage [1],sigma_v [Pa],e [1]\n0,0,nan,0.9\n1,1,5,0.85\n2,1,100,0.8\n3,2,150,0.75\n4,2,200,0.7\n", "");
  const std::vector<RunData> runs{run};
  const auto charts = charts_of_runs(group_replicates(runs));
  const Chart* curve = chart(charts, "Compression curve");
  ASSERT_NE(curve, nullptr);
  ASSERT_EQ(curve->curves.size(), 1u);
  EXPECT_EQ(curve->curves[0].y, (std::vector<double>{0.8, 0.75, 0.7}));  // before, the lid comes down onto the grains
}

TEST(ReportCharts, TheDrumIsShownWhileItTurns) {
  RunData run;
  run.label = "a";
  run.stages = {"fill", "turn"};
  run.series = parse_series("time [s],stage [1],drum_turns [1],bed_angle [deg]\n0,0,0,-160\n1,0,0,3\n2,1,0.1,20\n3,1,0.2,30\n", "");
  const std::vector<RunData> runs{run};
  const auto charts = charts_of_runs(group_replicates(runs));
  const Chart* slope = chart(charts, "Slope of the bed");
  ASSERT_NE(slope, nullptr);
  EXPECT_EQ(slope->curves.at(0).y, (std::vector<double>{20, 30}));
}

TEST(ReportCharts, AMissingColumnGivesNoChart) {
  const std::vector<RunData> runs{triaxial("a", 1)};
  const auto charts = charts_of_runs(group_replicates(runs));
  for (const char* title : {"Porosity", "Coordination number", "Volumetric strain", "Fabric", "Grading curve", "empty"})
    EXPECT_EQ(chart(charts, title), nullptr) << title;
  for (const Chart& c : charts) {
    ASSERT_FALSE(c.curves.empty()) << c.title;
    for (const Curve& curve : c.curves)
      EXPECT_TRUE(std::any_of(curve.y.begin(), curve.y.end(), [](double v) { return std::isfinite(v); })) << c.title;
  }
}

TEST(ReportCharts, AnUnknownColumnIsShownAgainstTime) {
  RunData run;
  run.series = parse_series("step,time [s],wall_top_force [N]\n0,0,1\n1,1,2\n", "series.csv");
  const std::vector<RunData> runs{run};
  const auto charts = charts_of_runs(group_replicates(runs));
  ASSERT_EQ(charts.size(), 1u);
  EXPECT_EQ(charts[0].y_label, "wall_top_force (N)");
}

TEST(ReportCharts, ReplicatesGiveMeanAndBand) {
  const std::vector<RunData> runs{triaxial("a", 1, 250e3), triaxial("b", 2, 260e3), triaxial("c", 3, 270e3)};
  const auto ensembles = group_replicates(runs);
  ASSERT_EQ(ensembles.size(), 1u);
  const auto charts = charts_of_runs(ensembles);
  const Chart* q = chart(charts, "Deviator stress");
  ASSERT_NE(q, nullptr);
  ASSERT_EQ(q->curves.size(), 4u);
  const Curve& mean = q->curves.back();
  EXPECT_TRUE(q->curves[0].faint);
  EXPECT_FALSE(mean.faint);
  EXPECT_NEAR(mean.y.back(), 260, 0.1);
  EXPECT_NEAR(mean.high.back() - mean.y.back(), 10, 0.01);  // sample standard deviation of 250, 260, 270
}

TEST(ReportCharts, RunsOfDifferentScenesAreComparedNotAveraged) {
  std::vector<RunData> runs{triaxial("a", 1), triaxial("b", 1, 200e3)};
  runs[1].scene_text += "friction = 0.1\n";
  const Report r = report_of_runs(runs);
  EXPECT_EQ(r.figure_columns, (std::vector<std::string>{"a", "b", "Difference"}));
  EXPECT_EQ(r.figures[0].values, (std::vector<std::string>{"260.0 kPa", "200.0 kPa", "−60.00 kPa (−23 %)"}));
  EXPECT_EQ(chart(r.charts, "Deviator stress")->curves.size(), 2u);
}

TEST(ReportComparison, EnsemblesAreNamedByWhatDiffersAndTheirDifferencesAreJudged) {
  std::vector<RunData> runs;
  for (int seed = 1; seed <= 3; ++seed)
    for (const double friction : {0.2, 0.5}) {
      runs.push_back(triaxial("seed-" + std::to_string(seed), seed, (200e3 + 200e3 * friction) + 1e3 * seed));
      runs.back().scene_text = "#   friction = " + std::string(friction < 0.3 ? "0.2 (set; default 0.3)" : "0.5") + ": of grains\n\nfriction = " +
                               std::to_string(friction) + "\nother = 1\nseed = " + std::to_string(seed) + "\n";
    }
  const Report r = report_of_runs(runs);
  EXPECT_EQ(r.figure_columns, (std::vector<std::string>{"friction 0.2", "friction 0.5", "Difference", "More than chance?"}));
  EXPECT_EQ(r.figures[0].values[2], "+60.00 kPa (+25 %)");
  EXPECT_TRUE(r.figures[0].values[3].starts_with("clear, p ")) << r.figures[0].values[3];
}

TEST(ReportComparison, RunsOfAnotherTestAreRefused) {
  std::vector<RunData> runs{triaxial("a", 1), triaxial("b", 2)};
  runs[1].stages = {"settle"};
  EXPECT_THROW(report_of_runs(runs), InputError);
}

// From tables of Student's distribution: two-sided 5 % and 1 %; printed with four digits.
TEST(ReportComparison, TheTailsOfStudentsDistributionAreThoseOfTables) {
  EXPECT_NEAR(student_tails(12.706, 1), 0.05, 1e-5);
  EXPECT_NEAR(student_tails(2.776, 4), 0.05, 1e-4);
  EXPECT_NEAR(student_tails(4.604, 4), 0.01, 1e-5);
  EXPECT_NEAR(student_tails(1.960, 1e7), 0.05, 1e-4);
  EXPECT_NEAR(student_tails(0, 5), 1, 1e-12);
  const Spread a = spread_of({1, 2, 3}), b = spread_of({1, 2, 3}), c = spread_of({1, 1});
  EXPECT_NEAR(chance_of_difference(a, b), 1, 1e-12);
  EXPECT_TRUE(std::isnan(chance_of_difference(c, c)));  // nothing scatters
}

TEST(ReportFigures, ReplicatesShowMeanAndDeviationAndMissingOnesTheirReason) {
  const Report r = report_of_runs({triaxial("a", 1, 250e3), triaxial("b", 2, 260e3), triaxial("c", 3, 270e3)});
  ASSERT_EQ(r.figures.size(), 2u);
  EXPECT_EQ(r.figures[0].values[0], "260 ± 10 kPa");
  EXPECT_EQ(r.figures[1].values[0], "not reached: no peak");
}

TEST(ReportLights, LookAtTheRowsTheirRuleNames) {
  const std::vector<RunData> runs{triaxial("a", 1)};
  const auto lights = lights_of_runs(group_replicates(runs));
  EXPECT_EQ(light(lights, "Inertial number").level, Light::Level::good);  // 0.5 was before the shear
  EXPECT_EQ(light(lights, "Unbalanced force").level, Light::Level::good);
  EXPECT_EQ(light(lights, "Overlap").level, Light::Level::unknown);
  EXPECT_EQ(light(lights, "Servo error").level, Light::Level::unknown);
}

TEST(ReportLights, ATestWithoutShearIsNotJudgedAsOne) {
  std::vector<RunData> runs{triaxial("a", 1)};
  runs[0].shear_stages.clear();
  for (SeriesColumn& c : runs[0].series.columns)
    if (c.name == "unbalanced") std::fill(c.values.begin(), c.values.end(), 1.0);  // a grain in flight
  const auto lights = lights_of_runs(group_replicates(runs));
  EXPECT_EQ(light(lights, "Unbalanced force").level, Light::Level::unknown);
  EXPECT_THROW(light(lights, "Inertial number"), std::runtime_error);
  EXPECT_EQ(chart(charts_of_runs(group_replicates(runs)), "Deviator stress"), nullptr);
}

TEST(ReportLights, TheMembraneLacksItsForceDuringShearAlone) {
  const auto of = [](const std::string& share, std::vector<int> shear_stages) {
    RunData run;
    run.series = parse_series("stage,step,ray_force_ratio\n0,1,0.5\n1,2,1\n1,3," + share + "\n", "");
    run.stages = {"confine", "shear"};
    run.shear_stages = std::move(shear_stages);
    const std::vector<RunData> runs{run};
    return lights_of_runs(group_replicates(runs));
  };
  EXPECT_EQ(light(of("0.995", {1}), "Membrane").level, Light::Level::good);
  EXPECT_EQ(light(of("0.97", {1}), "Membrane").level, Light::Level::warn);
  EXPECT_EQ(light(of("0.9", {1}), "Membrane").level, Light::Level::bad);
  EXPECT_THROW(light(of("0.9", {}), "Membrane"), std::runtime_error);  // not a shear test
}

TEST(ReportLights, AStepInTwentyNotConvergedIsTooMany) {
  for (const auto& [not_converged, level] : {std::pair{"1", Light::Level::good}, {"4", Light::Level::warn}, {"5", Light::Level::bad}}) {
    RunData run;
    run.series = parse_series(std::string("stage,step,solver_capped\n0,0,0\n0,100,") + not_converged + "\n", "");
    const std::vector<RunData> runs{run};
    EXPECT_EQ(light(lights_of_runs(group_replicates(runs)), "Steps not converged").level, level) << not_converged;
  }
}

TEST(ReportLights, GrainsWhoseContactsFeelOneAnotherMayBePressedFurther) {
  RunData hard, soft;
  hard.series = parse_series("stage,max_overlap\n0,0.08\n", "");
  soft.series = parse_series("stage,max_overlap,contraction\n0,0.08,0.5\n", "");
  const std::vector<RunData> one{hard}, other{soft}, both{hard, soft};
  EXPECT_EQ(light(lights_of_runs(group_replicates(one)), "Overlap").level, Light::Level::bad);
  EXPECT_EQ(light(lights_of_runs(group_replicates(other)), "Overlap").level, Light::Level::good);
  EXPECT_EQ(lights_of_runs(group_replicates(both)).size(), lights_of_runs(group_replicates(other)).size() + 1);
}

TEST(ReportLights, OverlapIsJudgedByItsQuantileWithTheLargestBesideIt) {
  const auto of = [](const char* rows) {
    RunData run;
    run.series = parse_series(std::string("stage,overlap_99,max_overlap\n0,") + rows + "\n", "");
    const std::vector<RunData> runs{run};
    return light(lights_of_runs(group_replicates(runs)), "Overlap");
  };
  EXPECT_EQ(of("0.01,0.06").level, Light::Level::good);  // one small grain between large ones
  EXPECT_EQ(of("0.01,0.06").value, "1.00 %, largest 6.00 %");
  EXPECT_EQ(of("0.01,0.12").level, Light::Level::warn);
  EXPECT_EQ(of("0.03,0.06").level, Light::Level::warn);
  EXPECT_EQ(of("0.06,0.07").level, Light::Level::bad);
  EXPECT_TRUE(of("0.01,0.06").remedy.empty());
  EXPECT_FALSE(of("0.06,0.07").remedy.empty());
}

TEST(ReportLights, OverlapsOfGrainsThatGrowAreNoFaultOfTheSample) {
  const auto of = [](std::vector<int> shear_stages, const char* last) {
    RunData run;
    run.stages = {"grow", "relax", "compression", "relax"};
    run.shear_stages = std::move(shear_stages);
    run.scene_text = "[[stage]]\nkind = \"grow\"\n[[stage]]\nkind = \"relax\"\n[[stage]]\nkind = \"isotropic\"\n[[stage]]\nkind = \"relax\"\n";
    run.series = parse_series(std::string("stage,overlap_99\n0,0.5\n1,0.4\n2,0.01\n3,") + last + "\n", "");
    const std::vector<RunData> runs{run};
    return light(lights_of_runs(group_replicates(runs)), "Overlap").level;
  };
  EXPECT_EQ(of({}, "0.015"), Light::Level::good);
  EXPECT_EQ(of({}, "0.03"), Light::Level::warn);  // a relax that follows no growth
  EXPECT_EQ(of({2}, "0.03"), Light::Level::good);
}

TEST(ReportLights, AnElementIsCompressedAsItsPathStates) {
  for (const auto& [column, judged] : {std::pair{"element_shear", false}, {"mach", true}}) {
    RunData run;
    run.series = parse_series(std::string("stage,compression,") + column + "\n0,0.2,0\n", "");
    const std::vector<RunData> runs{run};
    const auto lights = lights_of_runs(group_replicates(runs));
    EXPECT_EQ(std::any_of(lights.begin(), lights.end(), [](const Light& l) { return l.name == "Compression"; }), judged) << column;
  }
}

TEST(ReportLights, ATerminalIsToldTheVerdictAndWhatToDo) {
  RunData run;
  run.series = parse_series("stage,overlap_99,max_overlap,unbalanced\n0,0.06,0.07,0.001\n", "");
  const std::vector<RunData> runs{run};
  const std::string text = told(lights_of_runs(group_replicates(runs)));
  EXPECT_TRUE(text.starts_with("verdict: red.")) << text;
  EXPECT_NE(text.find("Overlap: 6.00 %, largest 7.00 %\n          Use stiffer grains"), std::string::npos) << text;
  EXPECT_EQ(text.find("Unbalanced force: "), std::string::npos) << text;  // it is green
}

TEST(ReportLights, EnergyIsJudgedOverTheShearAlone) {
  RunData run;
  run.stages = {"grow", "shear"};
  run.shear_stages = {1};
  run.series = parse_series(
      "stage,boundary_work [J],residual [J],energy_residual_rel\n0,1,0.5,0.5\n1,1,0.5,0.5\n1,3,0.501,0.167\n", "");
  const std::vector<RunData> runs{run};
  const auto lights = lights_of_runs(group_replicates(runs));
  EXPECT_EQ(light(lights, "Energy residual").level, Light::Level::good);  // 0.001 of 2 J
  EXPECT_EQ(light(lights, "Energy residual").value, "0.0500 %");
}

TEST(ReportLights, ARunThatFailedIsNotTrusted) {
  std::vector<RunData> runs{triaxial("a", 1)};
  runs[0].summary.status = "failed: grain 7 left the cell";
  const Report r = report_of_runs(runs);
  EXPECT_EQ(judge(r.lights).level, Light::Level::bad);
}

TEST(ReportColours, LightnessRisesWithTheValue) {
  double before = -1;
  for (int k = 0; k <= 20; ++k) {
    const Rgb c = map_colour(k / 20.0);
    const double luminance = 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
    EXPECT_GT(luminance, before);
    before = luminance;
    for (const double v : c)
      EXPECT_TRUE(v >= -1e-6 && v <= 1 + 1e-6);  // displayable; bisection stops short of the bound
  }
}

TEST(ReportPicture, ShowsGrainsOnWhiteInDimensionTwoAndThree) {
  for (const bool flat : {false, true}) {
    const Picture p = draw_grains(two_spheres(flat), 120);
    ASSERT_EQ(p.rgba.size(), std::size_t(4) * std::size_t(p.width) * std::size_t(p.height));
    std::size_t dark = 0;
    for (std::size_t k = 0; k < p.rgba.size(); k += 4) dark += p.rgba[k] < 200;
    const double share = double(dark) / double(p.rgba.size() / 4);
    EXPECT_GT(share, 0.1) << flat;
    EXPECT_LT(share, 0.9) << flat;
    EXPECT_EQ(p.rgba[0], 255);  // a corner: background
    EXPECT_EQ(p.bar.label, "Value");
    EXPECT_EQ(p.bar.high, 1);
  }
}

TEST(ReportPicture, TheNearerSphereHidesTheOther) {
  Grains g;
  g.radii = {1, 1};
  g.values = {0, 1};  // dark, yellow
  // The eye looks along (-sin, cos, 0) of the azimuth and down; far along that way lies behind.
  g.centres = {{0, 0, 0}, {-1.83, 3.16, -1.63}};
  const auto middle = [](const Picture& p) {
    return p.rgba[std::size_t(4) * (std::size_t(p.height / 2) * std::size_t(p.width) + std::size_t(p.width / 2))];
  };
  const Picture dark_in_front = draw_grains(g, 80);
  std::swap(g.values[0], g.values[1]);
  const Picture light_in_front = draw_grains(g, 80);
  EXPECT_LT(middle(dark_in_front) + 60, middle(light_in_front));
}

TEST(ReportPicture, NoGrainsGiveAnEmptyPictureNotAFault) {
  const Picture p = draw_grains(Grains{}, 40);
  EXPECT_TRUE(std::all_of(p.rgba.begin(), p.rgba.end(), [](unsigned char c) { return c == 255; }));
}

TEST(ReportPng, GivesBackPixelsCaptionAndScale) {
  Picture p = draw_grains(two_spheres(false), 50);
  p.caption = "Sample at 100 kPa, σ₃";
  const auto bytes = encode_png(p);
  const Picture q = decode_png(bytes);
  EXPECT_EQ(q.width, p.width);
  EXPECT_EQ(q.height, p.height);
  EXPECT_EQ(q.rgba, p.rgba);
  EXPECT_EQ(q.caption, p.caption);
  EXPECT_EQ(q.bar.label, "Value");
  EXPECT_EQ(q.bar.high, 1);
}

TEST(ReportPng, ADamagedFileIsAnErrorNotACrash) {
  auto bytes = encode_png(draw_grains(two_spheres(false), 50));
  bytes.resize(bytes.size() / 2);
  EXPECT_THROW(decode_png(bytes), std::runtime_error);
  EXPECT_THROW(decode_png(std::vector<unsigned char>{1, 2, 3}), std::runtime_error);
  EXPECT_THROW(encode_png(Picture{"", 3, 3, {}, {}}), std::runtime_error);
}
