// The list of stages.
#include <talus/lab/stage.hpp>

#include <algorithm>

#include <talus/lab/cell_stages.hpp>
#include <talus/lab/coat_chain_stage.hpp>
#include <talus/lab/coat_stage.hpp>
#include <talus/lab/collide_stage.hpp>
#include <talus/lab/cycle_stage.hpp>
#include <talus/lab/cyclic_stage.hpp>
#include <talus/lab/element_stage.hpp>
#include <talus/lab/evaluate_stage.hpp>
#include <talus/lab/gyratory_stages.hpp>
#include <talus/lab/hull_stages.hpp>
#include <talus/lab/layers_stage.hpp>
#include <talus/lab/membrane_stages.hpp>
#include <talus/lab/press_stage.hpp>
#include <talus/lab/rest_stage.hpp>
#include <talus/lab/run_stage.hpp>
#include <talus/lab/slide_stage.hpp>
#include <talus/lab/runner.hpp>

namespace talus::lab {

template <int D>
const std::vector<StageKind<D>>& stage_kinds() {
  static const std::vector<StageKind<D>> kinds = [] {
    std::vector<StageKind<D>> all = cell_stages<D>();
    all.push_back(cycle_stage<D>());
    all.push_back(cyclic_stage<D>());
    all.push_back(run_stage<D>());
    all.push_back(coat_stage<D>());
    all.push_back(coat_chain_stage<D>());
    for (const auto& kind : hull_stages<D>()) all.push_back(kind);
    all.insert(all.end(),
               {
                   {"press", "drive a platen into the sample at constant speed", &Press<D>::read},
                   {"slide", "move a wall or a group of walls over a distance", &Slide<D>::read},
                   {"trim", "remove grains above a height, and place a platen on the others", &read_trim<D>},
                   {"confine", "raise the stress of membrane and walls in increments", &read_confine<D>},
                   {"compress", "place a platen on the sample and load it until it almost stops", &read_compress<D>},
                   {"gyrate", "gyrate a mould under a loaded platen", &read_gyrate<D>},
                   {"layers", "lay the grains in layers that fall, or that a platen presses one by one", &read_layers<D>},
                   {"settle", "settle under gravity and walls until at rest", &Rest<D>::read_settle},
                   {"relax", "relax in a fixed cell until at rest", &Rest<D>::read_relax},
                   {"collide", "one collision, from before contact to after it", &Collide<D>::read},
                   {"element", "deform pieces of a continuum on their own, along a path", &ElementTest<D>::read},
                   {"evaluate", "no steps: forces of the sample as placed", &Evaluate<D>::read},
               });
    return all;
  }();
  return kinds;
}

template <int D>
std::unique_ptr<Stage<D>> read_stage(Input& in) {
  std::vector<std::string> words;
  for (const auto& k : stage_kinds<D>()) words.emplace_back(k.word);
  const std::string kind = in.choice("kind", words, std::nullopt, "what the stage does");
  const auto& kinds = stage_kinds<D>();
  const auto it = std::find_if(kinds.begin(), kinds.end(), [&](const auto& k) { return k.word == kind; });
  auto stage = it->read(in);
  stage->kind = kind;
  stage->name = in.text("name", kind, "name of the stage in series and report");
  const std::string axis =
      in.choice("axis", D == 3 ? std::vector<std::string>{"x", "y", "z"} : std::vector<std::string>{"x", "y"},
                D == 3 ? "z" : "y", "axis that q and the axial strain refer to");
  stage->axis = axis[0] - 'x';
  stage->friction_scale = in.number("friction_scale", dim::none, Range::not_negative(), kind == "grow" ? 0.0 : 1.0,
                                    "multiplies every friction coefficient while the stage runs");
  stage->settings.time_step = in.number("time_step", dim::time, Range::not_negative(), 0.0,
                                        "time step of contact dynamics during the stage; 0: that of [impulse]");
  stage->settings.tolerance = in.number("solver_tolerance", dim::none, {0, 1, false, false}, 0.0,
                                        "tolerance of the contact solver during the stage; 0: that of [impulse]");
  stage->settings.from_rest = in.choice("inertia", {"full", "none"}, "full",
                                        "none: hulls of contact dynamics start each step of the stage from rest, so that they sink without impacts") == "none";
  stage->settings.solid_coats = in.flag("solid_coats", false, "coats of hulls of contact dynamics are as hard as the grains while the stage runs, so that grains can be laid without their law");
  stage->max_steps = in.integer("max_steps", 0, 1000000000000000, 0,
                                "an error stops the run when the stage takes longer; 0: no limit");
  stage->probe_every =
      in.integer("probe_every", 0, 1000000000, 0, "steps between rows of the series; 0: as in [probes]");
  stage->membrane = in.flag("membrane", false, "whether the scene's membrane acts while the stage runs");
  stage->ramp_time = in.number("ramp_time", dim::time, Range::not_negative(), 0.0,
                               "time over which gravity and friction change, from the start of the stage");
  if (in.has("gravity")) {
    const auto g = in.numbers("gravity", dim::acceleration, Range::any(), D, std::nullopt,
                              "gravity at the end of ramp_time, and from then on");
    Vec<D> v;
    for (int k = 0; k < D; ++k) v[k] = g[std::size_t(k)];
    stage->gravity = v;
  }
  return stage;
}

#define TALUS_INSTANTIATE(D)                               \
  template const std::vector<StageKind<D>>& stage_kinds(); \
  template std::unique_ptr<Stage<D>> read_stage(Input&);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

}  // namespace talus::lab
