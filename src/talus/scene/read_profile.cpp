#include <talus/scene/read_profile.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <talus/core/nearest.hpp>
#include <talus/lab/profile_analysis.hpp>
#include <talus/measure/averages.hpp>
#include <talus/sampling/assemble.hpp>
#include <talus/sampling/profile.hpp>
#include <talus/scene/common.hpp>
#include <talus/scene/read_walls.hpp>
#include <talus/scene/toml_value.hpp>
#include <talus/stages/walls.hpp>

namespace talus::scene {
namespace {

// "3x3x2"
template <int D>
Vec<D, i32> copies_as_words(Input& in) {
  const std::string text = in.text("replicas", D == 3 ? "1x1x1" : "1x1", "copies of the cell along each edge, as in \"3x3x3\"; left out with crop: as many as fill it");
  Vec<D, i32> along{};
  int k = 0;
  bool is_good = !text.empty();
  for (const char c : text) {
    if (c == 'x' && k + 1 < D && along[k] > 0)
      ++k;
    else if (c >= '0' && c <= '9' && along[k] < 1000)
      along[k] = 10 * along[k] + (c - '0');
    else
      is_good = false;
  }
  for (int q = 0; q < D; ++q) is_good = is_good && along[q] >= 1 && along[q] <= 1000;
  if (!is_good || k + 1 != D)
    in.fail("replicas", fmt::format("'{}' is not {} numbers from 1 to 1000 with 'x' between them", text, D),
            D == 3 ? "as in \"3x3x3\"" : "as in \"3x3\"");
  return along;
}

template <int D>
Vec<D, i32> copies_as_numbers(Input& in) {
  const auto numbers = in.numbers("copies", dim::none, Range::closed(1, 1000), D, std::nullopt, "the same as numbers, which may be parameters");
  Vec<D, i32> along;
  for (int k = 0; k < D; ++k) {
    along[k] = i32(numbers[std::size_t(k)]);
    if (Real(along[k]) != numbers[std::size_t(k)]) in.fail("copies", "copies are counted in whole numbers", "");
  }
  return along;
}

template <int D>
Vec<D, i32> read_open(Input& in) {
  const std::string text =
      in.text("open", "", "edges along which the sample does not repeat, as in \"z\": links through these faces are dropped");
  Vec<D, i32> open{};
  for (const char c : text) {
    const int k = c - 'x';
    if (k < 0 || k >= D || open[k])
      in.fail("open", fmt::format("'{}' is no list of axes", text), D == 3 ? "as in \"z\" or \"xy\"" : "as in \"y\"");
    open[k] = 1;
  }
  return open;
}

template <int D>
sampling::HeldLayer<D> read_layer(Input& in, const State<D>& state) {
  sampling::HeldLayer<D> layer;
  const std::string text = in.text("hold", "", "faces of the domain at which grains are held for ever, as in \"x_low x_high z_low\"; empty: none");
  Real largest = 0;
  for (std::size_t i = 0; i < state.grains(); ++i) largest = std::max(largest, 2 * state.bodies.radius[i]);
  const Real thickness = in.number("hold_thickness", dim::length, Range::not_negative(), 0.0, "how far from a face centres of held grains lie; 0: the largest diameter");
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find_first_of(" ,", at), text.size());
    const std::string face = text.substr(at, end - at);
    at = end + 1;
    if (face.empty()) continue;
    const int k = face[0] - 'x';
    const bool low = face.substr(1) == "_low";
    if (k < 0 || k >= D || (!low && face.substr(1) != "_high"))
      in.fail("hold", fmt::format("'{}' is no face", face), D == 3 ? "faces: x_low, x_high, y_low, y_high, z_low, z_high" : "faces: x_low, x_high, y_low, y_high");
    if (state.globals.cell.periodic[k]) in.fail("hold", fmt::format("the sample repeats along {}: there is no face {}", axis_names[k], face), "open this edge");
    (low ? layer.low : layer.high)[k] = 1;
    layer.thickness = thickness > 0 ? thickness : largest;
  }
  return layer;
}

// Walls of the domain.
template <int D>
State<D> walls_of(Input& scene, lab::Experiment<D>& x, const State<D>& sample) {
  State<D> walls = sample;
  const auto placed = read_boundaries<D>(scene, x.model, sample, {});
  sampling::assemble<D>(x.model, walls, {}, placed);
  return walls;
}

