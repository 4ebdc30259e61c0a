#pragma once
// A named result. Figures are in SI unless their name ends in a unit (`_deg`, `_mm`, `_N`, `_s`); one that was not
// reached has no value and says why.
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <talus/core/real.hpp>

namespace talus {

// Where a figure stands in a report: what the test was made for, what the sample was, whether to trust it, what it took.
enum class FigureGroup { result, sample, quality, run };
inline constexpr std::string_view figure_group_words[] = {"result", "sample", "quality", "run"};

// Of a word that is none of these: result.
inline FigureGroup figure_group(std::string_view word) {
  for (std::size_t k = 0; k < std::size(figure_group_words); ++k)
    if (figure_group_words[k] == word) return FigureGroup(k);
  return FigureGroup::result;
}

// What a figure is, in a sentence, and how a reader meets it.
struct Definition {
  std::string text;    // one sentence
  std::string title;   // "peak deviator stress"; empty: it goes by its name
  std::string symbol;  // "q_max": what follows the underscore is an index; may be empty
  FigureGroup group = FigureGroup::result;
  std::string varies;  // another figure: this one is its coefficient of variation over several runs, and a single run has none

  Definition() = default;
  Definition(const char* sentence) : text(sentence) {}
  Definition(std::string sentence, std::string words = {}, std::string letters = {}, FigureGroup place = FigureGroup::result)
      : text(std::move(sentence)), title(std::move(words)), symbol(std::move(letters)), group(place) {}
};

struct Figure {
  std::string name;           // in files
  std::optional<Real> value;  // empty or not finite: not reached, and `reason` says why
  std::string unit;           // "1" for pure numbers
  Definition definition;
  std::string reason;
};
using Figures = std::vector<Figure>;

using SeriesData = std::map<std::string, std::vector<Real>>;  // columns of a series by name, in order of steps

}  // namespace talus
