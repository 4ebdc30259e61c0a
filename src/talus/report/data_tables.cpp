#include <talus/report/data_tables.hpp>

#include <algorithm>
#include <cmath>

#include <talus/lab/channels.hpp>
#include <talus/report/units.hpp>

namespace talus::report {
namespace {

constexpr std::size_t most_numbers = 40'000;  // of a page: about 300 kB
constexpr std::size_t most_columns = 400;     // a list that a reader may still look through

// Every `stride`-th value and the last.
template <class T, class F>
std::vector<T> thinned(const std::vector<double>& values, std::size_t stride, F&& f) {
  std::vector<T> out;
  for (std::size_t k = 0; k < values.size(); ++k)
    if (k % stride == 0 || k + 1 == values.size()) out.push_back(f(values[k]));
  return out;
}

DataTable table_of(const RunData& run, const std::vector<RunData>& runs, std::size_t most) {
  DataTable out{run.label, {}, {}, run.stages, 1};
  std::vector<const SeriesColumn*> shown;
  for (const SeriesColumn& c : run.series.columns)
    if (c.name != "stage" && varies(c.values) && shown.size() < most_columns) shown.push_back(&c);
  const std::size_t stride = std::max<std::size_t>(1, (run.series.rows * shown.size() + most - 1) / most);
  out.stride = static_cast<int>(stride);
  for (const SeriesColumn* c : shown) {
    double size = 0;  // one unit for all runs
    for (const RunData& other : runs)
      if (const SeriesColumn* same = other.series.find(c->name)) size = std::max(size, largest(same->values));
    const Scale scale = pick_scale(c->unit, size);
    const lab::ChannelInfo* channel = lab::find_channel(c->name);
    out.columns.push_back({c->name, scale.unit, channel ? channel->meaning : "",
                           thinned<double>(c->values, stride, [&](double v) { return scale.factor * v; })});
  }
  if (const SeriesColumn* stage = run.series.find("stage"))
    out.stage = thinned<int>(stage->values, stride, [](double v) { return v >= 0 && v < 1e6 ? static_cast<int>(v) : -1; });
  return out;
}

}  // namespace

std::vector<DataTable> tables_of_runs(const std::vector<RunData>& runs) {
  std::vector<DataTable> out;
  for (const RunData& run : runs) out.push_back(table_of(run, runs, most_numbers / runs.size() + 1));
  std::erase_if(out, [](const DataTable& t) { return t.columns.size() < 2; });
  return out;
}

}  // namespace talus::report
