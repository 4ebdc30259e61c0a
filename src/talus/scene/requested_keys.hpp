#pragma once
// What the program asked of a scene, in the order in which it asked: the known keys of each table, with the values they
// got. From it follow the errors about unknown keys and the resolved scene.
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <toml++/toml.h>

#include <talus/scene/request.hpp>

namespace talus {

// Where a value is written.
struct Place {
  std::string file;  // or the text "--set name=value"
  int line = 0;      // 1-based; 0 when there is none
};

struct RequestedTable;

struct RequestedKey {
  enum class Kind { value, table, tables };

  std::string key;
  Kind kind = Kind::value;
  std::string about;
  std::string value;  // TOML, SI; empty when a default means "not set", which no value can say
  std::string unit;   // told beside the value; may be empty
  bool is_given = false;
  Request declared;    // of a value: kind, range, default, meaning
  std::vector<std::unique_ptr<RequestedTable>> tables;  // one for a table, any number for an array of tables
};

struct RequestedTable {
  std::string path;                    // "stage[2].servo"; empty at the top
  const toml::table* given = nullptr;  // null when the scene does not have it
  Place place;                         // where it starts, or where the one above starts
  bool lists_names = false;            // its keys are names that the user chose
  std::deque<RequestedKey> entries;    // in the order asked
  std::vector<std::string> tested;     // keys whose presence was asked for
  std::vector<std::string> passed;     // given keys that may stay unread

  RequestedKey& entry(std::string_view key);  // found or made
  const RequestedKey* find(std::string_view key) const;
  std::vector<std::string> known_keys() const;
  std::string path_of(std::string_view key) const;
};

// The scene with every default spelled out, as TOML.
std::string write_resolved(const RequestedTable& root);

// A key of a table, however often the scene has that table.
struct DeclaredKey {
  std::string table;  // "material.NAME", "stage"; empty at the top
  std::string kind;   // value of the table's `kind`, `law`, `model` or `shape`, which decides what else is asked
  std::string key;
  Request request;
};
std::vector<DeclaredKey> declared_keys(const RequestedTable& root);

}  // namespace talus
