#pragma once
// Files of a run folder, read only when they are as the run wrote them: checkpoint and summary hold their lengths and
// fingerprints.
#include <talus/io/run_folder.hpp>
#include <talus/io/summary.hpp>

namespace talus {

// A checkpoint knows files by their names: JSON beside the state, under "files".
std::string written_records(const std::map<std::string, FileRecord>& files);
std::map<std::string, FileRecord> read_records(const std::string& json);

// The text of series.csv; nothing when the run never had one. It may be longer than checkpoint and summary know: then the
// run is going on, or was killed. `summary`: null when there is none. Throws InputError when it was cut, damaged or removed.
std::optional<std::string> read_series(const RunFolder& folder, const Summary* summary);
// The same of a file that is written once. `remedy`: what a user can do about damage.
std::optional<std::string> read_whole(const RunFolder& folder, const std::string& name, const Summary* summary,
                                      const std::string& remedy = "put it back from a copy; talus resume writes it anew");

}  // namespace talus
