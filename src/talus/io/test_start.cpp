#include <talus/io/test_start.hpp>

#include <talus/io/grain_values.hpp>

namespace talus {

template <int D>
TestStart<D> TestStart<D>::of(const State<D>& state) {
  const Bodies<D>& b = state.bodies;
  TestStart start;
  start.h = state.globals.cell.h;
  for (const std::size_t i : by_uid(b.uid, state.grains())) {
    start.uid.push_back(b.uid[i]);
    start.position.push_back(b.position[i]);
    if (D == 2 && !b.turn.empty()) start.turn.push_back(b.turn[i].x);
    if (D == 3 && !b.orientation.empty()) start.orientation.push_back(b.orientation[i]);
  }
  return start;
}

template struct TestStart<2>;
template struct TestStart<3>;

}  // namespace talus
