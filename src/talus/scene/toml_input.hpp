#pragma once
// A scene written in TOML, read key by key. What is asked of it becomes its schema: finish() refuses what nothing asked
// for, resolved() writes the scene with every default spelled out.
//
//   TomlInput scene(text, "box.toml", {"confining=300 kPa", "stage.2.strain=0.1"}, read_file);
//   const i64 seed = scene.integer("seed", 0, 1000, 1, "random numbers");
//   ...
//   scene.finish();
//
// A key with a default is written by resolved() whether it was given or not; whoever needs the difference asks has() and
// reads the key only when it is there. A default outside the allowed range means "not set" and is written as a comment.
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <talus/core/input.hpp>
#include <talus/scene/parameter.hpp>

namespace talus {

struct RequestedKey;
struct RequestedTable;
class TomlDocument;

class TomlInput final : public Input {
 public:
  // Gives the contents of another file named in the scene; the path is as written there. Throws when it cannot.
  using ReadFile = std::function<std::string(const std::string& path)>;

  // `file` is the name that messages show; `settings` are the NAME=VALUE of --set.
  // Throws InputError: syntax, parameters, settings that lead nowhere.
  explicit TomlInput(std::string_view text, std::string file = {}, const std::vector<std::string>& settings = {},
                     ReadFile read = {});

  Real number(std::string_view key, Dimension dimension, Range range, std::optional<Real> fallback,
              std::string_view about) override;
  i64 integer(std::string_view key, i64 low, i64 high, std::optional<i64> fallback, std::string_view about) override;
  bool flag(std::string_view key, bool fallback, std::string_view about) override;
  std::string choice(std::string_view key, const std::vector<std::string>& allowed_words,
                     std::optional<std::string> fallback, std::string_view about) override;
  std::string text(std::string_view key, std::optional<std::string> fallback, std::string_view about) override;
  std::vector<Real> numbers(std::string_view key, Dimension dimension, Range range, std::size_t size,
                            std::optional<std::vector<Real>> fallback, std::string_view about) override;

  bool has(std::string_view key) const override;
  void pass(std::string_view key) override;
  std::unique_ptr<Input> table(std::string_view key, bool required, std::string_view about) override;
  std::vector<std::unique_ptr<Input>> tables(std::string_view key, std::string_view about) override;
  std::vector<std::string> names(std::string_view key, std::string_view about) override;
  std::vector<std::pair<std::string, std::string>> entries(std::string_view key, std::string_view about) override;
  std::string file(std::string_view key, std::string_view about) override;
  [[noreturn]] void fail(std::string_view key, std::string_view reason, std::string_view hint) const override;

  // These four speak of the whole scene, whichever of its tables they are called on.

  // Call when everything has been read. Throws InputError for keys that nothing asked for, parameters that nothing
  // refers to and settings without effect.
  void finish() const;
  // The scene that was read, every default spelled out, in SI: itself a scene that reads as the same values.
  std::string resolved() const;
  std::vector<Parameter> parameters() const;
  // Every key that was asked for, with what it accepts.
  const RequestedTable& requested() const;
  // Old names that the scene uses, each with its present one: "box.toml:12: a.b is now called a.c".
  const std::vector<std::string>& notes() const;

 private:
  TomlInput(std::shared_ptr<TomlDocument> document, RequestedTable& here);

  struct Value;  // a node, and the parameter it came through
  Value given(std::string_view key) const;
  // Follows "$name" to the parameter's value.
  Value resolve(const Value& entry, const std::string& path) const;
  // The resolved value of a key, or none; a missing key without a fallback is an error.
  Value find(std::string_view key, bool required, std::string_view what, std::string_view about) const;
  template <class Read>
  auto checked(const Value& value, const std::string& path, Read read) const;
  RequestedKey& remember(std::string_view key, std::string value, std::string unit, std::string_view about, bool is_given);
  std::string word(std::string_view key, const Value& value) const;
  [[noreturn]] void miss(std::string_view key, std::string_view what, std::string_view about) const;
  RequestedTable& open(std::string_view key, std::string_view about);

  std::shared_ptr<TomlDocument> document_;
  RequestedTable* here_;  // in *document_
};

}  // namespace talus
