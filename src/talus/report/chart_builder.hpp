#pragma once
// Makes charts from columns of one or more runs: picks rows, units and colours, overlays runs, adds mean and band of
// replicates. What is charted against what is decided in charts_of_run.cpp.
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <talus/report/run_data.hpp>
#include <talus/report/units.hpp>

namespace talus::report {

struct Quantity {
  std::string column, name;
  bool percent = false;
  bool main = false;        // the one to show when there are several runs; otherwise the first that is there
  std::string legend = {};  // of a dashed curve; empty: "target" and the name
  bool from_zero = false;   // a sum since the start of the run: counted from the first row that is drawn
};

// Rows of the shear stages, or all; what came before the first of them, or all from it on. A chart over the run becomes two panels where
// there is a preparation: what is made of a sample in its first milliseconds hides what the test does, and the other way round.
// Rows of a chart: of the shear stages, of all, before and from the first shear stage on, of the last stage, and from the end of the
// first stage in which the quantity on the axis exists.
enum class Over { shear, run, preparation, test, last_stage, after_first };

class ChartBuilder {
 public:
  explicit ChartBuilder(const std::vector<Ensemble>& ensembles);  // which must outlive it

  // The chart comes with its texts; curves, units and marks are filled in, and the meaning of a single y where the chart has
  // no note. No chart when x or every y is missing. With
  // one run, every y is drawn; with several, one: more would be a tangle. Targets go with the y of their name.
  void add(Chart chart, const Quantity& x, const std::vector<Quantity>& ys, Over over,
           const std::vector<Quantity>& targets = {});
  void add(Chart chart) { charts_.push_back(std::move(chart)); }  // as it is
  // What tests are drawn against, instead of time, in panels over the run: a strain that rises in the only stage of shear.
  void set_test_axis(const Quantity& strain);
  void add_sizes();
  void add_unknown();                                            // what no chart has used so far
  void see(const std::string& column) { seen_.insert(column); }  // counts as used

  const Quantity& time() const { return time_; }
  bool has(const std::string& column) const;
  bool moves(const std::string& column, Over over) const;  // is it ever different from zero?
  std::vector<Chart> take() { return std::move(charts_); }

 private:
  void add_panel(Chart chart, const Quantity& x, const std::vector<Quantity>& ys, Over over, const std::vector<Quantity>& targets);
  void add_over_run(Chart chart, const Quantity& x, const std::vector<Quantity>& ys, const std::vector<Quantity>& targets);
  std::vector<Quantity> shown_of(const std::vector<Quantity>& ys);
  bool is_zero(const std::string& column) const;
  Scale scale_of(const std::vector<Quantity>& quantities, const Quantity& x, Over over) const;
  void add_ensemble(Chart& chart, const Ensemble& e, const Quantity& x, const Quantity& y, Over over,
                    const Scale& x_scale, const Scale& y_scale, int& colour, bool several_ys) const;

  const std::vector<Ensemble>& ensembles_;
  std::vector<const RunData*> runs_;
  Quantity time_;
  std::optional<Quantity> test_axis_;
  std::set<std::string> seen_{"step", "time", "stage", "hash", "particle_steps_per_s"};
  std::vector<Chart> charts_;
};

// Mean and standard deviation of curves over the stretch of x they share, on `points` equal steps. Every curve has rising
// x. Empty when there is no such stretch.
Curve mean_curve(const std::vector<Curve>& curves, std::size_t points = 300);

}  // namespace talus::report
