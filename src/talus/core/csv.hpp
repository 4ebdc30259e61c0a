#pragma once
// Tables of numbers in comma-separated text: a header line with names and optional units, "d [mm], passing [%]", then
// numbers. Strict: an empty field, a word, NaN or a line of another length is an error that names line and column.
// Blank lines and lines that begin with '#' are skipped.
#include <string>
#include <string_view>
#include <vector>

#include <talus/core/column_unit.hpp>

namespace talus {

struct CsvColumn {
  std::string name;
  std::string unit;          // as written in the header; empty when there is none
  ColumnUnit scale;          // of the unit
  std::vector<Real> values;  // SI; a column without a unit is taken as it is
};

struct CsvTable {
  std::string file;  // for messages
  int header_line = 0;
  std::vector<CsvColumn> columns;
  std::vector<int> lines;  // line of each row in the text

  std::size_t rows() const { return lines.size(); }
  bool has(std::string_view name) const;
  // The values of a column; an InputError that names the nearest column when there is none of this name, or when its
  // unit is of another dimension. A column without a unit passes: plain numbers are SI.
  const std::vector<Real>& values(std::string_view name, const Dimension& dimension) const;
  // Refuses columns that nobody will read: a misspelt vx would be left out without a word.
  void need_known(const std::vector<std::string>& known) const;
  // Refuses two columns that state the same thing.
  void need_one_of(std::string_view one, std::string_view other) const;
};

// Throws InputError.
CsvTable parse_csv(std::string_view text, std::string_view file_name);

}  // namespace talus
