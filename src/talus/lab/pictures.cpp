#include <talus/lab/pictures.hpp>

#include <algorithm>
#include <cmath>

namespace talus::lab {

template <int D>
bool is_of_test(const Experiment<D>& x, std::size_t stage) {
  const auto shears = [](const auto& s) { return s->traits.shears; };
  return shears(x.stages[stage]) || std::none_of(x.stages.begin(), x.stages.end(), shears);
}

template <int D>
std::size_t first_of_test(const Experiment<D>& x) {
  std::size_t stage = 0;
  while (!is_of_test(x, stage)) ++stage;
  return stage;
}

namespace {

// The share of a stage of the test in its pictures.
template <int D>
i64 frames_of_stage(const Experiment<D>& x, std::size_t stage, i64 frames) {
  if (!is_of_test(x, stage) || frames == 0) return 0;
  i64 stages = 0;
  for (std::size_t k = 0; k < x.stages.size(); ++k) stages += is_of_test(x, k) && x.stages[k]->traits.has_steps ? 1 : 0;
  return std::max(i64{1}, frames / std::max(i64{1}, stages));
}

// Has the test come as far as the next of so many pictures?
template <int D>
bool asks_for_next(const Experiment<D>& x, const Observation<D>& seen, i64 of_test, i64& taken) {
  const auto stage = std::size_t(seen.state.globals.stage.index);
  const i64 frames = frames_of_stage(x, stage, of_test);
  if (frames == 0) return false;
  const double share = x.stages[stage]->progress(seen);
  if (!(share > 0)) return false;
  const i64 now = i64(std::floor(double(frames) * std::min(share, 1.0)));
  if (now <= taken) return false;  // progress may fall: a picture is taken where it is as far as never before
  taken = now;
  return true;
}

}  // namespace

template <int D>
bool picture_is_due(const Experiment<D>& x, const Observation<D>& seen, bool looked, i64& taken) {
  if (!x.cadence.vtk) return false;
  if (x.cadence.vtk_every > 0) return seen.state.globals.step % x.cadence.vtk_every == 0;
  return looked && asks_for_next(x, seen, x.cadence.vtk_frames, taken);
}

template <int D>
bool frame_is_due(const Experiment<D>& x, const Observation<D>& seen, bool looked, i64& taken) {
  if (x.cadence.film_every > 0) return seen.state.globals.step % x.cadence.film_every == 0;
  return looked && asks_for_next(x, seen, x.cadence.film_frames, taken);
}

template <int D>
double picture_bytes(const Experiment<D>& x) {
  if (!has_grains(x)) return 200 * double(x.state.particles.size());
  const double grains = double(x.state.grains()), contacts = (D == 2 ? 2 : 3) * grains;
  const double outline = x.model.has_hulls() ? 2500 : x.model.has_polygons() ? 500 : 0;
  return grains * (240 + outline) + contacts * 160;
}

template <int D>
i64 frames_within_limit(const Experiment<D>& x, i64 asked) {
  const double bytes = picture_bytes(x);
  if (!(bytes * double(asked) > largest_pictures)) return asked;
  return std::min(asked, std::max(least_frames, i64(largest_pictures / bytes)));
}

#define TALUS_PICTURES(D)                                                                  \
  template bool is_of_test(const Experiment<D>&, std::size_t);                             \
  template std::size_t first_of_test(const Experiment<D>&);                                \
  template bool picture_is_due(const Experiment<D>&, const Observation<D>&, bool, i64&);   \
  template bool frame_is_due(const Experiment<D>&, const Observation<D>&, bool, i64&);     \
  template double picture_bytes(const Experiment<D>&);                                     \
  template i64 frames_within_limit(const Experiment<D>&, i64);
TALUS_PICTURES(2)
TALUS_PICTURES(3)
#undef TALUS_PICTURES

}  // namespace talus::lab
