#include <talus/scene/read_materials.hpp>

#include <algorithm>

#include <talus/scene/common.hpp>
#include <talus/scene/recording_input.hpp>

namespace talus::scene {

u32 find_material(Input& in, std::string_view key, const std::vector<Material>& materials) {
  std::vector<std::string> names;
  for (const auto& m : materials) names.push_back(m.name);
  const std::string name = in.choice(
      key, names, names.size() == 1 ? std::optional<std::string>(names[0]) : std::nullopt, "a [material.NAME]");
  return u32(std::find(names.begin(), names.end(), name) - names.begin());
}

std::vector<Material> read_materials(Input& in, bool elastic) {
  const auto names = in.names("material", "materials of grains and walls");
  if (names.empty())
    in.fail("material", "the scene has no material",
            "add a table such as [material.sand] with density, young, poisson, friction");
  std::vector<Material> materials;
  const auto table = in.table("material", true, "materials of grains and walls");
  for (const auto& name : names)
    materials.push_back(Material::read(*table->table(name, true, "a material"), name, elastic));
  return materials;
}

std::vector<Material> read_densities(Input& in) {
  const auto names = in.names("material", "materials of bodies");
  if (names.empty()) in.fail("material", "the scene has no material", "add a table such as [material.water] with model and density");
  const auto table = in.table("material", true, "materials of bodies");
  std::vector<Material> materials;
  for (const auto& name : names) {
    Material m;
    m.name = name;
    m.density = table->table(name, true, "a material")->number("density", dim::density, Range::positive(), std::nullopt, "mass per volume at rest");
    materials.push_back(std::move(m));
  }
  return materials;
}

namespace {

// Reads law and constants of one pair from the table that states it.
template <int D>
void read_pair(Input& in, Model<D>& model, u32 a, u32 b, const std::string& default_law, const std::string& mixing) {
  const PairCoefficients mixed = mix_coefficients(model.materials[a], model.materials[b], mixing);
  PairCoefficients c;
  c.friction = in.number("friction", dim::none, Range::not_negative(), mixed.friction, "Coulomb friction of the pair");
  c.restitution =
      in.number("restitution", dim::none, Range::closed(0, 1), mixed.restitution, "restitution of the pair");
  c.rolling_friction = in.number("rolling_friction", dim::none, Range::not_negative(), mixed.rolling_friction,
                                 "rolling friction of the pair");
  model.pairs.set(a, b, c);
  if (default_law.empty() && !in.has("law")) return;
  const std::string law =
      in.choice("law", law_names(), default_law.empty() ? std::nullopt : std::optional(default_law), "contact law");
  for_each_law([&]<std::size_t L>() {
    using Law = std::tuple_element_t<L, Laws<D>>;
    if (Law::name == law) model.pairs.template set<L>(a, b, Law::mix(in, model.materials[a], model.materials[b], c));
  });
}

// Law constants for pairs that no [pair.A.B] states: the same keys in [contact]; friction and the like by mixing.
template <int D>
void default_pair(Input& in, Model<D>& model, u32 a, u32 b, const std::string& law, const std::string& mixing) {
  const PairCoefficients c = mix_coefficients(model.materials[a], model.materials[b], mixing);
  model.pairs.set(a, b, c);
  for_each_law([&]<std::size_t L>() {
    using Law = std::tuple_element_t<L, Laws<D>>;
    if (Law::name == law) model.pairs.template set<L>(a, b, Law::mix(in, model.materials[a], model.materials[b], c));
  });
}

// A scene may leave the law to a parameter: what the others would read is declared for them.
template <int D>
void pass_other_laws(Input& contact, const std::string& law) {
  for_each_law([&]<std::size_t L>() {
    using Law = std::tuple_element_t<L, Laws<D>>;
    if (Law::name == law) return;
    RecordingInput record;
    Law::mix(record, Material{}, Material{}, PairCoefficients{});
    for (const Request& asked : record.requests()) contact.pass(asked.path);
  });
}

}  // namespace

template <int D>
void read_pairs(Input& in, Model<D>& model, bool needs_laws, const std::string& named) {
  const u32 n = u32(model.materials.size());
  model.pairs.resize(n);
  std::vector<bool> stated(std::size_t(n) * n, false);
  const auto contact = in.table("contact", false, "what holds for pairs that [pair.A.B] does not state");
  const std::string stated_law = needs_laws || contact->has("law") ? contact->choice("law", law_names(), "hertz-mindlin", "contact law") : "";
  const std::string law = named.empty() ? stated_law : named;
  const std::string mixing = contact->choice("mixing", {"geometric", "mean", "least"}, "geometric",
                                             "how the coefficients of a pair follow from those of its two materials");
  const auto index = [&](const std::string& name, Input& at) {
    u32 k = 0;
    std::string known;
    for (; k < n && model.materials[k].name != name; ++k)
      known += (known.empty() ? "" : ", ") + model.materials[k].name;
    if (k == n) at.fail(name, "there is no material '" + name + "'", "materials: " + known);
    return k;
  };
  if (in.has("pair")) {
    const auto pairs = in.table("pair", true, "pairs of materials");
    for (const auto& first : in.names("pair", "pairs of materials")) {
      const auto row = pairs->table(first, true, "pairs of one material");
      const u32 a = index(first, *pairs);
      for (const auto& second : pairs->names(first, "pairs of one material")) {
        const u32 b = index(second, *row);
        if (stated[a * n + b])
          row->fail(second, "this pair is stated twice",
                    "keep one of [pair." + first + "." + second + "] and its mirror");
        stated[a * n + b] = stated[b * n + a] = true;
        read_pair(*row->table(second, true, "one pair"), model, a, b, law, mixing);
      }
    }
  }
  for (u32 a = 0; a < n; ++a)
    for (u32 b = a; b < n; ++b) {
      if (stated[a * n + b]) continue;
      if (model.materials[a].rigid && model.materials[b].rigid) continue;  // walls never meet
      default_pair(*contact, model, a, b, law, mixing);
    }
  if (!law.empty()) pass_other_laws<D>(*contact, law);
}

template void read_pairs(Input&, Model<2>&, bool, const std::string&);
template void read_pairs(Input&, Model<3>&, bool, const std::string&);

}  // namespace talus::scene
