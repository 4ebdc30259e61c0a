#pragma once
// summary.json: what came out of a run and where it came from. Figures are in SI unless their name ends in a unit
// (`_deg`, `_mm`, `_N`, `_s`); one that was not reached is null with a reason, never absent. The last entry is a seal: the
// fingerprint of the text with zeros in its place.
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <talus/core/figure.hpp>
#include <talus/core/real.hpp>
#include <talus/io/file_record.hpp>

namespace talus {

struct Summary {
  static constexpr int schema_version = 1;

  std::string scene;  // path as given
  std::string title;
  std::string version;  // of the program
  std::string commit;   // empty when not known
  u64 seed = 0;
  int threads = 1;
  std::string device = "host";
  std::string command;  // the command line
  std::string started;  // date and time, ISO 8601
  Real wall_time_s = 0;
  i64 steps = 0;
  Real time_s = 0;                           // simulated
  std::string state_hash;                    // 16 hexadecimal digits
  std::string status;                        // "done", or why the run stopped
  std::map<std::string, std::string> extra;  // further entries of the provenance
  std::vector<Figure> figures;               // in the order of the report
  std::map<std::string, FileRecord> files;   // of the folder, as they were when the summary was written

  const Figure* figure(const std::string& name) const;  // null when there is none
};

// Throws FileError; std::logic_error for a figure without value and reason, or two of one name.
void write_summary(const std::filesystem::path& path, const Summary& summary);

// Throws InputError.
Summary read_summary(const std::filesystem::path& path);

}  // namespace talus
