#include <talus/lab/coat_test.hpp>

#include <algorithm>
#include <cmath>

#include <talus/contact/coat_laws.hpp>

namespace talus::lab {

namespace {

template <class Law>
class CoatDriver {
 public:
  explicit CoatDriver(const CoatTest& test) : test_(test), exact_(test.closed_form()) {
    CoatParams params;
    params.table.count = 1;
    params.table.constants[0] = test.constants;
    params.tension_limit = test.tension_limit;
    step_ = Law::over(params, {test.dt});
    touch_.normal[0] = 1;
    touch_.mass = test.mass;
    touch_.area = test.area;
    touch_.thickness = test.thickness;
  }

  void operator()(CoatState& s, i64 steps) {
    typename Law::History h{{s.element[0], s.element[1]}, s.steps > 0 ? test_.area / test_.thickness : 0};
    for (; s.steps < steps; ++s.steps) one(s, h);
    for (int i = 0; i < 2; ++i) s.element[i] = h.force[i];
  }

 private:
  void one(CoatState& s, typename Law::History& h) {
    const Real start = Real(s.steps) * test_.dt, end = Real(s.steps + 1) * test_.dt;
    touch_.overlap = s.overlap;
    const Soft<3> soft = Law::soften(step_, touch_, {}, h);
    Real closing = (test_.mass * s.closing + test_.dt * (test_.force - soft.a)) / (test_.mass + test_.dt * soft.b);
    const Real most = (test_.thickness - s.overlap) / test_.dt;  // the row of the grains themselves, unilateral
    if (end > test_.t2 * (1 + 1e-12)) {
      closing = (test_.thickness + test_.speed * (end - test_.t2) - s.overlap) / test_.dt;
    } else if (closing >= most) {
      if (s.touched < 0) s.touched = start + (test_.thickness - s.overlap) / closing;
      closing = most;
    }
    s.closing = closing;
    s.force = Law::advance(step_, touch_, {-closing, 0, 0}, h).x;
    s.overlap += test_.dt * closing;
    if (end < test_.errors_from * (1 - 1e-12)) return;
    s.overlap_error = std::max(s.overlap_error, std::abs(s.overlap - exact_.overlap_at(end)));
    s.force_error = std::max(s.force_error, std::abs(s.force - exact_.force_at(end)));
  }

  CoatTest test_;
  ThreePhase exact_;
  typename Law::Step step_;
  PatchTouch<3> touch_;
};

}  // namespace

std::vector<std::string> coat_variants() {
  std::vector<std::string> words;
  for_each_coat_law([&]<std::size_t L>() { words.emplace_back(std::tuple_element_t<L, CoatLaws<3>>::Model::variant); });
  return words;
}

std::function<void(CoatState&, i64)> coat_driver(const CoatTest& test) {
  std::function<void(CoatState&, i64)> driver;
  for_each_coat_law([&]<std::size_t L>() {
    using Law = std::tuple_element_t<L, CoatLaws<3>>;
    if (Law::Model::variant == test.variant) driver = CoatDriver<Law>(test);
  });
  return driver;
}

}  // namespace talus::lab
