#include <talus/scene/recording_input.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include <talus/core/input_error.hpp>
#include <talus/scene/toml_value.hpp>

namespace talus {

struct RecordingInput::Record {
  std::map<std::string, std::string> answers;
  std::vector<Request> requests;
};

namespace {

// A value that the range allows: a round one where there is a choice.
Real inside(const Range& range, const Dimension& dimension) {
  for (const Real round : {dimension == dim::temperature ? 300.0 : 1.0, 0.5, 0.0})
    if (contains(range, round)) return round;
  if (std::isfinite(range.low) && std::isfinite(range.high)) return range.low + (range.high - range.low) / 2;
  return std::isfinite(range.low) ? range.low + std::abs(range.low) : range.high - std::abs(range.high);
}

}  // namespace

RecordingInput::RecordingInput(std::map<std::string, std::string> answers) : record_(std::make_shared<Record>()) {
  record_->answers = std::move(answers);
}

RecordingInput::RecordingInput(std::shared_ptr<Record> record, std::string path)
    : record_(std::move(record)), path_(std::move(path)) {}

const std::vector<Request>& RecordingInput::requests() const { return record_->requests; }

std::string RecordingInput::path_of(std::string_view key) const {
  return path_.empty() || key.empty() ? path_ + std::string(key) : path_ + "." + std::string(key);
}

Request& RecordingInput::add(Request request, std::string_view key) {
  request.path = path_of(key);
  for (Request& known : record_->requests)
    if (known.path == request.path) return known;
  return record_->requests.emplace_back(std::move(request));
}

Request& RecordingInput::add(Request::Kind kind, std::string_view key, std::string_view about) {
  Request request;
  request.kind = kind;
  request.about = about;
  return add(std::move(request), key);
}

std::optional<std::string> RecordingInput::answer(std::string_view key) const {
  const auto found_answer = record_->answers.find(path_of(key));
  return found_answer == record_->answers.end() ? std::nullopt : std::optional(found_answer->second);
}

Real RecordingInput::number(std::string_view key, Dimension dimension, Range range, std::optional<Real> fallback,
                            std::string_view about) {
  add(asked_number(dimension, range, fallback, about), key);
  return fallback.value_or(inside(range, dimension));
}

i64 RecordingInput::integer(std::string_view key, i64 low, i64 high, std::optional<i64> fallback,
                            std::string_view about) {
  add(asked_integer(low, high, fallback, about), key);
  return fallback.value_or(std::clamp<i64>(1, low, high));
}

bool RecordingInput::flag(std::string_view key, bool fallback, std::string_view about) {
  add(asked_flag(fallback, about), key);
  return fallback;
}

std::string RecordingInput::choice(std::string_view key, const std::vector<std::string>& allowed_words,
                                   std::optional<std::string> fallback, std::string_view about) {
  add(asked_choice(allowed_words, fallback, about), key);
  if (const auto fixed = answer(key)) return *fixed;
  return fallback ? *fallback : allowed_words.empty() ? "" : allowed_words.front();
}

std::string RecordingInput::text(std::string_view key, std::optional<std::string> fallback, std::string_view about) {
  add(asked_text(fallback, about), key);
  if (const auto fixed = answer(key)) return *fixed;
  return fallback.value_or("NAME");
}

std::vector<Real> RecordingInput::numbers(std::string_view key, Dimension dimension, Range range, std::size_t size,
                                          std::optional<std::vector<Real>> fallback, std::string_view about) {
  add(asked_numbers(dimension, range, size, fallback, about), key);
  return fallback ? *fallback : std::vector<Real>(size ? size : 1, inside(range, dimension));
}

bool RecordingInput::has(std::string_view key) const { return answer(key).has_value(); }

std::unique_ptr<Input> RecordingInput::table(std::string_view key, bool required, std::string_view about) {
  add(Request::Kind::table, key, about).is_required = required;
  return std::unique_ptr<Input>(new RecordingInput(record_, path_of(key)));
}

std::vector<std::unique_ptr<Input>> RecordingInput::tables(std::string_view key, std::string_view about) {
  add(Request::Kind::tables, key, about);
  std::vector<std::unique_ptr<Input>> out;
  out.emplace_back(new RecordingInput(record_, path_of(key) + "[]"));
  return out;
}

std::vector<std::string> RecordingInput::names(std::string_view key, std::string_view about) {
  add(Request::Kind::names, key, about);
  return {"NAME"};
}

std::vector<std::pair<std::string, std::string>> RecordingInput::entries(std::string_view key, std::string_view about) {
  add(Request::Kind::table, key, about);
  return {};
}

std::string RecordingInput::file(std::string_view key, std::string_view about) {
  add(asked_file(about), key);
  return {};
}

void RecordingInput::fail(std::string_view key, std::string_view reason, std::string_view hint) const {
  throw InputError("", 0, path_of(key), std::string(reason), std::string(hint));
}

}  // namespace talus
