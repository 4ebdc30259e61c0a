#include <talus/scene/requested_keys.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <talus/scene/toml_text.hpp>

namespace talus {
namespace {

std::string comment_of(const RequestedKey& entry) {
  std::string out = entry.unit.empty() ? "" : "[" + entry.unit + "]";
  if (!entry.about.empty()) out += (out.empty() ? "" : " ") + entry.about;
  if (!entry.is_given) out += out.empty() ? "default" : " (default)";
  return out.empty() ? "" : "  # " + toml_comment(out);
}

std::string line_of(const RequestedKey& entry) {
  const std::string key = toml_key(entry.key);
  if (entry.value.empty()) return fmt::format("# {} is not set{}\n", key, comment_of(entry));
  return fmt::format("{} = {}{}\n", key, entry.value, comment_of(entry));
}

bool is_value(const RequestedKey& entry) { return entry.kind == RequestedKey::Kind::value; }

void write_values(const RequestedTable& table, std::string& out) {
  for (const RequestedKey& entry : table.entries)
    if (is_value(entry)) out += line_of(entry);
}

bool needs_header(const RequestedTable& table);

bool has_headers_below(const RequestedTable& table) {
  for (const RequestedKey& entry : table.entries)
    for (const auto& child : entry.tables)
      if (entry.kind == RequestedKey::Kind::tables || needs_header(*child) || has_headers_below(*child)) return true;
  return false;
}

// A header is due for the values below it, and for a table that is given, since being there may mean something, unless
// the header of a table below says so already.
bool needs_header(const RequestedTable& table) {
  const bool has_values = std::any_of(table.entries.begin(), table.entries.end(), [](const RequestedKey& entry) {
    return is_value(entry) && !entry.value.empty();
  });
  return has_values || (table.given && !has_headers_below(table));
}

// TOML wants the plain entries of a table before the tables below it; otherwise the order is the order asked.
void write_tables(const RequestedTable& table, const std::string& path, std::string& out) {
  for (const RequestedKey& entry : table.entries) {
    if (is_value(entry)) continue;
    const std::string below = (path.empty() ? "" : path + ".") + toml_key(entry.key);
    const std::string about = entry.about.empty() ? "" : "  # " + toml_comment(entry.about);
    const bool is_array = entry.kind == RequestedKey::Kind::tables;
    for (const auto& child : entry.tables) {
      if (is_array || needs_header(*child)) {
        out += "\n" + (is_array ? "[[" + below + "]]" : "[" + below + "]") + about + "\n";
        write_values(*child, out);
      }
      write_tables(*child, below, out);
    }
  }
}

// What decides which keys a table has: given or by default.
std::string kind_of(const RequestedTable& table) {
  for (const char* word : {"kind", "law", "model", "shape"})
    if (const RequestedKey* entry = table.find(word); entry && entry->value.size() > 2)
      return entry->value.substr(1, entry->value.size() - 2);  // without quotes
  return "";
}

void declare(const RequestedTable& table, const std::string& path, std::vector<DeclaredKey>& out) {
  const std::string kind = kind_of(table);
  for (const RequestedKey& entry : table.entries) {
    const std::string key = table.lists_names ? "NAME" : entry.key;
    if (is_value(entry) && !entry.declared.about.empty()) {
      out.push_back({path, kind, key, entry.declared});
      // Who asks whether a key is there takes it only then.
      if (std::find(table.tested.begin(), table.tested.end(), entry.key) != table.tested.end()) out.back().request.is_required = false;
    }
    for (const auto& child : entry.tables) declare(*child, path.empty() ? key : path + "." + key, out);
  }
}

}  // namespace

RequestedKey& RequestedTable::entry(std::string_view key) {
  for (RequestedKey& entry : entries)
    if (entry.key == key) return entry;
  entries.emplace_back();
  entries.back().key = key;
  return entries.back();
}

const RequestedKey* RequestedTable::find(std::string_view key) const {
  for (const RequestedKey& entry : entries)
    if (entry.key == key) return &entry;
  return nullptr;
}

std::vector<std::string> RequestedTable::known_keys() const {
  std::vector<std::string> keys;
  for (const RequestedKey& entry : entries) keys.push_back(entry.key);
  for (const std::string& key : tested)
    if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(key);
  return keys;
}

std::string RequestedTable::path_of(std::string_view key) const {
  if (key.empty()) return path;
  return path.empty() ? std::string(key) : path + "." + std::string(key);
}

std::vector<DeclaredKey> declared_keys(const RequestedTable& root) {
  std::vector<DeclaredKey> out;
  declare(root, "", out);
  return out;
}

std::string write_resolved(const RequestedTable& root) {
  std::string out;
  write_values(root, out);
  write_tables(root, "", out);
  return out;
}

}  // namespace talus
