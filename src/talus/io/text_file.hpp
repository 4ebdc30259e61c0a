#pragma once
// Whole text files.
#include <filesystem>
#include <string>

#include <talus/io/atomic_file.hpp>

namespace talus {

// Throws InputError: a missing file comes with the names in its folder that may have been meant.
std::string read_text(const std::filesystem::path& path);

// Of a file that the user wants to have written. Throws InputError when its folder is not there, or when a folder,
// device or link has its name.
void need_folder_of(const std::filesystem::path& file);

}  // namespace talus
