#include <talus/io/checked_files.hpp>

#include <nlohmann/json.hpp>

#include <talus/core/input_error.hpp>
#include <talus/core/nesting.hpp>
#include <talus/io/checkpoint.hpp>
#include <talus/io/text_file.hpp>

namespace talus {
namespace {

namespace fs = std::filesystem;

const FileRecord* record_in(const Summary* summary, const std::string& name) {
  if (!summary) return nullptr;
  const auto found = summary->files.find(name);
  return found == summary->files.end() ? nullptr : &found->second;
}

// Nothing when the file is missing and nobody says that it was there.
std::optional<std::string> text_of(const fs::path& path, const FileRecord* held) {
  if (fs::exists(path)) return read_text(path);
  if (held && held->bytes > 0)
    throw InputError(path.string(), 0, "", "is gone; the summary of the run says that it held " + held->text(),
                     "put it back from a copy");
  return std::nullopt;
}

}  // namespace

std::string written_records(const std::map<std::string, FileRecord>& files) {
  nlohmann::json json = nlohmann::json::object();
  for (const auto& [name, record] : files) json[name] = record.text();
  return json.dump();
}

std::map<std::string, FileRecord> read_records(const std::string& json) {
  std::map<std::string, FileRecord> files;
  const auto parsed = too_deep_json(json) ? nlohmann::json() : nlohmann::json::parse(json, nullptr, false);
  if (parsed.is_object())
    for (const auto& [name, text] : parsed.items())
      if (const auto record = text.is_string() ? FileRecord::read(text.get<std::string>()) : std::nullopt)
        files[name] = *record;
  return files;
}

std::optional<std::string> read_series(const RunFolder& folder, const Summary* summary) {
  const FileRecord* at_end = record_in(summary, "series.csv");
  std::optional<std::string> text = text_of(folder.series(), at_end);
  if (!text || (at_end && FileRecord::of(*text) == *at_end)) return text;

  // There is no summary, or the run went on after it: the newest checkpoint knows.
  const auto found = newest_checkpoint(folder.path());
  const bool is_later = found && (!summary || found->step > summary->steps);
  if (at_end && !is_later) at_end->part_of(*text, folder.series(), "when the summary was written");
  if (!is_later) return text;
  const std::string beside = checkpoint_extra(found->path);
  const auto extra = too_deep_json(beside) ? nlohmann::json() : nlohmann::json::parse(beside, nullptr, false);
  if (!extra.is_object() || !extra.contains("files") || !extra["files"].is_string()) return text;
  const auto records = read_records(extra["files"].get<std::string>());
  if (const auto held = records.find("series.csv"); held != records.end())
    held->second.part_of(*text, folder.series(), "at the checkpoint of step " + std::to_string(found->step));
  return text;
}

std::optional<std::string> read_whole(const RunFolder& folder, const std::string& name, const Summary* summary, const std::string& remedy) {
  const FileRecord* held = record_in(summary, name);
  const fs::path path = folder.path() / name;
  const std::optional<std::string> text = text_of(path, held);
  if (text && held && FileRecord::of(*text) != *held)
    throw InputError(path.string(), 0, "", "is cut short or damaged: it is not as it was when the summary was written", remedy);
  return text;
}

}  // namespace talus