// How the forces of the cell become those of the domain.
template <int D>
sampling::Profile profile_of(Input& scene, Input& in, const lab::Experiment<D>& x, const CellStress<D>& cell, const State<D>& sample) {
  const Vec<D> gravity = weight_per_mass(x.model, sample);
  for (int k = 0; k < D; ++k)
    if (!(k + 1 < D ? gravity[k] == 0 : gravity[k] < 0))
      scene.fail("dynamics.gravity", "a stress that grows with depth needs gravity downwards along the last axis", "set dynamics.gravity");
  if (sample.globals.cell.periodic[D - 1])
    in.fail("open", fmt::format("a stress that grows with depth needs a surface: the sample repeats along {}", axis_names[D - 1]),
            D == 3 ? "open = \"z\"" : "open = \"y\"");
  if (const std::string flaw = sampling::flaw_of_scaling(x.model); !flaw.empty()) in.fail("profile", "forces cannot be scaled: " + flaw, "take another law, or leave profile out");
  const Real stress = measure::stress(cell.contacts, cell.volume)(D - 1, D - 1);
  if (!(stress > 0)) in.fail("profile", "the cell carries no vertical stress, which could be scaled", "compress it: see the stage overburden");
  return {sample.globals.cell.h(D - 1, D - 1), -cell.mass * gravity[D - 1] / cell.volume / stress};
}

// The grains with centres inside the wall that `within` names.
template <int D>
State<D> keep_within(Input& in, const Model<D>& model, State<D> sample) {
  if (!in.has("within")) return sample;
  const std::string name = in.text("within", std::nullopt, "name of a cylinder, or of a mesh that the sample is inside of: grains with centres outside it are dropped");
  const std::size_t wall = find_wall(model, name);
  if (wall == model.walls.size() || !(wall_shape(model, sample, wall).section(D - 1) > 0 || wall_shape(model, sample, wall).encloses()))
    in.fail("within", "'" + name + "' is no wall that goes all around the last axis", known_walls(model));
  sample = sampling::crop(std::move(sample), wall_shape(model, sample, wall), sample.bodies.position[sample.grains() + wall]);
  if (sample.grains() < 2) in.fail("within", fmt::format("{} grains have their centres inside the wall '{}'", sample.grains(), name), "take a wider one");
  return sample;
}

template <int D>
ContactList<D> contacts_of(const lab::Experiment<D>& x, State<D> state) {
  const auto method = x.method->fresh();
  method->prepare(x.model, state);
  return method->contacts(x.model, state);
}

}  // namespace

template <int D>
Domain<D> read_domain(Input& in) {
  Domain<D> domain;
  domain.has_profile = in.flag("profile", false, "multiply contact forces by the share of their depth: the vertical stress becomes that of the weight above");
  domain.by_mean = in.choice("wall_force", {"stress", "mean"}, "stress",
                             "what grains push a wall with, before depth counts: the normal part of the contacts that the cut took from them, or all that overlap the wall the mean contact force of the cell") == "mean";
  if (in.has("crop")) {
    domain.size = to_vec<D>(in.numbers("crop", dim::length, Range::not_negative(), D, std::nullopt,
                                       "size of the box in the middle of the copies that is kept, grains by their centres; 0: not cut along this axis"));
    for (int k = 0; k < D; ++k) domain.is_cut = domain.is_cut || domain.size[k] > 0;
  }
  return domain;
}

template <int D>
sampling::Replicas<D> read_copies(Input& in, const Cell<D>& cell, const Domain<D>& domain) {
  if (in.has("copies") && in.has("replicas")) in.fail("copies", "copies are stated twice", "keep one of copies and replicas");
  if (in.has("copies")) return {copies_as_numbers<D>(in), read_open<D>(in)};
  const bool fills = domain.is_cut && !in.has("replicas");
  const Vec<D, i32> along = fills ? sampling::copies_to_fill(cell, domain.size) : copies_as_words<D>(in);
  for (int k = 0; k < D; ++k)
    if (along[k] > 1000) in.fail("crop", fmt::format("it takes {} copies of the cell along {}", along[k], axis_names[k]), "take a larger cell");
  return {along, read_open<D>(in)};
}

template <int D>
CellStress<D> stress_of_cell(const lab::Experiment<D>& x, const State<D>& cell, const Domain<D>& domain, bool is_ready) {
  CellStress<D> out;
  out.walls = cell.walls;
  for (std::size_t w = 0; w < cell.walls; ++w) out.first_wall = std::min(out.first_wall, cell.bodies.uid[cell.grains() + w]);
  out.volume = cell.walls > 0 ? sample_volume(x.model, cell) : cell.globals.cell.volume();
  for (std::size_t i = 0; i < cell.grains(); ++i) out.mass += cell.bodies.mass[i];
  out.is_known = domain.has_profile && is_ready;
  if (out.is_known) out.contacts = contacts_of(x, cell);
  return out;
}

