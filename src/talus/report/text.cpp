#include <talus/report/text.hpp>

#include <algorithm>

#include <nlohmann/json.hpp>

namespace talus::report {

std::string capital(std::string text) {
  const auto is_small = [](char c) { return c >= 'a' && c <= 'z'; };
  const auto end = std::find_if_not(text.begin(), text.end(), is_small);  // "asin(x)" and "q_peak" are no words
  if (end != text.begin() && (end == text.end() || *end == ' ' || *end == ',' || *end == '-')) text[0] = char(text[0] - 'a' + 'A');
  return text;
}
std::string sentence(std::string text) {
  if (!text.empty() && text.back() != '.') text += '.';
  return capital(std::move(text));
}

std::string escape_html(std::string_view text) {
  std::string out;
  out.reserve(text.size() + text.size() / 8);
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string json_for_script(const nlohmann::json& value) {
  // Text from a file may hold bytes that are not UTF-8; they are replaced, not fatal. NaN becomes null.
  const std::string plain = value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  std::string out;
  out.reserve(plain.size());
  for (const char c : plain) {
    if (c == '<')
      out += "\\u003c";
    else if (c == '>')
      out += "\\u003e";
    else if (c == '&')
      out += "\\u0026";
    else
      out += c;
  }
  return out;
}

}  // namespace talus::report
