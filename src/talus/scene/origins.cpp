#include <talus/scene/origins.hpp>

namespace talus {

void Origins::mark(const toml::node& node, const Setting& setting) {
  set_[&node] = setting;
  if (const toml::table* table = node.as_table())
    for (const auto& [key, below] : *table) mark(below, setting);
  if (const toml::array* array = node.as_array())
    for (const toml::node& below : *array) mark(below, setting);
}

const Setting* Origins::setting_of(const toml::node& node) const {
  const auto found = set_.find(&node);
  return found == set_.end() ? nullptr : &found->second;
}

Place Origins::place_of(const toml::node& node) const {
  if (const Setting* setting = setting_of(node)) return {setting->text, 0};
  return {file_, static_cast<int>(node.source().begin.line)};
}

Place Origins::place_of_key(const toml::key& key, const toml::node& node) const {
  if (const Setting* setting = setting_of(node)) return {setting->text, 0};
  return {file_, static_cast<int>(key.source().begin.line)};
}

}  // namespace talus
