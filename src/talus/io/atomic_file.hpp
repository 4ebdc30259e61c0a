#pragma once
// Files that are there whole or not at all: written under another name in the same folder, synced, renamed, and the
// folder synced. A reader, or a run that resumes after a power cut, never sees half of one.
#include <filesystem>
#include <initializer_list>
#include <string_view>

#include <talus/io/descriptor.hpp>

namespace talus {

// A new file, open for writing; `flags` in addition. A file or link of this name goes away before; what a link points to
// is not touched. Throws FileError; also when something else has the name: a folder, a device.
Descriptor create_file(const std::filesystem::path& path, int flags = 0);

// Name under which `path` is written until it is complete.
std::filesystem::path unfinished(const std::filesystem::path& path);

// Removes what writers that were killed have left in a folder under such names.
void remove_unfinished(const std::filesystem::path& folder);

// The parts one after the other. Throws FileError; a file of this name that was there before is then intact.
void write_atomic(const std::filesystem::path& path, std::initializer_list<std::string_view> parts);
void write_text_atomic(const std::filesystem::path& path, std::string_view text);

}  // namespace talus
