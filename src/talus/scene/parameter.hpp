#pragma once
// A knob of a scene, as `talus check` lists it and sweeps range over it.
#include <string>

namespace talus {

struct Parameter {
  std::string name, about;
  std::string value, fallback;  // as TOML
  std::string allowed;          // "from 0 to 1 Pa", "a, b, c"; empty when anything goes
  bool is_set = false;          // by --set
  int line = 0;                 // of its declaration
  std::string note;             // set to a plain number where its default has a unit; empty: no such doubt
};

}  // namespace talus
