// talus verify: published and closed-form cases on this machine; a line for each comparison, and a page if asked.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <limits>

#include <fmt/format.h>

#include <talus/app/commands.hpp>
#include <talus/app/commit.hpp>
#include <talus/core/input_error.hpp>
#include <talus/core/nearest.hpp>
#include <talus/exec/host.hpp>
#include <talus/io/text_file.hpp>
#include <talus/verify/table.hpp>

namespace talus::app {

using namespace verify;

namespace {

std::vector<const Case*> chosen(const std::vector<std::string>& names) {
  std::vector<const Case*> out;
  std::vector<std::string> known;
  for (const Case& c : cases()) {
    known.push_back(c.name);
    if (names.empty() || std::find(names.begin(), names.end(), c.name) != names.end()) out.push_back(&c);
  }
  for (const std::string& name : names) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    const auto meant = nearest(name, known);
    throw InputError("", 0, "--case", "there is no case '" + name + "'",
                     (meant ? "did you mean '" + *meant + "'? " : std::string()) + fmt::format("cases: {}", fmt::join(known, ", ")));
  }
  return out;
}

// A case that cannot run is a comparison that does not pass, and the others go on.
Outcome run(const Case& one, Extent extent) {
  try {
    return {&one, one.run(extent)};
  } catch (const InputError&) {
    throw;
  } catch (const std::exception& e) {
    return {&one, {{e.what(), 0, std::numeric_limits<Real>::quiet_NaN(), "1", 0, "it must run", 1}}};
  }
}

}  // namespace

int verify_program(const VerifyRequest& request) {
  if (request.threads > 0) exec::set_threads(request.threads);
  if (request.out) need_folder_of(*request.out);
  const auto all = chosen(request.only);
  std::vector<Outcome> outcomes;
  std::size_t tried = 0, passed = 0;
  fmt::print("{}", terminal_heading());
  for (const Case* one : all) {
    outcomes.push_back(run(*one, request.full ? Extent::full : Extent::quick));
    fmt::print("{}", terminal_lines(outcomes.back()));
    std::fflush(stdout);
    for (const Check& c : outcomes.back().checks) {
      ++tried;
      passed += c.passes() ? 1 : 0;
    }
  }
  fmt::print("{} of {} comparisons pass\n", passed, tried);
  fmt::print("SUITE literature: tried {}, survived {}, refused 0, equal 0, failures {}\n", tried, passed, tried - passed);
  if (request.out) {
    std::error_code none;
    const std::string before = std::filesystem::exists(*request.out, none) ? read_text(*request.out) : "# Validation\n\n";
    const std::string made_by = fmt::format("talus verify {}`, version `{}{}{}", request.full ? "--full" : "--quick",
                                            TALUS_VERSION, *commit ? " " : "", commit);
    write_text_atomic(*request.out, with_page(before, page(outcomes, made_by)));
    fmt::print("written: {}\n", request.out->string());
  }
  return passed == tried ? 0 : 3;
}

}  // namespace talus::app
