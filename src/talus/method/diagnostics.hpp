#pragma once
// What a method tells of its steps besides the motion. Declared once, by the method: the columns of the series, what a
// checkpoint keeps between two rows, and figures of the whole run follow from the declaration.
#include <string_view>
#include <vector>

#include <talus/core/figure.hpp>
#include <talus/state/status.hpp>

namespace talus {

// How many values become one: of steps in a row of the series, of rows in a figure of the run.
enum class Reduce { nothing, last, most, sum, mean };

struct Diagnostic {
  std::string_view name;   // column of the series
  std::string_view unit;   // "1" for pure numbers
  std::string_view about;  // one line
  Reduce reduce;           // over steps. last: computed from the state when a row is written, see Method::now; mean: steps
                           // tell their sum
  std::string_view figure = {};      // of the whole run, in summary.json; empty: none. Reduced likewise; last: the largest
  Definition definition = {};        // of that figure
  std::string_view needs = {};       // what a run must have; empty: this method
};
using Diagnostics = std::vector<Diagnostic>;

// What some steps have shown.
struct Steps {
  u32 status = fine;
  Real overlap = 0;          // largest over the smaller radius
  std::vector<Real> values;  // one per diagnostic
};

// What steps have shown since the last row of the series. Kept beside the checkpoint, not in State: rows are not physics.
struct SinceRow {
  i64 steps = 0;
  Real overlap = 0;
  std::vector<Real> values;  // one per diagnostic
  std::vector<Real> in_all;  // the same since the start of the run

  void add(const Diagnostics& diagnostics, const Steps& report, i64 made);
  void begin_row();  // forgets all but what holds since the start
  // What the row says of the k-th; not of those that are computed from the state.
  Real value(std::size_t k, Reduce how) const;
};

}  // namespace talus
