#include <talus/simulation/album.hpp>

#include <cmath>

#include <nlohmann/json.hpp>

#include <talus/lab/pictures.hpp>
#include <talus/report/write_report.hpp>
#include <talus/simulation/particle_picture.hpp>
#include <talus/simulation/sample_picture.hpp>

namespace talus::simulation {
namespace {

constexpr int film_width = 320, still_width = 800;  // pixels

// sqrt(3/2 s:s), s the deviator of the stress: what triaxial and simple shear call the same state.
template <int D>
Real deviator_stress(const Mat<D>& stress) {
  Real sum = 0;
  for (int i = 0; i < D; ++i)
    for (int j = 0; j < D; ++j) {
      const Real s = (stress(i, j) + stress(j, i)) / 2 - (i == j ? trace(stress) / D : 0);
      sum += s * s;
    }
  return std::sqrt(1.5 * sum);
}

template <int D>
bool shears(const lab::Experiment<D>& x, const lab::Observation<D>& seen) {
  return x.stages[std::size_t(seen.state.globals.stage.index)]->traits.shears;
}

}  // namespace

template <int D>
void Album<D>::put(const char* name, const report::Picture& picture) const {
  report::write_picture(picture, run_ / name);
}

template <int D>
void Album<D>::stage_begins(const lab::Observation<D>& seen) {
  const auto stage = std::size_t(seen.state.globals.stage.index);
  if (stage != lab::first_of_test(x_) || !x_.stages[stage]->traits.has_steps) return;
  if (seen.state.particles.size() == 0) {
    report::Grains grains = sample_grains(seen);
    grains.caption = stage > 0 ? "At the start of the test." : "At the start of the run.";
    put("start.png", report::draw_grains(grains, still_width));
  }
  if (has_film()) add_frame(seen);
}

template <int D>
void Album<D>::add_frame(const lab::Observation<D>& seen) {
  last_step_ = seen.state.globals.step;
  if (seen.state.particles.size() > 0) {
    report::Picture frame = speed_picture(seen, film_width);
    frame.caption = "The run as a film, coloured by the speed of each particle.";
    return film_.add(last_step_, frame);
  }
  report::Grains grains = sample_grains(seen);
  grains.caption = "The test as a film, coloured by the force that each grain carries.";
  grains.scale = scale_;
  const report::Picture frame = report::draw_grains(grains, film_width);
  scale_ = frame.scale;
  film_.add(last_step_, frame);
  look_for_peak(seen, grains);
}

template <int D>
void Album<D>::look_for_peak(const lab::Observation<D>& seen, const report::Grains& grains) {
  if (!shears(x_, seen)) return;
  const Real now = deviator_stress(seen.stress());
  if (!(now > peak_)) return;
  if (peak_ >= 0) {  // not where the test begins
    at_peak_ = grains;
    peak_step_ = last_step_;
  }
  peak_ = now;
}

template <int D>
void Album<D>::draw_peak() {
  if (!at_peak_) return;
  at_peak_->scale = 0;
  at_peak_->caption = "At the peak: the frame of the film with the largest deviator stress.";
  put("peak.png", report::draw_grains(*at_peak_, still_width));
  at_peak_.reset();
}

template <int D>
void Album<D>::stage_ends(const lab::Observation<D>& seen, bool last) {
  const auto stage = std::size_t(seen.state.globals.stage.index);
  if (has_film() && x_.stages[stage]->traits.has_steps && lab::is_of_test(x_, stage)) add_frame(seen);
  draw_end(seen, last);
}

template <int D>
void Album<D>::draw_end(const lab::Observation<D>& seen, bool last) {
  if (seen.state.particles.size() > 0) {
    if (!last) return;
    put("speed.png", speed_picture(seen));
    put("pressure.png", pressure_picture(seen));
    return;
  }
  if (last) put("sample.png", report::draw_grains(sample_grains(seen), 1000));
  if constexpr (D == 2)
    if (last && x_.cadence.chains) put("chains.png", chains_picture(seen));
  if (last) draw_forces(seen);
  if (shears(x_, seen))
    for (const auto& [name, picture] : shear_pictures(seen)) put(name.c_str(), picture);
}

template <int D>
void Album<D>::draw_forces(const lab::Observation<D>& seen) const {
  if constexpr (D == 3) {
    std::error_code none;
    if (seen.contacts().empty()) std::filesystem::remove(run_ / "forces.png", none);  // one of where the run was stopped before
    else put("forces.png", report::draw_grains(force_rods(seen), still_width));
  }
}

template <int D>
void Album<D>::finish(bool done) {
  draw_peak();
  std::error_code none;
  if (done && peak_step_ == last_step_) std::filesystem::remove(run_ / "peak.png", none);  // the picture of the end shows it
  film_.finish();
}

template <int D>
nlohmann::json Album<D>::keep() {
  draw_peak();
  return {{"scale", scale_}, {"peak", peak_}, {"peak_step", peak_step_}, {"last_step", last_step_}};
}

template <int D>
void Album<D>::recall(const nlohmann::json& kept, i64 step) {
  scale_ = kept.value("scale", 0.0);
  peak_ = kept.value("peak", -1.0);
  peak_step_ = kept.value("peak_step", i64{0});
  last_step_ = kept.value("last_step", i64{0});
  film_.go_back_to(step);
}

template class Album<2>;
template class Album<3>;

}  // namespace talus::simulation
