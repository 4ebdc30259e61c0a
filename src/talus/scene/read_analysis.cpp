#include <talus/scene/read_analysis.hpp>

#include <algorithm>
#include <cmath>

#include <talus/lab/biaxial.hpp>
#include <talus/lab/cycle_analysis.hpp>
#include <talus/lab/gyratory.hpp>
#include <talus/sampling/placement.hpp>
#include <talus/scene/common.hpp>
#include <talus/scene/read_element_test.hpp>
#include <talus/scene/read_liquid_test.hpp>
#include <talus/scene/read_profile.hpp>
#include <talus/scene/read_replicas.hpp>
#include <talus/scene/read_solid_test.hpp>
#include <talus/scene/read_wall_tests.hpp>
#include <talus/stages/walls.hpp>

namespace talus::scene {
namespace {

// A platen that goes through levels of compression: which stage it is, and what is counted.
template <int D>
void read_cycles(Input& scene, Input& in, lab::Experiment<D>& x) {
  if constexpr (D == 3) {
    lab::CycleSettings s;
    std::vector<std::string> names;
    for (const auto& w : x.model.walls) names.push_back(w.name);
    const std::string top = in.choice("top", names, std::nullopt, "the platen: a [boundary.NAME] or a wall of a box");
    s.top = std::size_t(std::find(names.begin(), names.end(), top) - names.begin());
    s.dropped = in.integer("dropped", 0, 1000000, 5, "first cycles, which are dropped");
    s.threshold = in.number("threshold", dim::force, Range::not_negative(), 4e-3, "weaker contacts do not count for Z");
    s.classes.low = in.number("force_low", dim::force, Range::positive(), 1e-4, "lower end of the classes of forces");
    s.classes.high = in.number("force_high", dim::force, Range::positive(), 1.0, "upper end of the classes of forces");
    s.experiment = in.number("experiment_force", dim::force, Range::not_negative(), 0.0,
                             "measured force on the platen at the highest level; 0: none is known");
    if (!(s.classes.high > s.classes.low)) in.fail("force_high", "it is not above force_low", "exchange them");
    bool found = false;
    std::size_t index = 0;
    for (const auto& table : scene.tables("stage", "stages of the protocol, in order")) {
      if (!found && table->text("kind", "", "what the stage does") == "cycle") {
        found = true;
        s.stage = index;
        s.levels = table->integer("levels", 1, 100000, 25, "equal parts of the travel, with a rest after each");
      }
      ++index;
    }
    if (!found) in.fail("kind", "this test needs a stage of kind cycle", "see scenes/hydrogel.toml");
    x.analysis = lab::cycle_analysis(s);
  } else {
    (void)scene, (void)x;
    in.fail("kind", "this test is of space", "set dimension = 3");
  }
}

// A mould under a loaded platen.
template <int D>
void read_gyratory(Input& in, lab::Experiment<D>& x) {
  if constexpr (D == 3) {
    lab::GyratorySettings s;
    s.top = read_wall_name(in, "top", x.model, "platen on the specimen: a [boundary.NAME]");
    s.base = read_wall_name(in, "base", x.model, "base plate: a [boundary.NAME]");
    s.mould = read_wall_name(in, "mould", x.model, "mould: a [boundary.NAME]");
    s.area = wall_shape(x.model, x.state, s.mould).section(2);
    if (!(s.area > 0)) in.fail("mould", "this wall encloses nothing across z", "use a [boundary.NAME] with kind = \"cylinder\"");
    x.analysis = lab::gyratory_analysis(s);
  } else {
    (void)x;
    in.fail("kind", "this test is of space", "set dimension = 3");
  }
}

}  // namespace

template <int D>
void read_analysis(Input& scene, lab::Experiment<D>& x, const std::vector<Group>& groups, Real side_stress, const lab::Origin& origin) {
  if (!scene.has("analysis")) return;
  const auto in = scene.table("analysis", true, "figures of a ready-made test");
  const std::string kind = in->choice("kind", {"rowe", "biaxial", "cycles", "replicas", "profile", "column", "gyratory", "dam-break", "hydrostatic", "triaxial-element", "shear-element", "cantilever", "spin", "drop", "rings", "collapse", "slope", "pile", "plate", "landslide", "oedometer", "direct-shear", "repose", "drum", "cyclic", "cone"}, std::nullopt, "which test");
  if (kind == "replicas") return read_replica_test(scene, *in, x, origin);
  if (kind == "profile" || kind == "column") return read_profile_test(scene, *in, kind, x, origin);
  if (kind == "cycles") return read_cycles(scene, *in, x);
  if (kind == "gyratory") return read_gyratory(*in, x);
  if (const auto& solids = solid_tests(); std::find(solids.begin(), solids.end(), kind) != solids.end()) return read_solid_test(*in, kind, x);
  if (kind == "slope" || kind == "pile" || kind == "landslide") return read_soil_test(scene, *in, kind, x);
  if (kind.ends_with("-element")) return read_element_test(scene, *in, kind, x);
  if (read_wall_test(scene, *in, kind, x)) return;
  if constexpr (D == 2) {
    if (kind == "dam-break" || kind == "hydrostatic" || kind == "plate") {
      x.analysis = read_liquid_test(*in, kind, x);
      return;
    }
    if (kind == "biaxial") {
      if (!(x.model.membrane.spacing > 0))
        in->fail("kind", "this test needs a sample inside a membrane", "see scenes/biaxial-dense.toml");
      x.analysis = lab::biaxial_analysis();
      return;
    }
    if (groups.size() != 1 || placement_of(*groups[0].table) != "rows" || !(side_stress > 0))
      in->fail("kind", "this test needs one group of discs placed in rows, and side forces", "see scenes/rowe.toml");
    const std::vector<int> counts = read_layout(*groups[0].table->table("place", true, "where the grains start"));
    const sampling::DiscRows rows = sampling::disc_rows(counts);
    if (rows.inclined == 0)
      in->fail("kind", "the gaps between rows differ in their number of contacts", "use rows such as 5-4-5-4-5");
    const Real d = groups[0].diameters.front();
    lab::RowePack pack;
    pack.pitch = d * std::sin(pi / 3);
    pack.width = 0.5 * d * rows.inclined;
    pack.confining = side_stress;
    pack.phi_mu = std::atan(
        x.model.pairs.coefficients[groups[0].material * x.model.pairs.materials + groups[0].material].friction);
    const bool ends_alike = counts.front() == counts.back() && counts.front() > counts[1];
    if (!x.model.options.rotation || !rows.has_corners)
      pack.limit = lab::rowe_limit(pack.phi_mu, rows.inclined, 0);
    else if (ends_alike)
      pack.limit = lab::rowe_limit(pack.phi_mu, rows.inclined, 2);
    for (const auto& [key, wall] : {std::pair{"top", &pack.top}, std::pair{"bottom", &pack.bottom}})
      *wall = read_wall_name(*in, key, x.model, "platen at this end: a [boundary.NAME]");
    pack.top_start = x.state.bodies.position[x.state.grains() + pack.top].y;
    x.analysis = lab::rowe_analysis(pack);
  } else {
    in->fail("kind", "this test is of the plane", "set dimension = 2");
  }
}

template void read_analysis(Input&, lab::Experiment<2>&, const std::vector<Group>&, Real, const lab::Origin&);
template void read_analysis(Input&, lab::Experiment<3>&, const std::vector<Group>&, Real, const lab::Origin&);

}  // namespace talus::scene
