#include <talus/core/nearest.hpp>

#include <algorithm>
#include <tuple>

namespace talus {
namespace {

// Without case, and with '-' and '_' alike: what a reader would call the same word.
std::string folded(std::string_view word) {
  std::string out(word);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (c == '-') c = '_';
  }
  return out;
}

bool is_shortened(std::string_view part, std::string_view whole) {
  constexpr std::size_t shortest = 4;  // characters that still say which word is meant
  return part.size() >= shortest && part.size() < whole.size() && whole.starts_with(part);
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i)
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[a.size()][b.size()];
}

std::optional<std::string> nearest(std::string_view word, const std::vector<std::string>& candidates) {
  using Score = std::tuple<bool, std::size_t, std::size_t>;  // only shortened, distance, distance with case
  constexpr std::size_t longest = 200;  // no slip of a word; the distance takes time and memory with its length
  if (word.size() > longest) return std::nullopt;
  std::optional<Score> best;
  std::optional<std::string> found;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > longest) continue;
    const std::string a = folded(word), b = folded(candidate);
    const std::size_t distance = edit_distance(a, b);
    const std::size_t allowed = std::max(a.size(), b.size()) < 3 ? 0 : (std::max(a.size(), b.size()) + 1) / 3;
    const bool is_slip = distance <= allowed;
    if (!is_slip && !is_shortened(a, b) && !is_shortened(b, a)) continue;
    const Score score{!is_slip, distance, edit_distance(word, candidate)};
    if (!best || score < *best) best = score, found = candidate;
  }
  return found;
}

}  // namespace talus