template <int D>
State<D> make_domain(Input& scene, Input& in, lab::Experiment<D>& x, State<D> sample, const CellStress<D>& cell, i64 copies, bool is_disturbed) {
  const Domain<D> domain = read_domain<D>(in);
  if (domain.is_cut) {
    if (const std::string flaw = sampling::flaw_of_box(sample.globals.cell, domain.size); !flaw.empty()) in.fail("crop", flaw, "open these edges, take more copies, or a smaller box");
    sample = sampling::crop(std::move(sample), domain.size);
    if (sample.grains() < 2) in.fail("crop", fmt::format("{} grains have their centres inside the box", sample.grains()), "take a larger box");
  }
  const State<D> walls = walls_of(scene, x, sample);
  sample = sampling::add_walls(std::move(sample), walls, x.model);
  sample = keep_within(in, x.model, std::move(sample));
  if (cell.is_known) {
    const sampling::Profile profile = profile_of(scene, in, x, cell, sample);
    if (domain.by_mean) {
      if (cell.walls > 0) in.fail("wall_force", "the cell has walls of its own, whose contacts are copied", "leave it out");
      sample = sampling::press_on_walls(std::move(sample), x.model, measure::forces(cell.contacts).mean);
    } else {
      const auto lost = sampling::lost_contacts(sample, contacts_of(x, sample), cell.contacts, cell.first_wall, copies);
      sample = sampling::press_on_walls(std::move(sample), x.model, measure::stress(cell.contacts, cell.volume), lost, cell.walls);
    }
    sample = sampling::list_contacts(std::move(sample), x.model, contacts_of(x, sample));
    if (!is_disturbed) sample = sampling::restore_overlaps(std::move(sample), x.model, cell.contacts, copies);
    sample = sampling::scale_forces(std::move(sample), x.model, profile);
  }
  const auto layer = read_layer(in, sample);
  if (!layer.is_there()) return sample;
  sample = sampling::hold(std::move(sample), layer);
  bool some_free = false;
  for (std::size_t i = 0; i < sample.grains(); ++i) some_free = some_free || sample.bodies.inverse_mass[i] > 0;
  if (!some_free) in.fail("hold", fmt::format("all grains are held: the layer is {:.4g} m thick", layer.thickness), "take a larger domain, or a thinner layer");
  return sample;
}

template <int D>
void read_profile_test(Input& scene, Input& in, const std::string& kind, lab::Experiment<D>& x, const lab::Origin& origin) {
  lab::ProfileSettings<D> s;
  s.origin = origin;
  if (!scene.has("sample")) in.fail("kind", "this test needs a sample made of copies of a cell", "see scenes/centrifuge.toml");
  const auto sample = scene.table("sample", true, "a sample from another run");
  s.layer = read_layer(*sample, x.state);
  std::vector<std::string> names;
  for (const auto& table : scene.tables("stage", "stages of the protocol, in order"))
    names.push_back(table->text("name", table->text("kind", "", "what the stage does"), "name of the stage in series and report"));
  if (names.empty()) return;  // another check says so
  const std::string rest = in.choice("rest", names, names.back(), "name of the stage after which the sample is measured");
  s.rest = std::size_t(std::find(names.begin(), names.end(), rest) - names.begin());
  if (kind == "profile") {
    const auto boxes = in.numbers("boxes", dim::none, Range::closed(1, 1000), D, D == 3 ? std::vector<Real>{5, 5, 20} : std::vector<Real>{10, 20},
                                  "boxes of the grid along each axis; along the last: rows of the profile");
    for (int k = 0; k < D; ++k) s.boxes[k] = i32(boxes[std::size_t(k)]);
    s.is_round = enclosing_wall(x.model, x.state, D - 1) < x.model.walls.size();
    if (s.is_round) {
      const auto rings = in.numbers("rings", dim::none, Range::closed(1, 50), 2, std::vector<Real>{5, 6}, "rings inside a cylinder, and layers of them over the depth, of the maps");
      s.rings = i32(rings[0]);
      s.layers = i32(rings[1]);
    }
    s.k0 = in.number("k0", dim::none, Range::not_negative(), 0.0, "horizontal over vertical stress that the cell was given, for the report; 0: unknown");
  }
  x.state.bodies.start.assign(x.state.bodies.size(), {});
  x.state.bodies.start = x.state.bodies.position;
  const lab::ProfileStart start = lab::profile_start(x.model, x.state, contacts_of(x, x.state), s);
  x.analysis = kind == "profile" ? lab::profile_analysis<D>(s, start) : lab::column_analysis<D>(s, start);
}

#define TALUS_INSTANTIATE(D)                                                                                                                   \
  template Domain<D> read_domain(Input&);                                                                                                      \
  template sampling::Replicas<D> read_copies(Input&, const Cell<D>&, const Domain<D>&);                                                        \
  template State<D> make_domain(Input&, Input&, lab::Experiment<D>&, State<D>, const CellStress<D>&, i64, bool);                                    \
  template CellStress<D> stress_of_cell(const lab::Experiment<D>&, const State<D>&, const Domain<D>&, bool);                              \
  template void read_profile_test(Input&, Input&, const std::string&, lab::Experiment<D>&, const lab::Origin&);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

}  // namespace talus::scene
