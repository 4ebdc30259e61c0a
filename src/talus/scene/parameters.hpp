#pragma once
// The knobs of a scene: [parameters] name = {default = ..., about = "...", min, max, choices}. Entries refer to one by
// "$name"; the command line sets it by --set name=value.
#include <string>
#include <string_view>
#include <vector>

#include <toml++/toml.h>

#include <talus/scene/origins.hpp>
#include <talus/scene/parameter.hpp>

namespace talus {

class Parameters {
 public:
  // Reads the declarations. `set_values` holds what --set gave, by parameter name.
  // Throws InputError for a wrong declaration, and for a value that its own limits refuse.
  Parameters(const toml::table* declared, const toml::table& set_values, const Origins& origins);

  const std::vector<Parameter>& list() const { return list_; }
  std::vector<std::string> names() const;
  // The value; null when no parameter has the name.
  const toml::node* value(std::string_view name) const;

 private:
  std::vector<Parameter> list_;
  std::vector<const toml::node*> values_;  // of list_
};

// The name in "$name"; empty when the node does not refer to a parameter.
std::string reference_of(const toml::node& node);
// All names referred to below a table, except in [parameters] itself.
std::vector<std::string> references_in(const toml::table& root);

}  // namespace talus
