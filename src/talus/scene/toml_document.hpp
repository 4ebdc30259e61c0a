#pragma once
// The parsed scene behind all TomlInputs of one file: the TOML tree with the settings of the command line in it, the
// parameters, and the record of what was asked.
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <toml++/toml.h>

#include <talus/scene/origins.hpp>
#include <talus/scene/parameters.hpp>
#include <talus/scene/requested_keys.hpp>

namespace talus {

class TomlDocument {
 public:
  using ReadFile = std::function<std::string(const std::string& path)>;

  TomlDocument(std::string_view text, std::string file, const std::vector<std::string>& settings, ReadFile read);
  // Tables are known by their address.
  TomlDocument(const TomlDocument&) = delete;
  TomlDocument& operator=(const TomlDocument&) = delete;

  RequestedTable& requested() { return requested_; }
  const Origins& origins() const { return origins_; }
  const Parameters& parameters() const { return *parameters_; }
  const ReadFile& read() const { return read_; }
  // Old names that the scene uses, each with its present one.
  const std::vector<std::string>& notes() const { return notes_; }
  void add_note(const std::string& note);
  // An entry took the value of this parameter.
  void use_parameter(const std::string& name) { used_.insert(name); }

  void finish() const;
  std::string resolved() const;

 private:
  void apply(const std::string& text, std::set<std::string>& names);

  toml::table root_;
  toml::table set_parameters_;  // values of --set, by parameter
  Origins origins_;
  std::set<std::string> referred_;  // parameters that the file's own entries refer to
  std::set<std::string> used_;
  std::unique_ptr<Parameters> parameters_;
  RequestedTable requested_;
  ReadFile read_;
  std::vector<std::string> notes_;
};

}  // namespace talus
