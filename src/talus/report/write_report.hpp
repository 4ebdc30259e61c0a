#pragma once
// From run folders to report.html.
#include <filesystem>
#include <vector>

#include <talus/report/run_data.hpp>

namespace talus::report {

Report report_of_runs(const std::vector<RunData>& runs);

// One run, replicates of one scene (or the folder that holds them), or runs to compare. Throws InputError for a folder
// that is not a run, FileError when the page cannot be written.
void write_report(const std::vector<std::filesystem::path>& run_folders, const std::filesystem::path& out);

// Puts a picture into a run folder; reports of this folder show it.
void write_picture(const Picture& picture, const std::filesystem::path& path);

}  // namespace talus::report
