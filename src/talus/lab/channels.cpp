#include <talus/lab/channels.hpp>

#include <algorithm>

#include <talus/lab/biaxial.hpp>
#include <talus/lab/coat_stage.hpp>
#include <talus/lab/contact_channels.hpp>
#include <talus/lab/cycle_analysis.hpp>
#include <talus/lab/cyclic_analysis.hpp>
#include <talus/lab/dam_break.hpp>
#include <talus/lab/energy_channels.hpp>
#include <talus/lab/gyratory.hpp>
#include <talus/lab/method_channels.hpp>
#include <talus/lab/methods.hpp>
#include <talus/lab/particle_channels.hpp>
#include <talus/lab/profile_analysis.hpp>
#include <talus/lab/replica_analysis.hpp>
#include <talus/lab/sample_channels.hpp>
#include <talus/lab/slope.hpp>
#include <talus/lab/wall_tests.hpp>

namespace talus::lab {

namespace {

template <int D>
ChannelGroup<D> analysis_channels() {
  return {[](const Experiment<D>& x) {
            Channels<D> out = x.analysis->channels();
            for (Channel<D>& c : out) c.needs = "analysis " + std::string(x.analysis->kind());
            return out;
          },
          "analysis", [](const Experiment<D>& x) { return x.analysis != nullptr; }};
}

// What is measured at grains and their contacts.
template <int D>
ChannelGroup<D> of_grains(ChannelGroup<D> group) {
  group.needs = "grains";
  group.is_there = &has_grains<D>;
  return group;
}

}  // namespace

template <int D>
const std::vector<ChannelGroup<D>>& channel_groups() {
  static const std::vector<ChannelGroup<D>> all{
      clock_channels<D>(),
      of_grains(strain_channels<D>()),
      of_grains(stress_channels<D>()),
      wall_channels<D>(),
      wall_load_channels<D>(),
      of_grains(porosity_channels<D>()),
      porosity_ball_channels<D>(),
      of_grains(coordination_channels<D>()),
      of_grains(fabric_channels<D>()),
      of_grains(force_channels<D>()),
      chain_channels<D>(),
      of_grains(unbalanced_channels<D>()),
      of_grains(overlap_channels<D>()),
      of_grains(inertia_channels<D>()),
      of_grains(servo_channels<D>()),
      diagnostic_channels<D>(),
      analysis_channels<D>(),
      coat_channels<D>(),
      ledger_channels<D>(),
      model_work_channels<D>(),
      particle_ledger_channels<D>()};
  return all;
}

template <int D>
Channels<D> channels_of(const Experiment<D>& experiment) {
  Channels<D> out;
  for (const ChannelGroup<D>& group : channel_groups<D>())
    if (!group.is_there || group.is_there(experiment))
      for (Channel<D>& c : group.declare(experiment)) out.push_back(std::move(c));
  return out;
}

template <int D>
Row row_of(const Channels<D>& channels, const Observation<D>& seen) {
  Row row;
  for (const Channel<D>& c : channels) row.push_back({c.name, c.unit, c.value(seen)});
  return row;
}

namespace {

// `pending`: of the steps since the last row.
std::optional<Real> reduced(Reduce how, const std::vector<Real>& values, const std::vector<Real>& steps, Real pending) {
  if (how == Reduce::last) return values.empty() ? std::nullopt : std::optional(values.back());
  Real out = how == Reduce::mean ? 0 : pending;
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (how == Reduce::most) out = std::max(out, values[k]);
    if (how == Reduce::sum) out += values[k];
    if (how == Reduce::mean && k > 0) out += values[k] * (steps[k] - steps[k - 1]);
  }
  const Real all = steps.empty() ? 0 : steps.back() - steps.front();
  return how != Reduce::mean ? out : all > 0 ? out / all : 0;
}

}  // namespace

template <int D>
Figures figures_of(const Channels<D>& channels, const SeriesData& series, const SinceRow& pending,
                   const std::string& lost) {
  const auto column = [&](const std::string& name) {
    const auto it = series.find(name);
    return it == series.end() ? std::vector<Real>{} : it->second;
  };
  const std::vector<Real> steps = column("step");
  Figures out;
  for (const Channel<D>& c : channels) {
    const FinalFigure& f = c.figure;
    if (f.how == Reduce::nothing) continue;
    auto value = reduced(f.how, column(c.name), steps, c.since_row ? c.since_row(pending) : 0);
    const bool is_lost = f.how != Reduce::last && !lost.empty();
    if (is_lost) value.reset();
    out.push_back({f.name, value, c.unit, f.definition, is_lost ? lost : value ? "" : "no row was written"});
  }
  return out;
}

