#include <talus/verify/table.hpp>

#include <fmt/format.h>

namespace talus::verify {

namespace {

constexpr const char* begin_mark = "<!-- talus verify: begin -->\n";
constexpr const char* end_mark = "<!-- talus verify: end -->\n";

std::string number(Real value, const std::string& unit) {
  return unit == "1" || unit.empty() ? fmt::format("{:.6g}", value) : fmt::format("{:.6g} {}", value, unit);
}

// A share as percent; tiny ones as a power of ten.
std::string share(Real value) { return value != 0 && value < 1e-4 ? fmt::format("{:.1e}", value) : fmt::format("{:.3g} %", 100 * value); }

}  // namespace

std::string terminal_heading() {
  return fmt::format("{:<14} {:<82} {:>16} {:>16} {:>10} {:>9}  {}\n", "case", "what", "expected", "obtained", "difference",
                     "tolerance", "pass");
}

std::string terminal_lines(const Outcome& outcome) {
  std::string out;
  for (const Check& c : outcome.checks)
    out += fmt::format("{:<14} {:<82} {:>16} {:>16} {:>10} {:>9}  {}\n", outcome.of->name, c.what, number(c.expected, c.unit),
                       number(c.obtained, c.unit), share(c.difference()), share(c.tolerance), c.passes() ? "yes" : "NO");
  return out;
}

std::string page(const std::vector<Outcome>& outcomes, const std::string& made_by) {
  std::size_t all = 0, passed = 0;
  for (const Outcome& o : outcomes)
    for (const Check& c : o.checks) {
      ++all;
      passed += c.passes() ? 1 : 0;
    }
  std::string out = begin_mark;
  out += fmt::format("{} of {} comparisons pass. Made by `{}`. A difference is that of expected and obtained over the expected value, unless the reason of the tolerance says otherwise.\n\n",
                     passed, all, made_by);
  out += "| case | what | expected | obtained | difference | tolerance | pass |\n|---|---|---|---|---|---|---|\n";
  for (const Outcome& o : outcomes)
    for (const Check& c : o.checks)
      out += fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", o.of->name, c.what, number(c.expected, c.unit),
                         number(c.obtained, c.unit), share(c.difference()), share(c.tolerance), c.passes() ? "yes" : "**no**");
  out += "\n| case | scene | where the expected values come from | why the tolerances |\n|---|---|---|---|\n";
  for (const Outcome& o : outcomes) {
    std::string reasons;
    for (const Check& c : o.checks)
      if (reasons.find(c.reason) == std::string::npos) reasons += (reasons.empty() ? "" : "; ") + c.reason;
    out += fmt::format("| {} | `{}` | {} | {} |\n", o.of->name, o.of->scene, o.of->source, reasons);
  }
  return out + end_mark;
}

std::string with_page(std::string text, const std::string& page) {
  const std::size_t from = text.find(begin_mark);
  const std::size_t to = from == std::string::npos ? from : text.find(end_mark, from);
  if (to == std::string::npos) return text + (text.empty() || text.ends_with("\n\n") ? "" : "\n") + page;
  return text.replace(from, to + std::string(end_mark).size() - from, page);
}

}  // namespace talus::verify
