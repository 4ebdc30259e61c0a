#include <talus/io/summary.hpp>

#include <cmath>
#include <stdexcept>

#include <nlohmann/json.hpp>

#include <talus/core/hash.hpp>
#include <talus/core/input_error.hpp>
#include <talus/core/nesting.hpp>
#include <talus/io/text_file.hpp>

namespace talus {
namespace {

using Json = nlohmann::ordered_json;

// The entries of the provenance, listed once for writer and reader. `f(name, member)`.
template <class S, class F>
void visit_provenance(S& s, F&& f) {
  f("scene", s.scene);
  f("title", s.title);
  f("version", s.version);
  f("commit", s.commit);
  f("seed", s.seed);
  f("threads", s.threads);
  f("device", s.device);
  f("command", s.command);
  f("started", s.started);
  f("wall_time_s", s.wall_time_s);
  f("steps", s.steps);
  f("time_s", s.time_s);
  f("state_hash", s.state_hash);
  f("status", s.status);
}

Json figure_json(const Figure& figure) {
  const bool is_reached = figure.value && std::isfinite(*figure.value);
  Json json;
  json["value"] = is_reached ? Json(*figure.value) : Json(nullptr);
  json["unit"] = figure.unit;
  json["definition"] = figure.definition.text;
  if (!figure.definition.title.empty()) json["title"] = figure.definition.title;
  if (!figure.definition.symbol.empty()) json["symbol"] = figure.definition.symbol;
  if (!figure.definition.varies.empty()) json["varies"] = figure.definition.varies;
  json["group"] = figure_group_words[std::size_t(figure.definition.group)];
  if (is_reached) return json;
  if (figure.reason.empty() && !figure.value)
    throw std::logic_error("figure " + figure.name + " has neither a value nor a reason");
  json["reason"] = figure.reason.empty() ? "the value is not finite" : figure.reason;
  return json;
}

// A number or a list as such, all else as text.
Json as_json(const std::string& value) {
  if (too_deep_json(value)) return value;
  Json json = Json::parse(value, nullptr, false);
  return json.is_array() || (json.is_number() && json.dump() == value) ? json : Json(value);
}

constexpr std::string_view seal_key = "\"seal\": \"";

// Where the 16 digits of the seal stand; npos when the text has none.
std::size_t seal_of(const std::string& text) {
  const std::size_t at = text.rfind(seal_key);
  return at == std::string::npos || at + seal_key.size() + 16 > text.size() ? std::string::npos : at + seal_key.size();
}

void seal(std::string& text) { text.replace(seal_of(text), 16, hex(hash_text(text))); }

bool is_sealed(const std::string& text) {
  std::string again = text;
  const std::size_t at = seal_of(again);
  if (at == std::string::npos) return false;
  again.replace(at, 16, std::string(16, '0'));
  seal(again);
  return again == text;
}

Figure read_figure(const std::string& name, const Json& json) {
  Figure figure{name, {}, json.at("unit"), json.at("definition").get<std::string>(), json.value("reason", "")};
  figure.definition.title = json.value("title", "");
  figure.definition.symbol = json.value("symbol", "");
  figure.definition.varies = json.value("varies", "");
  figure.definition.group = figure_group(json.value("group", ""));
  if (!json.at("value").is_null()) figure.value = json.at("value").get<Real>();
  return figure;
}

}  // namespace

const Figure* Summary::figure(const std::string& name) const {
  for (const Figure& f : figures)
    if (f.name == name) return &f;
  return nullptr;
}

void write_summary(const std::filesystem::path& path, const Summary& summary) {
  Json provenance;
  visit_provenance(summary, [&](const char* name, const auto& member) { provenance[name] = member; });
  if (summary.commit.empty()) provenance["commit"] = nullptr;
  for (const auto& [name, value] : summary.extra) {
    if (provenance.contains(name)) throw std::logic_error("provenance holds " + name + " twice");
    provenance[name] = as_json(value);
  }

  Json figures = Json::object();
  for (const Figure& figure : summary.figures) {
    if (figures.contains(figure.name)) throw std::logic_error("two figures are called " + figure.name);
    figures[figure.name] = figure_json(figure);
  }

  Json json;
  json["schema_version"] = Summary::schema_version;
  json["provenance"] = std::move(provenance);
  json["figures"] = std::move(figures);
  json["files"] = Json::object();
  for (const auto& [name, record] : summary.files) json["files"][name] = record.text();
  json["seal"] = std::string(16, '0');
  // A path or title that is not UTF-8 must not cost the run its results: such bytes become the replacement character.
  std::string text = json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  seal(text);
  write_text_atomic(path, text);
}

Summary read_summary(const std::filesystem::path& path) {
  const std::string text = read_text(path);
  if (too_deep_json(text)) throw InputError(path.string(), 0, "", "is not a summary of a run: its values are nested too deep");
  Summary summary;
  try {
    Json json = Json::parse(text);
    const int version = json.at("schema_version");
    if (version != Summary::schema_version)
      throw InputError(
          path.string(), 0, "schema_version",
          "is " + std::to_string(version) + ", this program reads " + std::to_string(Summary::schema_version));
    if ((json.contains("files") || json.contains("seal")) && !is_sealed(text))  // without both: of an older version
      throw InputError(path.string(), 0, "seal", "the summary was changed or damaged after it was written",
                       "put it back from a copy; or remove it: talus resume then writes it anew");
    Json& provenance = json.at("provenance");
    if (provenance.at("commit").is_null()) provenance["commit"] = "";
    visit_provenance(summary, [&](const char* name, auto& member) {
      provenance.at(name).get_to(member);
      provenance.erase(name);
    });
    for (const auto& [name, value] : provenance.items()) summary.extra[name] = value.is_string() ? value.get<std::string>() : value.dump();
    const Json files = json.value("files", Json::object());
    for (const auto& [name, record] : files.items())
      if (const auto held = FileRecord::read(record.get<std::string>())) summary.files[name] = *held;
    for (const auto& [name, figure] : json.at("figures").items()) summary.figures.push_back(read_figure(name, figure));
  } catch (const Json::exception& error) {
    throw InputError(path.string(), 0, "", std::string("is not a summary of a run: ") + error.what());
  }
  return summary;
}

}  // namespace talus
