#include <talus/simulation/search_cells.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <talus/lab/cell_search.hpp>
#include <talus/simulation/parents.hpp>

namespace talus::simulation {
namespace {

// name=value, in the place of the setting of that name where there is one.
void replace_setting(std::vector<std::string>& settings, const std::string& name, const std::string& value) {
  const auto at = std::find_if(settings.begin(), settings.end(), [&](const std::string& s) { return s.starts_with(name + "="); });
  if (at == settings.end())
    settings.push_back(name + "=" + value);
  else
    *at = name + "=" + value;
}

std::string in_words(const lab::CellTrial& t) {
  const auto& r = t.recipe;
  const std::string stretched = r.stretch > 0 ? fmt::format(", stretch_steps = {}", r.stretch) : "";
  return fmt::format("porosity {:.4f} and Z {:.2f}, from porosity = {:.4f}, friction_prep = {:.3f}{}", t.porosity, t.contacts, r.porosity, r.friction, stretched);
}

// Trials of cells of one size.
struct Trials {
  const scene::ParentRequest& request;
  const TryCell& try_cell;
  std::string side;  // empty: as requested
  std::string& table;
  std::filesystem::path last;

  lab::CellTrial operator()(const lab::CellRecipe& r) {
    scene::ParentRequest one = request;
    one.wish.reset();
    if (r.stretch > 0) {
      if (request.wish->mixed.empty()) throw NotMade("so few contacts need a cell that is stretched, and no scene does that: sample.search.mixed");
      one.scene = request.wish->mixed;
      replace_setting(one.settings, "stretch_steps", fmt::format("{}", r.stretch));
    }
    replace_setting(one.settings, "porosity", fmt::format("{:.5f}", r.porosity));
    replace_setting(one.settings, "friction_prep", fmt::format("{:.5f}", r.friction));
    if (!side.empty()) replace_setting(one.settings, "side", "\"" + side + "\"");
    const TrialCell made = try_cell(one);
    last = made.checkpoint;
    table += fmt::format("{},{:.5f},{:.5f},{},{:.6f},{:.4f}\n", side.empty() ? "as stated" : side, r.porosity, r.friction, r.stretch, made.porosity, made.contacts);
    return {r, made.porosity, made.contacts};
  }
};

}  // namespace

std::filesystem::path search_cells(const scene::ParentRequest& request, const TryCell& try_cell, std::string& trials) {
  const scene::CellWish& wish = *request.wish;
  lab::CellTarget target;
  target.porosity = wish.porosity;
  target.contacts = wish.contacts;
  target.friction = wish.friction;
  target.porosity_within = wish.porosity_within;
  target.contacts_within = wish.contacts_within;
  target.trials = wish.trials;
  trials = "side,porosity,friction_prep,stretch_steps,n0,Z0\n";
  std::optional<lab::CellRecipe> first;
  if (!wish.small.empty() && target.trials > 1 && std::find(request.settings.begin(), request.settings.end(), "side=\"" + wish.small + "\"") == request.settings.end()) {
    lab::CellTarget rough = target;
    rough.trials = target.trials / 2;
    lab::CellSearch small(rough);
    first = small.run(Trials{request, try_cell, wish.small, trials, {}});
    if (!first) first = small.nearest().recipe;
    target.trials -= i64(small.trials().size());
  }
  lab::CellSearch search(target);
  Trials of_size{request, try_cell, "", trials, {}};
  if (search.run([&](const lab::CellRecipe& r) { return of_size(r); }, first)) return of_size.last;
  throw NotMade(fmt::format("a cell with porosity {} and Z {} at rest is out of reach: {}; of {} trials the nearest came to {}", wish.porosity, wish.contacts, search.why(),
                            search.trials().size(), in_words(search.nearest())));
}

}  // namespace talus::simulation
