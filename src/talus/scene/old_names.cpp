#include <talus/scene/old_names.hpp>

#include <utility>

#include <fmt/format.h>

#include <talus/core/input_error.hpp>

namespace talus {
namespace {

struct OldKey {
  std::string_view table, key, now;
};
constexpr OldKey old_keys[] = {
    {"dynamics", "shake", "random_rebuilds"},
    {"dynamics", "shake_seed", "random_rebuild_seed"},
};

struct OldWord {
  std::string_view from, to;  // how the path of the entry begins and ends
  std::string_view word, now;
};
constexpr OldWord old_words[] = {
    {"grains.", ".place.kind", "apart", "random-without-overlap"},
};

// Is this key given twice? Only a setting may replace what the file says.
void expect_one(const toml::node& old_node, const toml::node* present, const OldKey& name, const Origins& origins) {
  if (!present || (origins.setting_of(old_node) && !origins.setting_of(*present))) return;
  const Place place = origins.place_of(old_node);
  throw InputError(place.file, place.line, fmt::format("{}.{}", name.table, name.key),
                   fmt::format("is the old name of {}.{}, which is given too", name.table, name.now), "remove it");
}

}  // namespace

void rename_old_keys(toml::table& root, Origins& origins, std::vector<std::string>& notes) {
  for (const OldKey& name : old_keys) {
    toml::table* table = root[name.table].as_table();
    const auto at = table ? table->find(name.key) : toml::table::iterator{};
    if (!table || at == table->end()) continue;
    expect_one(at->second, table->get(name.now), name, origins);
    const Place place = origins.place_of_key(at->first, at->second);
    const Setting* setting = origins.setting_of(at->second);
    const toml::key now(name.now, at->first.source());
    at->second.visit([&](auto& value) {
      toml::node& moved = table->insert_or_assign(now, std::move(value)).first->second;
      if (setting) origins.mark(moved, Setting(*setting));
    });
    table->erase(name.key);
    const std::string path = std::string(name.table) + ".";
    notes.push_back(renamed_note(place, path + std::string(name.key), path + std::string(name.now)));
  }
}

std::string_view present_word(std::string_view path, std::string_view word) {
  for (const OldWord& old_word : old_words)
    if (word == old_word.word && path.starts_with(old_word.from) && path.ends_with(old_word.to)) return old_word.now;
  return word;
}

std::string renamed_note(const Place& place, std::string_view old_name, std::string_view now) {
  const std::string line = place.line ? fmt::format(":{}", place.line) : "";
  return fmt::format("{}{}: {} is now called {}", place.file, line, old_name, now);
}

}  // namespace talus
