#pragma once
// Which values of a scene come from its file and which from the command line, and where they are written.
#include <deque>
#include <map>
#include <string>

#include <toml++/toml.h>

#include <talus/scene/requested_keys.hpp>

namespace talus {

// One --set NAME=VALUE.
struct Setting {
  std::string text;  // "--set name=value": the place that messages name
  std::string name, value;
};

class Origins {
 public:
  explicit Origins(std::string file) : file_(std::move(file)) {}

  const std::string& file() const { return file_; }
  // This node, and all below it, comes from the setting.
  void mark(const toml::node& node, const Setting& setting);
  // The setting that a value comes from; null for the file's.
  const Setting* setting_of(const toml::node& node) const;
  Place place_of(const toml::node& node) const;
  Place place_of_key(const toml::key& key, const toml::node& node) const;

 private:
  std::string file_;
  std::map<const toml::node*, Setting> set_;
};

}  // namespace talus
