#pragma once
// Rows of a series as analyses read them.
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include <talus/core/figure.hpp>

namespace talus::lab {

// A column, or as many nan as there are rows.
inline std::vector<Real> rows_of_column(const SeriesData& series, const std::string& name) {
  const auto it = series.find(name);
  if (it != series.end()) return it->second;
  return std::vector<Real>(series.empty() ? 0 : series.begin()->second.size(), NAN);
}

// A column, or nothing.
inline std::vector<Real> rows_if_any(const SeriesData& series, const std::string& name) {
  const auto it = series.find(name);
  return it == series.end() ? std::vector<Real>{} : it->second;
}

inline std::optional<Real> last_of(const std::vector<Real>& rows) { return rows.empty() ? std::nullopt : std::optional(rows.back()); }

// Those rows of a column that belong to a stage.
inline std::vector<Real> rows_of_stage(const SeriesData& series, const std::string& name, std::size_t stage) {
  const std::vector<Real> all = rows_of_column(series, name), stages = rows_of_column(series, "stage");
  std::vector<Real> out;
  for (std::size_t k = 0; k < all.size(); ++k)
    if (stages[k] == Real(stage)) out.push_back(all[k]);
  return out;
}

// A figure; one that is not there or not finite has the reason instead.
inline void add_known(Figures& out, const std::string& name, std::optional<Real> value, const char* unit, const Definition& definition,
                      const std::string& reason = "no row was written") {
  const bool known = value && std::isfinite(*value);
  out.push_back({name, known ? value : std::nullopt, unit, definition, known ? "" : reason});
}

}  // namespace talus::lab
