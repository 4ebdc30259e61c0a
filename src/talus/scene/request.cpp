#include <talus/scene/request.hpp>

#include <limits>

#include <fmt/format.h>

#include <talus/scene/toml_text.hpp>
#include <talus/scene/toml_value.hpp>

namespace talus {

namespace {

Request asked(Request::Kind kind, bool is_required, std::string_view about) {
  Request request;
  request.kind = kind;
  request.is_required = is_required;
  request.about = about;
  return request;
}

}  // namespace

Request asked_number(const Dimension& dimension, const Range& range, std::optional<Real> fallback, std::string_view about) {
  Request request = asked(Request::Kind::number, !fallback, about);
  request.dimension = dimension;
  request.range = range;
  if (fallback && contains(range, *fallback)) request.fallback = toml_quantity(*fallback, dimension);
  return request;
}

Request asked_integer(i64 low, i64 high, std::optional<i64> fallback, std::string_view about) {
  Request request = asked(Request::Kind::integer, !fallback, about);
  if (low != std::numeric_limits<i64>::min()) request.range.low = static_cast<Real>(low);
  if (high != std::numeric_limits<i64>::max()) request.range.high = static_cast<Real>(high);
  if (fallback) request.fallback = fmt::format("{}", *fallback);
  return request;
}

Request asked_flag(bool fallback, std::string_view about) {
  Request request = asked(Request::Kind::flag, false, about);
  request.fallback = fallback ? "true" : "false";
  return request;
}

Request asked_choice(const std::vector<std::string>& words, const std::optional<std::string>& fallback, std::string_view about) {
  Request request = asked(Request::Kind::choice, !fallback, about);
  request.choices = words;
  if (fallback) request.fallback = toml_string(*fallback);
  return request;
}

Request asked_text(const std::optional<std::string>& fallback, std::string_view about) {
  Request request = asked(Request::Kind::text, !fallback, about);
  if (fallback) request.fallback = toml_string(*fallback);
  return request;
}

Request asked_numbers(const Dimension& dimension, const Range& range, std::size_t size,
                      const std::optional<std::vector<Real>>& fallback, std::string_view about) {
  Request request = asked(Request::Kind::numbers, !fallback, about);
  request.dimension = dimension;
  request.range = range;
  request.size = size;
  if (!fallback) return request;
  std::vector<std::string> parts;
  for (const Real x : *fallback) parts.push_back(toml_quantity(x, dimension));
  request.fallback = "[" + listed(parts) + "]";
  return request;
}

Request asked_file(std::string_view about) { return asked(Request::Kind::file, true, about); }

std::string accepted(const Request& request) {
  switch (request.kind) {
    case Request::Kind::number:
      return allowed(request.range, request.dimension);
    case Request::Kind::integer:
      return "a whole number, " + allowed(request.range, dim::none);
    case Request::Kind::flag:
      return "true or false";
    case Request::Kind::choice:
      return "one of " + listed(request.choices);
    case Request::Kind::text:
      return "text";
    case Request::Kind::numbers:
      return fmt::format("a list{}, each {}", request.size ? fmt::format(" of {}", request.size) : "",
                         allowed(request.range, request.dimension));
    case Request::Kind::table:
      return "a table";
    case Request::Kind::tables:
      return "an array of tables";
    case Request::Kind::names:
      return "a table for each name";
    case Request::Kind::file:
      return "the name of a file";
  }
  return {};
}

}  // namespace talus
