#pragma once
// An Input without a scene: it records what is asked and answers with the default, or with a harmless value inside the
// range where there is none. `talus list` and the docs show the record; nobody writes a schema by hand.
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <talus/core/input.hpp>
#include <talus/scene/request.hpp>

namespace talus {

class RecordingInput final : public Input {
 public:
  // `answers` fixes what is returned for texts and choices, by path: which law, which kind of stage is asked about. A
  // path among them also counts as present.
  explicit RecordingInput(std::map<std::string, std::string> answers = {});

  // Of all tables, each path once, in the order asked.
  const std::vector<Request>& requests() const;

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
  std::unique_ptr<Input> table(std::string_view key, bool required, std::string_view about) override;
  // One table, whose entries have paths with "[]".
  std::vector<std::unique_ptr<Input>> tables(std::string_view key, std::string_view about) override;
  // One name, "NAME".
  std::vector<std::string> names(std::string_view key, std::string_view about) override;
  std::vector<std::pair<std::string, std::string>> entries(std::string_view key, std::string_view about) override;
  std::string file(std::string_view key, std::string_view about) override;
  [[noreturn]] void fail(std::string_view key, std::string_view reason, std::string_view hint) const override;

 private:
  struct Record;
  RecordingInput(std::shared_ptr<Record> record, std::string path);
  std::string path_of(std::string_view key) const;
  Request& add(Request request, std::string_view key);  // once; the one that is there
  Request& add(Request::Kind kind, std::string_view key, std::string_view about);
  std::optional<std::string> answer(std::string_view key) const;

  std::shared_ptr<Record> record_;
  std::string path_;
};

}  // namespace talus
