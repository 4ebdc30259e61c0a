#pragma once
// One comparison of what came out with what must come out, and the cases that make them.
#include <functional>
#include <string>
#include <vector>

#include <talus/core/real.hpp>

namespace talus::verify {

struct Check {
  std::string what;
  Real expected = 0, obtained = 0;
  std::string unit;    // "1": a pure number
  Real tolerance = 0;  // of |obtained - expected| over `scale`
  std::string reason;  // of the tolerance
  Real scale = 0;      // 0: the expected value

  Real difference() const;
  bool passes() const;  // false for what is not a number
};

// How much is run: `quick` takes three minutes on two cores.
enum class Extent { quick, full };

struct Case {
  std::string name;
  std::string source;  // who published it, and what the expected value is made from
  std::string scene;   // under scenes/
  std::function<std::vector<Check>(Extent)> run;
};

// The list, declared once.
const std::vector<Case>& cases();

// Points of a curve: one check, of the point that is farthest off.
class Curve {
 public:
  Curve(std::string what, std::string unit, Real tolerance, std::string reason, Real scale = 0);
  void add(const std::string& where, Real expected, Real obtained);
  Check worst() const;

 private:
  Check made_;
  std::vector<Check> points_;
};

}  // namespace talus::verify
