#pragma once
// An Input that gives every key its default. A key without one gets the value that a contact of the tests has by its own
// scales, so that a law that is only registered is tested with numbers that mean something: a time is one in which such a
// contact moves, a length is one it is pressed by. A value outside the key's range is an error, not a guess.
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include <talus/core/input.hpp>

namespace talus::test {

class PlausibleInput : public Input {
 public:
  // Scales of a contact: reduced mass, overlap, stiffness; and a warm day.
  static constexpr Real mass = 1e-5, overlap = 2e-5, stiffness = 2e4, temperature = 300;

  // From the exponents of the dimension. A pressure is the stiffness of a disc per metre of thickness.
  static Real value_of(const Dimension& d) {
    if (d == dim::pressure) return stiffness;
    const Real time = std::sqrt(mass / stiffness);
    return std::pow(mass, d.mass) * std::pow(overlap, d.length) * std::pow(time, d.time) *
           std::pow(temperature, d.temperature) * std::pow(pi / 6, d.angle);
  }
  // The same, moved into the range where the scales say nothing: a plain number, the middle of a short range.
  static Real value_in(const Range& range, const Dimension& d) {
    if (std::isfinite(range.low) && std::isfinite(range.high)) return 0.5 * (range.low + range.high);
    return d == dim::none ? std::max(range.low, Real(0)) + 0.5 : value_of(d);
  }

  Real number(std::string_view key, Dimension dimension, Range range, std::optional<Real> fallback,
              std::string_view) override {
    const Real value = fallback.value_or(value_in(range, dimension));
    const bool inside = (range.open_low ? value > range.low : value >= range.low) &&
                        (range.open_high ? value < range.high : value <= range.high);
    if (!inside) fail(key, "the tests have no plausible value for it", "");
    return value;
  }
  i64 integer(std::string_view, i64 low, i64, std::optional<i64> fallback, std::string_view) override {
    return fallback.value_or(low);
  }
  bool flag(std::string_view, bool fallback, std::string_view) override { return fallback; }
  std::string choice(std::string_view key, const std::vector<std::string>& allowed, std::optional<std::string> fallback,
                     std::string_view) override {
    for (const auto& [name, word] : chosen)
      if (name == key) return word;
    return fallback.value_or(allowed.front());
  }
  std::string text(std::string_view key, std::optional<std::string> fallback, std::string_view) override {
    if (!fallback) fail(key, "the tests have no plausible text for it", "");
    return *fallback;
  }
  std::vector<Real> numbers(std::string_view, Dimension dimension, Range range, std::size_t size,
                            std::optional<std::vector<Real>> fallback, std::string_view) override {
    return fallback.value_or(std::vector<Real>(size, value_in(range, dimension)));
  }
  bool has(std::string_view) const override { return false; }
  std::unique_ptr<Input> table(std::string_view, bool, std::string_view) override {
    return std::make_unique<PlausibleInput>();
  }
  std::vector<std::unique_ptr<Input>> tables(std::string_view, std::string_view) override { return {}; }
  std::vector<std::string> names(std::string_view, std::string_view) override { return {}; }
  std::vector<std::pair<std::string, std::string>> entries(std::string_view, std::string_view) override { return {}; }
  std::string file(std::string_view, std::string_view) override { return {}; }
  [[noreturn]] void fail(std::string_view key, std::string_view reason, std::string_view) const override {
    throw std::runtime_error(std::string(key) + ": " + std::string(reason));
  }

  std::vector<std::pair<std::string, std::string>> chosen;  // words for `choice` that differ from the default
};

}  // namespace talus::test
