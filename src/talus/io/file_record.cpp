#include <talus/io/file_record.hpp>

#include <charconv>

#include <talus/core/hash.hpp>
#include <talus/core/input_error.hpp>

namespace talus {

void FileRecord::add(std::string_view line) {
  bytes += line.size();
  hash = hash_join(hash, hash_text(line));
}

FileRecord FileRecord::of(std::string_view text) {
  FileRecord record;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end == std::string_view::npos ? text.size() : end + 1);
    record.add(line);
    text.remove_prefix(line.size());
  }
  return record;
}

std::string FileRecord::text() const { return std::to_string(bytes) + " bytes, hash " + hex(hash); }

std::optional<FileRecord> FileRecord::read(std::string_view text) {
  constexpr std::string_view between = " bytes, hash ";
  FileRecord record;
  const char* last = text.data() + text.size();
  const auto [after, length] = std::from_chars(text.data(), last, record.bytes);
  const std::string_view rest(after, static_cast<std::size_t>(last - after));
  if (length != std::errc{} || !rest.starts_with(between)) return std::nullopt;
  const auto [end, digits] = std::from_chars(after + between.size(), last, record.hash, 16);
  if (digits != std::errc{} || end != last) return std::nullopt;
  return record;
}

std::string FileRecord::part_of(const std::string& text, const std::filesystem::path& file,
                                const std::string& when) const {
  const std::string part = text.substr(0, bytes);
  if (of(part) != *this)
    throw InputError(file.string(), 0, "",
                     (text.size() < bytes ? "is cut short: it has " + std::to_string(text.size()) + " of the "
                                          : "is damaged: it no longer begins with the ") +
                         std::to_string(bytes) + " bytes it held " + when,
                     "put it back from a copy; or remove it: resume then goes on without what it held, and says so");
  return part;
}

}  // namespace talus
