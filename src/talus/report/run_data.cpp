#include <talus/report/run_data.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include <nlohmann/json.hpp>

#include <talus/core/csv.hpp>
#include <talus/core/input_error.hpp>
#include <talus/core/nesting.hpp>
#include <talus/io/checked_files.hpp>
#include <talus/io/text_file.hpp>
#include <talus/report/film.hpp>
#include <talus/report/png.hpp>

namespace talus::report {
namespace {

namespace fs = std::filesystem;
constexpr auto replace_bytes = nlohmann::json::error_handler_t::replace;  // bytes that are no UTF-8

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> out;
  for (std::size_t end; (end = text.find(at)) != std::string_view::npos; text.remove_prefix(end + 1))
    out.push_back(trimmed(text.substr(0, end)));
  out.push_back(trimmed(text));
  return out;
}

double number(std::string_view field) {
  double value = 0;
  const auto [end, status] = std::from_chars(field.data(), field.data() + field.size(), value);
  const bool whole = status == std::errc{} && end == field.data() + field.size();
  return whole ? value : std::numeric_limits<double>::quiet_NaN();
}

SeriesColumn read_title(std::string_view field) {
  const std::size_t open = field.find('[');
  if (open == std::string_view::npos) return {std::string(field), "", {}};
  const std::size_t close = field.find(']', open);
  return {
      std::string(trimmed(field.substr(0, open))), std::string(trimmed(field.substr(open + 1, close - open - 1))), {}};
}

// A list in the provenance: a JSON array, or words between commas.
std::vector<std::string> list_of(const Summary& summary, const std::string& key) {
  const auto entry = summary.extra.find(key);
  if (entry == summary.extra.end()) return {};
  std::vector<std::string> out;
  if (too_deep_json(entry->second)) return {};
  const auto parsed = nlohmann::json::parse(entry->second, nullptr, false);
  if (parsed.is_array())
    for (const auto& item : parsed) out.push_back(item.is_string() ? item.get<std::string>()
                                                             : item.dump(-1, ' ', false, replace_bytes));
  else
    for (const std::string_view item : split(entry->second, ','))
      if (!item.empty()) out.emplace_back(item);
  return out;
}

std::optional<SizeCurve> read_sizes(const RunFolder& folder, const std::string& name, const Summary* summary) {
  const std::optional<std::string> text = read_whole(folder, name, summary);
  if (!text) return std::nullopt;
  const fs::path path = folder.path() / name;
  const CsvTable table = parse_csv(*text, path.string());
  if (table.columns.size() < 2)
    throw InputError(path.string(), table.header_line, "", "needs the columns diameter and passing");
  return SizeCurve{table.columns[0].values, table.columns[1].values};
}

std::vector<Picture> read_pictures(const RunFolder& folder, const Summary* summary) {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(folder.path()))
    if (entry.path().extension() == ".png") paths.push_back(entry.path());
  // The test in its order, then whatever else there is by name.
  const auto place = [](const fs::path& path) {
    static constexpr std::string_view order[] = {"film", "start", "peak", "sample", "forces", "chains"};
    const std::string name = path.stem().string();
    return std::pair(std::find(std::begin(order), std::end(order), name) - std::begin(order), name);
  };
  std::sort(paths.begin(), paths.end(), [&](const fs::path& a, const fs::path& b) { return place(a) < place(b); });
  std::vector<Picture> out;
  for (const fs::path& path : paths) {
    const std::string bytes = read_whole(folder, path.filename().string(), summary, "put it back from a copy, or remove it").value();
    try {
      const std::span<const unsigned char> png{reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()};
      out.push_back(decode_png(png));
      if (is_film(png)) out.back().film.assign(png.begin(), png.end());
    } catch (const std::runtime_error& error) {
      throw InputError(path.string(), 0, "", error.what(), "remove the file from the run folder");
    }
    if (out.back().caption.empty()) out.back().caption = path.stem().string();
  }
  return out;
}

// The scene without what tells replicates apart.
std::string scene_without_seed(const RunData& run) {
  if (run.scene_text.empty()) return run.summary.scene;
  std::string out;
  for (const std::string_view line : split(run.scene_text, '\n'))
    if (!line.starts_with("seed") && !line.starts_with('#')) out += std::string(line) + "\n";
  return out;
}

}  // namespace

const SeriesColumn* SeriesTable::find(std::string_view name) const {
  for (const SeriesColumn& column : columns)
    if (column.name == name) {
      const bool has_values =
          std::any_of(column.values.begin(), column.values.end(), [](double v) { return std::isfinite(v); });
      return has_values ? &column : nullptr;
    }
  return nullptr;
}

