#pragma once
// A study: one scene with every combination of some values, each with several seeds. Its folder holds sweep.json (what was asked
// for), a folder for each combination and below it one for each seed, sweep.csv (a row for each run) and report.html.
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <talus/core/real.hpp>

namespace talus::simulation {

// What --vary states: a parameter of the scene, or an entry by its path, and its values as --set takes them.
struct Varied {
  std::string name;
  std::vector<std::string> values;
};
// NAME=A,B,C, or NAME=LOW:HIGH:COUNT: evenly spaced, both ends included. Throws InputError.
Varied read_varied(const std::string& text);

struct Sweep {
  std::filesystem::path scene;        // its file
  std::string fingerprint;            // of its text
  std::vector<std::string> settings;  // the same for all runs
  std::vector<Varied> varied;
  i64 seeds = 1;
  u64 first_seed = 1;
};
// Checks what is asked for against the scene, before anything is run. Throws InputError.
Sweep make_sweep(const std::string& scene, const std::vector<std::string>& settings, const std::vector<std::string>& vary, i64 seeds);

// Its folder: new or empty, or that of the same sweep, which goes on. Left out: runs/NAME-sweep-0001. Throws InputError.
std::filesystem::path sweep_folder(const Sweep& sweep, const std::optional<std::filesystem::path>& out);
bool is_sweep(const std::filesystem::path& folder);
Sweep read_sweep(const std::filesystem::path& folder);

struct SweepRun {
  std::vector<std::string> values;  // one for each that is varied
  u64 seed = 1;
  std::filesystem::path folder;
  std::string label() const;                   // "friction=0.2,confining=50kPa/seed-1"
  std::string status() const;                  // of its summary: "done", "failed: ..."; empty: it has none
  std::vector<std::string> arguments(const Sweep& sweep) const;  // of the program, to make it or to go on with it
};
std::vector<SweepRun> runs_of(const Sweep& sweep, const std::filesystem::path& folder);

// Table and report of the runs that have a summary.
void write_sweep(const Sweep& sweep, const std::filesystem::path& folder);

}  // namespace talus::simulation
