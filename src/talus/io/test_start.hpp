#pragma once
// Where grains were, and how they lay, when the test began: pictures show how far they have come since.
#include <vector>

#include <talus/state/state.hpp>

namespace talus {

template <int D>
struct TestStart {
  Mat<D> h{};                     // m, the cell
  std::vector<u32> uid;           // of the grains, ascending; none before the test
  std::vector<Vec<D>> position;   // m, not wrapped
  std::vector<Real> turn;         // rad, of polygons
  std::vector<Quat> orientation;  // of hulls

  static TestStart of(const State<D>& state);
  // Is there a value for each grain, of what there is?
  bool is_whole() const {
    const auto fits = [&](std::size_t n) { return n == uid.size(); };
    return fits(position.size()) && (turn.empty() || fits(turn.size())) && (orientation.empty() || fits(orientation.size()));
  }
};

}  // namespace talus
