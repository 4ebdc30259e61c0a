#pragma once
// What `talus verify` tells: a table for a terminal, and one for a page.
#include <string>
#include <vector>

#include <talus/verify/check.hpp>

namespace talus::verify {

struct Outcome {
  const Case* of = nullptr;
  std::vector<Check> checks;
};

// Lines of a terminal, one for each check: case | what | expected | obtained | difference | tolerance | pass.
std::string terminal_heading();
std::string terminal_lines(const Outcome& outcome);

// The same for a page, with sources and reasons. `made_by`: the command and the version.
std::string page(const std::vector<Outcome>& outcomes, const std::string& made_by);
// The page put where `text` has one, between its two marks; at the end of a text that has none.
std::string with_page(std::string text, const std::string& page);

}  // namespace talus::verify