SeriesTable parse_series(std::string_view text, std::string_view file_name) {
  SeriesTable table;
  int line_number = 0;
  for (std::size_t end; (end = text.find('\n')) != std::string_view::npos; text.remove_prefix(end + 1)) {
    const std::string_view line = trimmed(text.substr(0, end));
    ++line_number;
    if (line.empty() || line.front() == '#') continue;
    const auto fields = split(line, ',');
    if (table.columns.empty()) {
      for (const std::string_view field : fields) table.columns.push_back(read_title(field));
      continue;
    }
    if (fields.size() != table.columns.size())
      throw InputError(std::string(file_name), line_number, "",
                       "the line has " + std::to_string(fields.size()) + " fields, the header has " +
                           std::to_string(table.columns.size()));
    for (std::size_t k = 0; k < fields.size(); ++k) table.columns[k].values.push_back(number(fields[k]));
    ++table.rows;
  }
  return table;
}

namespace {

// In the so-manieth table of that header; an empty one stands for the keys before all tables.
std::string setting_in(const RunData& run, const std::string& header, int which, std::string_view key) {
  const std::string start = std::string(key) + " = ";
  bool inside = header.empty();
  for (const std::string_view line : split(run.scene_text, '\n')) {
    if (line.starts_with('[')) inside = !header.empty() && line.starts_with(header) && which-- == 0;
    if (!inside || !line.starts_with(start)) continue;
    std::string_view value = line.substr(start.size());
    value = trimmed(value.substr(0, value.find("  #")));
    if (value.size() > 1 && value.front() == '"') value = value.substr(1, value.size() - 2);
    return std::string(value);
  }
  return {};
}

}  // namespace

std::string setting_of(const RunData& run, std::string_view table, std::string_view key) {
  return setting_in(run, table.empty() ? "" : "[" + std::string(table) + "]", 0, key);
}

std::string setting_of_stage(const RunData& run, int stage, std::string_view key) {
  return setting_in(run, "[[stage]]", stage, key);
}

std::vector<std::string> tables_of(const RunData& run, std::string_view begin) {
  std::vector<std::string> out;
  for (const std::string_view line : split(run.scene_text, '\n')) {
    if (!line.starts_with('[') || !line.substr(1).starts_with(begin)) continue;
    const std::string_view name = line.substr(1, line.find(']') - 1);
    if (name.find('.', begin.size()) == std::string_view::npos) out.emplace_back(name);
  }
  return out;
}

RunData read_run(const fs::path& path, WithPictures pictures) {
  const RunFolder folder = RunFolder::open(path);
  RunData run;
  const fs::path clean = fs::absolute(folder.path()).lexically_normal();
  run.label = (clean.has_filename() ? clean : clean.parent_path()).filename().string();
  const bool has_summary = fs::exists(folder.summary());
  if (has_summary)
    run.summary = read_summary(folder.summary());
  else
    run.summary.status = "not finished: there is no summary.json";
  const Summary* summary = has_summary ? &run.summary : nullptr;
  run.scene_text = read_whole(folder, "scene.toml", summary).value();
  if (const auto text = read_series(folder, summary)) run.series = parse_series(*text, folder.series().string());
  run.stages = list_of(run.summary, "stages");
  for (const std::string& index : list_of(run.summary, "shear_stages"))
    run.shear_stages.push_back(static_cast<int>(number(index)));
  run.sizes = read_sizes(folder, "sizes.csv", summary);
  run.target_sizes = read_sizes(folder, "sizes_target.csv", summary);
  if (pictures == WithPictures::yes) run.pictures = read_pictures(folder, summary);
  return run;
}

std::vector<Ensemble> group_replicates(const std::vector<RunData>& runs) {
  std::vector<Ensemble> out;
  std::vector<std::string> scenes;
  for (const RunData& run : runs) {
    const std::string scene = scene_without_seed(run);
    const auto found = std::find(scenes.begin(), scenes.end(), scene);
    if (found == scenes.end()) {
      scenes.push_back(scene);
      out.push_back({run.label, {&run}});
    } else {
      out[static_cast<std::size_t>(found - scenes.begin())].runs.push_back(&run);
    }
  }
  for (Ensemble& e : out)
    if (e.runs.size() > 1) e.label += " and " + std::to_string(e.runs.size() - 1) + " more";
  return out;
}

}  // namespace talus::report
