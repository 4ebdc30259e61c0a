#include <talus/core/csv.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <stdexcept>

#include <talus/core/input_error.hpp>
#include <talus/core/nearest.hpp>

namespace talus {
namespace {

std::string quoted(std::string_view text) { return "'" + std::string(text) + "'"; }

std::string_view trimmed(std::string_view text) {
  const auto is_space = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

// Spreadsheets put quotes around fields as they please. A comma inside quotes stays a fault of the number of fields.
std::string_view unquoted(std::string_view field) {
  field = trimmed(field);
  if (field.size() >= 2 && field.front() == '"' && field.back() == '"')
    field = trimmed(field.substr(1, field.size() - 2));
  return field;
}

void split_into(std::vector<std::string_view>& fields, std::string_view line) {
  fields.clear();
  for (std::size_t comma; (comma = line.find(',')) != std::string_view::npos; line.remove_prefix(comma + 1))
    fields.push_back(unquoted(line.substr(0, comma)));
  fields.push_back(unquoted(line));
}

// The whole field as a finite decimal number.
std::optional<Real> number(std::string_view field) {
  if (field.starts_with('+') && !field.starts_with("+-")) field.remove_prefix(1);
  Real value = 0;
  const auto [end, status] = std::from_chars(field.data(), field.data() + field.size(), value);
  if (status != std::errc{} || end != field.data() + field.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

class Reader {
 public:
  Reader(std::string_view text, std::string_view file) : text_(text) { table_.file = std::string(file); }

  CsvTable read() {
    if (text_.starts_with("\xEF\xBB\xBF")) text_.remove_prefix(3);  // the mark that some editors put before UTF-8
    while (const auto line = next_line()) {
      if (table_.columns.empty())
        read_header(*line);
      else
        read_row(*line);
    }
    if (table_.columns.empty())
      fail(0, "", "the file holds no header line", "begin with names, as in 'd [mm], passing [%]'");
    if (table_.rows() == 0) fail(line_, "", "there are no rows below the header", "");
    return std::move(table_);
  }

 private:
  [[noreturn]] void fail(int line, std::string_view column, const std::string& reason, const std::string& hint) const {
    throw InputError(table_.file, line, std::string(column), reason, hint);
  }

  // The next line that says something.
  std::optional<std::string_view> next_line() {
    while (!text_.empty()) {
      const std::size_t end = text_.find('\n');
      const std::string_view line = trimmed(text_.substr(0, end));
      text_.remove_prefix(end == std::string_view::npos ? text_.size() : end + 1);
      ++line_;
      if (!line.empty() && line.front() != '#') return line;
    }
    return std::nullopt;
  }

  void read_header(std::string_view line) {
    table_.header_line = line_;
    std::vector<std::string_view> fields;
    split_into(fields, line);
    if (fields.size() == 1 && fields[0].find_first_of(";\t") != std::string_view::npos)
      fail(line_, "", "the columns are not separated by commas", "write the table with commas and decimal points");
    constexpr std::size_t most = 10000;  // names are compared with one another
    if (fields.size() > most) fail(line_, "", "there are more than " + std::to_string(most) + " columns", "");
    for (const std::string_view field : fields) {
      const std::string place = "column " + std::to_string(table_.columns.size() + 1);
      if (number(field))
        fail(line_, place, "the first line must name the columns, but holds the number " + quoted(field),
             "add a line such as 'x [mm], y [mm], d [mm]'");
      table_.columns.push_back(read_title(field, place));
    }
  }

  CsvColumn read_title(std::string_view field, const std::string& place) const {
    CsvColumn column;
    const std::size_t open = field.find('[');
    column.name = std::string(trimmed(field.substr(0, open)));
    if (column.name.empty()) fail(line_, place, "the column has no name", "");
    for (const CsvColumn& other : table_.columns)
      if (other.name == column.name) fail(line_, place, "the name " + quoted(column.name) + " occurs twice", "");
    if (open == std::string_view::npos) {  // a unit may also stand behind the name, as in x_mm
      for (const std::string_view unit : {"mm", "cm", "um", "m"}) {
        const std::string tail = "_" + std::string(unit);
        if (!column.name.ends_with(tail) || column.name.size() == tail.size()) continue;
        column.name.resize(column.name.size() - tail.size());
        column.unit = unit;
        column.scale = scale_of(column);
        break;
      }
      return column;
    }

    if (!field.ends_with(']')) fail(line_, column.name, "the unit in " + quoted(field) + " lacks a ']'", "");
    column.unit = std::string(trimmed(field.substr(open + 1, field.size() - open - 2)));
    if (column.unit.empty() || column.unit == "-") column.unit = "1";
    column.scale = scale_of(column);
    return column;
  }

  void read_row(std::string_view line) {
    split_into(fields_, line);
    if (fields_.size() != table_.columns.size())
      fail(line_, "",
           "the line has " + std::to_string(fields_.size()) + " fields, the header has " +
               std::to_string(table_.columns.size()),
           fields_.size() > table_.columns.size() ? "the decimal sign is a point" : "");
    for (std::size_t k = 0; k < fields_.size(); ++k) {
      CsvColumn& column = table_.columns[k];
      const auto place = [&] { return "column " + std::to_string(k + 1) + " (" + column.name + ")"; };
      if (fields_[k].empty()) fail(line_, place(), "the field is empty", "every row needs a number in every column");
      const auto value = number(fields_[k]);
      if (!value)
        fail(line_, place(), quoted(fields_[k]) + " is not a finite number",
             column.unit.empty() ? "units go into the header, as in '" + column.name + " [mm]'" : "");
      column.values.push_back(column.unit.empty() ? *value : convert(fields_[k], column));
    }
    table_.lines.push_back(line_);
  }

  // Text and unit go through the reader of quantities together: "0.44" in mm is the double 0.44e-3.
  Real convert(std::string_view field, const CsvColumn& column) const {
    try {
      return column.scale.value(field);
    } catch (const std::invalid_argument& error) { fail(line_, column.name, error.what(), ""); }
  }
  ColumnUnit scale_of(const CsvColumn& column) const {
    try {
      return ColumnUnit::read(column.unit);
    } catch (const std::invalid_argument& error) { fail(line_, column.name, error.what(), ""); }
  }

  std::string_view text_;
  std::vector<std::string_view> fields_;  // of the line that is read
  int line_ = 0;
  CsvTable table_;
};

}  // namespace

bool CsvTable::has(std::string_view name) const {
  return std::any_of(columns.begin(), columns.end(), [&](const CsvColumn& c) { return c.name == name; });
}

const std::vector<Real>& CsvTable::values(std::string_view name, const Dimension& dimension) const {
  for (const CsvColumn& column : columns) {
    if (column.name != name) continue;
    if (!column.unit.empty() && column.scale.dimension != dimension)
      throw InputError(file, header_line, column.name,
                       "the unit " + quoted(column.unit) + " is " + describe(column.scale.dimension) + ", expected " +
                           describe(dimension));
    return column.values;
  }
  std::vector<std::string> names;
  for (const CsvColumn& column : columns) names.push_back(column.name);
  std::string hint = "the columns are:";
  for (const std::string& other : names) hint += " " + quoted(other);
  if (const auto meant = nearest(name, names)) hint = "did you mean " + quoted(*meant) + "? " + hint;
  throw InputError(file, header_line, std::string(name), "there is no column " + quoted(name), hint);
}

void CsvTable::need_known(const std::vector<std::string>& known) const {
  for (const CsvColumn& column : columns) {
    if (std::find(known.begin(), known.end(), column.name) != known.end()) continue;
    std::string hint = "columns that are read here:";
    for (const std::string& other : known) hint += " " + quoted(other);
    if (const auto meant = nearest(column.name, known)) hint = "did you mean " + quoted(*meant) + "? " + hint;
    throw InputError(file, header_line, column.name, "nothing reads a column " + quoted(column.name), hint);
  }
}

void CsvTable::need_one_of(std::string_view one, std::string_view other) const {
  if (has(one) && has(other))
    throw InputError(file, header_line, std::string(other),
                     "there are both " + quoted(one) + " and " + quoted(other) + ", which state the same",
                     "keep one of the two columns");
}

CsvTable parse_csv(std::string_view text, std::string_view file_name) { return Reader(text, file_name).read(); }

}  // namespace talus
