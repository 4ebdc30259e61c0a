#pragma once
// How physics declares what it reads. A law, a stage, a boundary or a size distribution asks an Input for its keys,
// naming dimension, range, default and meaning. That one request is the schema: the scene reader parses, converts
// units, checks ranges, finds the nearest known key and writes the resolved scene from it; `talus list` and the docs
// collect the same requests with an Input that only records.
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <talus/core/quantity.hpp>
#include <talus/core/vec.hpp>

namespace talus {

// Allowed values; open ends exclude the bound itself.
struct Range {
  Real low = -std::numeric_limits<Real>::infinity();
  Real high = std::numeric_limits<Real>::infinity();
  bool open_low = false, open_high = false;

  static constexpr Range any() { return {}; }
  static constexpr Range positive() { return {0, std::numeric_limits<Real>::infinity(), true, false}; }
  static constexpr Range not_negative() { return {0, std::numeric_limits<Real>::infinity(), false, false}; }
  static constexpr Range closed(Real low, Real high) { return {low, high, false, false}; }
  static constexpr Range below(Real low, Real high) { return {low, high, false, true}; }  // [low, high)
};

class Input {
 public:
  virtual ~Input() = default;

  // A quantity in SI. Without a fallback the key is required.
  virtual Real number(std::string_view key, Dimension dimension, Range range, std::optional<Real> fallback,
                      std::string_view about) = 0;
  virtual i64 integer(std::string_view key, i64 low, i64 high, std::optional<i64> fallback, std::string_view about) = 0;
  virtual bool flag(std::string_view key, bool fallback, std::string_view about) = 0;
  // One of the allowed words.
  virtual std::string choice(std::string_view key, const std::vector<std::string>& allowed,
                             std::optional<std::string> fallback, std::string_view about) = 0;
  // Free text: a title, a name, a path.
  virtual std::string text(std::string_view key, std::optional<std::string> fallback, std::string_view about) = 0;
  // A list of quantities; size 0 takes any length.
  virtual std::vector<Real> numbers(std::string_view key, Dimension dimension, Range range, std::size_t size,
                                    std::optional<std::vector<Real>> fallback, std::string_view about) = 0;

  virtual bool has(std::string_view key) const = 0;
  // A key that nobody reads because of another choice, of a contact law for example: accepted where its value is a parameter of the scene.
  virtual void pass(std::string_view) {}
  // A table below this one; never null. A missing table reads as an empty one unless required.
  virtual std::unique_ptr<Input> table(std::string_view key, bool required, std::string_view about) = 0;
  // The tables of an array of tables, in order ([[stage]]).
  virtual std::vector<std::unique_ptr<Input>> tables(std::string_view key, std::string_view about) = 0;
  // The names under a table of tables ([material.NAME]), in file order.
  virtual std::vector<std::string> names(std::string_view key, std::string_view about) = 0;
  // The entries of a table whose keys another scene knows, each with its value as TOML, in file order.
  virtual std::vector<std::pair<std::string, std::string>> entries(std::string_view key, std::string_view about) = 0;
  // The contents of a file named in the scene (positions, sieve curves), relative to the scene's folder.
  virtual std::string file(std::string_view key, std::string_view about) = 0;

  // Throws InputError with file, line and key of this place.
  [[noreturn]] virtual void fail(std::string_view key, std::string_view reason, std::string_view hint) const = 0;
};

// A list of D numbers.
template <int D>
Vec<D> to_vec(const std::vector<Real>& v) {
  Vec<D> out;
  for (int k = 0; k < D; ++k) out[k] = v[std::size_t(k)];
  return out;
}

}  // namespace talus
