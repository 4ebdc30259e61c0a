#include <talus/io/series.hpp>

#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

#include <talus/core/input_error.hpp>
#include <talus/io/text_file.hpp>

namespace talus {
namespace {

std::string header_of(const std::vector<SeriesValue>& values) {
  std::string header = "step";
  for (const SeriesValue& v : values) header += "," + v.name + (v.unit.empty() ? "" : " [" + v.unit + "]");
  return header;
}

bool begins_header(std::string_view line) { return line == "step" || line.starts_with("step,"); }

}  // namespace

std::string shortest(Real value) {
  if (std::isnan(value)) return "nan";  // without the sign that some machines give it
  std::array<char, 32> text;
  const auto [end, status] = std::to_chars(text.data(), text.data() + text.size(), value);
  (void)status;  // 32 characters hold every double
  return std::string(text.data(), end);
}

Series::Series(const std::filesystem::path& path) : file_(create_file(path, O_APPEND)) {}

Series Series::resume(const std::filesystem::path& path, i64 step, const std::optional<FileRecord>& held) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return Series(path);
  const std::string text = read_text(path);
  const std::string part = held ? held->part_of(text, path, "at the checkpoint of step " + std::to_string(step)) : text;

  Series series;
  std::string kept;
  std::string_view rest = part;
  int number = 0;
  for (std::size_t end; (end = rest.find('\n')) != std::string_view::npos; rest.remove_prefix(end + 1)) {
    const std::string_view line = rest.substr(0, end);
    ++number;
    if (number == 1) {
      if (!begins_header(line))
        throw InputError(path.string(), 1, "", "is not a series: its first column is not 'step'", "move the file away");
      series.header_ = std::string(line);
    } else {
      i64 at = 0;
      const auto [stop, status] = std::from_chars(line.data(), line.data() + line.size(), at);
      const bool is_step = status == std::errc{} && (stop == line.data() + line.size() || *stop == ',');
      if (!is_step)
        throw InputError(path.string(), number, "step", "the line does not begin with a step", "move the file away");
      if (at > step) continue;
    }
    kept += std::string(line) + "\n";
  }
  if (kept != text) write_text_atomic(path, kept);
  series.record_ = FileRecord::of(kept);
  series.file_ = Descriptor(path, O_WRONLY | O_APPEND | O_NOFOLLOW);
  series.file_.need();
  return series;
}

void Series::write(i64 step, const std::vector<SeriesValue>& values) {
  const std::string header = header_of(values);
  std::string text;
  if (header_.empty()) {
    header_ = header;
    text = header + "\n";
    record_.add(text);
  }
  if (header != header_)
    throw InputError(file_.path().string(), 1, "",
                     "the file holds other columns: '" + header_ + "', now '" + header + "'",
                     "a run is resumed with the scene it was begun with");
  std::string line = std::to_string(step);
  for (const SeriesValue& v : values) line += "," + shortest(v.value);
  line += "\n";
  record_.add(line);
  file_.write(text + line);
}

}  // namespace talus
