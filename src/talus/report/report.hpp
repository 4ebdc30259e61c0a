#pragma once
// What a report shows, as plain data, and its page: one HTML file that needs neither network nor other files. Numbers
// arrive here in the unit that their label names; nothing is converted on the page.
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <talus/core/figure.hpp>

namespace talus::report {

struct Curve {
  static constexpr double gap = std::numeric_limits<double>::quiet_NaN();
  std::string label;
  std::vector<double> x, y;       // y may have gaps
  std::vector<double> low, high;  // band around y, empty: none
  int colour = -1;                // curves of one colour belong together; -1: by position in the chart
  bool faint = false;             // a member of an ensemble: thin, not in the legend
};

struct Mark {  // a vertical line across a chart, e.g. the start of a stage
  double x;
  std::string label;
};

struct Chart {
  std::string title, x_label, y_label;  // labels with units
  std::vector<Curve> curves;
  std::vector<Curve> reference;  // dashed: targets, closed forms, published curves with their source in the label
  std::string note;
  bool log_x = false, log_y = false;
  std::vector<Mark> marks;
  std::string group;  // charts of one group follow a common heading
  std::string panel = {};  // charts of one title that follow one another stand in one frame, each under its own word
};

// A table whose columns a reader may plot against one another.
struct DataColumn {
  std::string name, unit, meaning;  // the unit of the values
  std::vector<double> values;       // may have gaps
};
struct DataTable {
  std::string label;
  std::vector<DataColumn> columns;
  std::vector<int> stage;                // of each row; empty: not known
  std::vector<std::string> stage_names;
  int stride = 1;                        // every so many rows of the run
};

// Is the run what it claims to be? One light per condition.
struct Light {
  enum class Level { unknown, good, warn, bad };  // from harmless to bad
  std::string name;
  Level level = Level::unknown;
  std::string value;  // what was measured
  std::string rule;   // what it is compared with, spelled out
  std::string remedy{};  // what to try; empty when it is good
};

struct FigureRow {
  std::string name;
  std::vector<std::string> values;  // with units; one per entry of Report::figure_columns
  Definition definition;
};

// The scale of the colours of a picture. Text is set by the page: it stays sharp and can be selected.
struct ColourBar {
  std::string label;  // with unit; empty: the picture has no scale
  double low = 0, high = 1;
  bool more_below = false, more_above = false;  // values outside are painted in the end colours
};

struct Picture {
  std::string caption;
  int width = 0, height = 0;
  std::vector<unsigned char> rgba;  // rows from the top, 4 bytes per pixel
  ColourBar bar;
  double scale = 0;  // pixels per m; 0: not known
  std::vector<unsigned char> film{};  // an animated PNG, shown as it is; empty: the pixels above
};

struct Report {
  std::string title, subtitle;
  std::vector<std::pair<std::string, std::string>> test;  // what was tested: grains, size, law, stress
  std::vector<std::pair<std::string, std::string>> provenance;
  std::vector<Light> lights;
  std::vector<std::string> figure_columns;  // headings of the values; empty: one column
  std::vector<FigureRow> figures;
  std::vector<Chart> charts;
  std::vector<DataTable> tables;
  std::vector<Picture> pictures;
  std::string scene_text;
};

// One line on all lights together.
struct Verdict {
  Light::Level level = Light::Level::unknown;
  std::string text;
};
Verdict judge(const std::vector<Light>& lights);

std::string render_html(const Report& report);

}  // namespace talus::report
