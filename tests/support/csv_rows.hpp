#pragma once
// Rows of a table of expected values: comments and the header left out, fields as text.
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace talus::test {

inline std::vector<std::vector<std::string>> csv_rows(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::vector<std::string>> rows;
  bool header = true;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    if (!header) {
      rows.emplace_back();
      std::stringstream parts(line);
      for (std::string field; std::getline(parts, field, ',');) rows.back().push_back(field);
    }
    header = false;
  }
  return rows;
}

}  // namespace talus::test