namespace {

// One of each analysis.
template <int D>
std::vector<std::unique_ptr<Analysis<D>>> analysis_kinds() {
  std::vector<std::unique_ptr<Analysis<D>>> all;
  if constexpr (D == 2) {
    all.push_back(biaxial_analysis());
    all.push_back(rowe_analysis({}));
    all.push_back(dam_break_analysis({}));
  } else {
    all.push_back(cycle_analysis({}));
    all.push_back(replica_analysis<3>({}));
    all.push_back(gyratory_analysis({}));
    all.push_back(drum_analysis({}));
  }
  all.push_back(oedometer_analysis<D>({}));
  all.push_back(direct_shear_analysis<D>({}));
  all.push_back(repose_analysis<D>(0));
  all.push_back(cyclic_analysis<D>(0));
  ProfileSettings<D> profile;
  for (int k = 0; k < D; ++k) profile.boxes[k] = 1;
  all.push_back(profile_analysis<D>(profile, {}));
  all.push_back(column_analysis<D>(profile, {}));
  return all;
}

// Experiments that have what groups ask for, each analysis and each method among them: their channels are listed, never
// measured.
template <int D>
std::vector<Experiment<D>> specimens() {
  const auto& methods = method_kinds<D>();
  auto analyses = analysis_kinds<D>();
  std::vector<Experiment<D>> out(std::max(analyses.size(), methods.size()));
  for (std::size_t k = 0; k < out.size(); ++k) {
    Experiment<D>& x = out[k];
    x.method = methods[k % methods.size()].make();
    x.model.multi_contact.kind = MultiContactKind::multi_contact;
    x.model.walls.resize(1);
    x.model.walls[0].name = "NAME";
    if (k < analyses.size()) x.analysis = std::move(analyses[k]);
  }
  return out;
}

template <int D>
void list(const ChannelGroup<D>& group, const std::vector<Experiment<D>>& experiments, std::vector<ChannelInfo>& out) {
  for (const Experiment<D>& x : experiments)
    for (const Channel<D>& c : group.declare(x)) {
      const std::string& name = c.family.empty() ? c.name : c.family;
      const auto has_name = [&](const ChannelInfo& other) { return other.name == name; };
      if (std::none_of(out.begin(), out.end(), has_name))
        out.push_back({name, c.unit, c.meaning, c.needs.empty() ? group.needs : c.needs, c.figure.name, c.place});
    }
}

bool is_of_family(const std::string& column, const ChannelInfo& info) {
  if (info.place.empty()) return false;
  const std::size_t at = info.name.find(info.place);
  return column.starts_with(info.name.substr(0, at)) && column.ends_with(info.name.substr(at + info.place.size()));
}

}  // namespace

const std::vector<ChannelInfo>& all_channels() {
  static const std::vector<ChannelInfo> all = [] {
    std::vector<ChannelInfo> out;
    const auto plane = specimens<2>();
    const auto space = specimens<3>();
    for (std::size_t k = 0; k < channel_groups<2>().size(); ++k) {
      list(channel_groups<2>()[k], plane, out);
      list(channel_groups<3>()[k], space, out);
    }
    return out;
  }();
  return all;
}

const ChannelInfo* find_channel(const std::string& column) {
  for (const ChannelInfo& info : all_channels())
    if (info.name == column) return &info;
  for (const ChannelInfo& info : all_channels())
    if (is_of_family(column, info)) return &info;
  return nullptr;
}

#define TALUS_INSTANTIATE(D)                                      \
  template const std::vector<ChannelGroup<D>>& channel_groups();  \
  template Channels<D> channels_of(const Experiment<D>&);         \
  template Row row_of(const Channels<D>&, const Observation<D>&); \
  template Figures figures_of(const Channels<D>&, const SeriesData&, const SinceRow&, const std::string&);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

}  // namespace talus::lab
