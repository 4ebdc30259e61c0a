#pragma once
// From run folders to report.html.
#include <filesystem>
#include <vector>

#include <talus/report/run_data.hpp>

namespace talus::report {

// The runs of several folders, each that of a run or of replicates. Throws InputError.
std::vector<RunData> read_runs(const std::vector<std::filesystem::path>& folders, WithPictures pictures);

// Replicates are grouped, and groups named by what differs. Throws InputError when they are not the same test.
Report report_of_runs(const std::vector<RunData>& runs);
// With the groups and labels that are given.
Report report_of_ensembles(const std::vector<RunData>& runs, const std::vector<Ensemble>& ensembles);

// One run, replicates of one scene (or the folder that holds them), or runs to compare. Throws InputError for a folder
// that is not a run, FileError when the page cannot be written.
void write_report(const std::vector<std::filesystem::path>& run_folders, const std::filesystem::path& out);

// Puts a picture into a run folder; reports of this folder show it.
void write_picture(const Picture& picture, const std::filesystem::path& path);

}  // namespace talus::report
