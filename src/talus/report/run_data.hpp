#pragma once
// What lies in the folder of a run, read for a report. All reading of the report layer is here, through io.
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <talus/io/summary.hpp>
#include <talus/report/report.hpp>

namespace talus::report {

struct SeriesColumn {
  std::string name, unit;      // SI; "1" or empty for pure numbers
  std::vector<double> values;  // NaN where the quantity did not exist
};

struct SeriesTable {
  std::vector<SeriesColumn> columns;
  std::size_t rows = 0;
  const SeriesColumn* find(std::string_view name) const;  // null when there is none, or no finite value in it
};

// core/csv.hpp is strict, as a user's table should be; a series may hold `nan`, and its last line may be cut short when
// a run was stopped. Throws InputError.
SeriesTable parse_series(std::string_view text, std::string_view file_name);

struct SizeCurve {
  std::vector<double> diameter;  // m, rising
  std::vector<double> passing;   // share of the mass below, 0..1
};

struct RunData {
  std::string label;  // name of the folder
  Summary summary;
  SeriesTable series;
  std::vector<std::string> stages;  // names, by the number in the column `stage`
  std::vector<int> shear_stages;    // numbers of those that shear the sample
  std::optional<SizeCurve> sizes, target_sizes;
  std::vector<Picture> pictures;  // the *.png of the folder
  std::string scene_text;         // resolved
};

// Throws InputError when the folder is not that of a run. A run that was stopped may lack its summary.
enum class WithPictures { no, yes };
RunData read_run(const std::filesystem::path& folder, WithPictures pictures = WithPictures::yes);

// What a table of the resolved scene says of a key, without quotes; empty when it says nothing. The table "" is that of keys outside of all.
std::string setting_of(const RunData& run, std::string_view table, std::string_view key);
std::string setting_of_stage(const RunData& run, int stage, std::string_view key);
// Tables of the scene whose names begin so, in order: "grains." gives grains.sand, not grains.sand.sizes.
std::vector<std::string> tables_of(const RunData& run, std::string_view begin);

// Runs of one scene that differ in their seed only.
struct Ensemble {
  std::string label;
  std::vector<const RunData*> runs;
};
std::vector<Ensemble> group_replicates(const std::vector<RunData>& runs);

}  // namespace talus::report
