#include <talus/io/text_file.hpp>

#include <algorithm>
#include <vector>

#include <talus/core/input_error.hpp>
#include <talus/core/nearest.hpp>
#include <talus/io/regular_file.hpp>

namespace talus {
namespace {

namespace fs = std::filesystem;

// Names in the folder, those that differ least from the wanted one first.
std::string near_names(const fs::path& path) {
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  std::error_code error;
  if (!fs::is_directory(folder, error)) return "there is no folder " + folder.string();

  const std::string wanted = path.filename().string();
  std::vector<std::pair<std::size_t, std::string>> names;
  for (auto entry = fs::directory_iterator(folder, error); !error && entry != fs::directory_iterator();
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    const bool same_kind = !path.has_extension() || entry->path().extension() == path.extension();
    const std::size_t distance = edit_distance(wanted, name);
    if (same_kind || 3 * distance <= wanted.size()) names.emplace_back(distance, name);
  }
  if (names.empty()) return "nothing in " + folder.string() + " has a similar name";
  std::sort(names.begin(), names.end());
  const std::size_t shown = std::min<std::size_t>(names.size(), 5);
  std::string hint = "in " + folder.string() + " there is:";
  for (std::size_t i = 0; i < shown; ++i) hint += (i ? ", " : " ") + names[i].second;
  if (shown < names.size()) hint += ", and " + std::to_string(names.size() - shown) + " more";
  return hint;
}

}  // namespace

std::string read_text(const fs::path& path) {
  constexpr std::size_t largest = std::size_t{2} << 30;  // bytes; a table of ten million grains has one half of it
  Descriptor file = open_regular(path, largest);
  if (!file.is_open()) {
    const bool is_missing = errno == ENOENT;
    const std::string reason = is_missing ? "there is no such file" : "cannot be read: " + system_reason();
    throw InputError(path.string(), 0, "", reason, is_missing ? near_names(path) : "");
  }
  std::string text;
  try {
    for (std::size_t block = 1 << 16;;) {
      const std::size_t before = text.size();
      text.resize(before + block);
      const std::size_t n = file.read(text.data() + before, block);
      text.resize(before + n);
      if (n < block) return text;
      if (text.size() > largest)
        throw InputError(path.string(), 0, "", "is larger than " + std::to_string(largest >> 20) + " MB");
    }
  } catch (const FileError& fault) { throw InputError(path.string(), 0, "", fault.what()); }
}

void need_folder_of(const fs::path& file) {
  const fs::path folder = file.parent_path();
  if (!folder.empty() && !fs::is_directory(folder))
    throw InputError(file.string(), 0, "", "there is no folder " + folder.string(), "make it, or name another place");
  std::error_code none;
  const fs::file_status status = fs::symlink_status(file, none);
  if (fs::exists(status) && !fs::is_regular_file(status))
    throw InputError(file.string(), 0, "", "is not a file, and is not replaced by one", "name another place");
}

}  // namespace talus
