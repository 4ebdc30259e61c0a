#pragma once
// The commands of the program. Each returns an exit code: 0 done, 2 bad input, 3 stopped by the run's own checks,
// 4 internal error, 129/130/143 stopped by a signal after a checkpoint.
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <talus/app/progress_line.hpp>

namespace talus::app {

struct RunRequest {
  std::string scene;  // path or name
  std::optional<std::filesystem::path> out;
  std::vector<std::string> settings;  // NAME=VALUE of --set
  int threads = 0;                    // 0: all cores
  std::string device;                 // empty: the scene's
  std::optional<double> until;        // s, simulated
  Voice voice = Voice::plain;
  bool profile = false;
  bool keys = false;    // check: every key that the scene may state, with what it accepts, instead of the audit
  bool full = false;    // check: the scene with every default below the audit
  std::string command;  // as typed, for the record
};

struct FitRequest {
  RunRequest run;                    // the scene, its settings, where to put the runs
  std::vector<std::string> vary;     // NAME=LOW:HIGH
  std::string curve, x, y;           // CSV of what was measured and its columns; the series must have them too
  std::vector<std::string> figures;  // NAME=VALUE to match instead
  int max_runs = 12;
  double tolerance = 2e-3;  // of a step, as a share of the bounds
};
struct FitStopped {  // a run of the fit did not end well
  int code;
};

struct SweepRequest {
  RunRequest run;                 // the scene, what is the same for all runs, where to put them; threads are those of each run
  std::vector<std::string> vary;  // NAME=A,B,C or NAME=LOW:HIGH:COUNT
  long seeds = 1;
  int jobs = 1;  // runs at a time
};

struct CompareRequest {
  std::vector<std::filesystem::path> runs;
  std::filesystem::path reference;  // a run folder or a CSV
  std::optional<long> dropped;      // first cycles that do not count; left out: what the analysis of each run says
  double threshold = 4e-3;          // N, weaker contacts of the reference do not count
  bool json = false;
};

struct VerifyRequest {
  bool full = false;                         // else what takes three minutes
  std::vector<std::string> only;             // names of cases; empty: all
  std::optional<std::filesystem::path> out;  // Markdown
  int threads = 0;                           // 0: all cores
};

struct ContactRequest {
  std::string law, path = "normal";
  std::vector<std::string> settings;  // NAME=VALUE of --set: keys of the law, of the contact and of the path
  std::string fit;                    // CSV of a creep test
  std::string out;                    // CSV to write
};

struct SampleRequest {
  std::filesystem::path run;  // its folder, or a checkpoint
  std::filesystem::path out;
  std::string format;  // csv, lammps, yade; empty: by the ending of the file
  bool motion = false;
};

// Of a growing sample: until a figure no longer depends on its size.
struct RevRequest {
  RunRequest run;                   // the scene, its settings, where to put the runs
  std::string sizes;                // NAME=A,B,C, rising
  std::string figure;               // of summary.json
  double within = 0.05;             // relative difference of two sizes in a row
  long seeds = 1;
};

int run_scene(const RunRequest& request);
// Exit code 3 when a comparison does not pass.
int verify_program(const VerifyRequest& request);
int compare_runs(const CompareRequest& request);
int fit_scene(const FitRequest& request);
// Exit code 3 when a run did not end well.
int sweep_scene(const SweepRequest& request);
int resume_sweep(const std::filesystem::path& folder, const RunRequest& request, int jobs);
int resume_run(const std::filesystem::path& folder, const RunRequest& request);
int check_scene(const RunRequest& request);
int test_contact(const ContactRequest& request);
int write_sample(const SampleRequest& request);
// The bank of samples.
int save_to_bank(const std::filesystem::path& run, const std::string& name);
int list_bank();
int show_card(const std::string& name, bool json);
// Exit code 3 when the figure depends on the size up to the largest.
int find_rev(const RevRequest& request);
int list_things(const std::string& what);
int show_scene(const std::string& scene);
int report_runs(const std::vector<std::filesystem::path>& folders, const std::optional<std::filesystem::path>& out);

}  // namespace talus::app
