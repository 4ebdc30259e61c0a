#include <talus/lab/layers_stage.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <talus/geometry/shape_table.hpp>
#include <talus/lab/runner.hpp>
#include <talus/sampling/assemble.hpp>

namespace talus::lab {

namespace {

struct LayersMemory {
  i64 laid = 0;     // layers below the one that falls or is pressed
  i64 resting = 0;  // 1: the platen stands, and what it has pressed comes to rest
  i64 since = 0;    // the step after which the layer fell, or the platen stood
  auto words() { return std::tie(laid, resting, since); }
};

// The cloud is cut by height into layers of the cell's height over their number. Those that wait are held: they have no contacts with one another, and
// neither gravity nor the platen moves them. Which of them a grain belongs to is told by its height, which does not change until it is let go.
template <int D>
class Layers final : public RememberingStage<D, LayersMemory> {
 public:
  static std::unique_ptr<Stage<D>> read(Input& in) {
    auto s = std::make_unique<Layers>();
    s->traits.changes_bodies = true;
    s->layers_ = in.integer("layers", 1, 1000, 3, "number of layers of equal thickness, by the height of the grains at the start");
    s->unbalanced_ = in.number("unbalanced", dim::none, {0, 1, true, false}, 1e-3, "unbalanced force ratio at which the next layer comes");
    if (!in.has("porosity")) return s;
    s->porosity_ = in.numbers("porosity", dim::none, {0, 1, true, true}, 0, std::nullopt,
                              "one for each layer: that of all layers so far, between base and platen, to which the platen presses them; left out: layers fall");
    s->traits.platen = in.text("platen", std::nullopt, "the wall above that presses each layer: a [boundary.NAME]");
    s->speed_ = in.number("speed", dim::speed, Range::positive(), std::nullopt, "of that platen");
    if (i64(s->porosity_.size()) != s->layers_)
      in.fail("porosity", fmt::format("there are {} porosities for {} layers", s->porosity_.size(), s->layers_), "state one for each layer");
    for (std::size_t k = 1; k < s->porosity_.size(); ++k)
      if (s->porosity_[k] > s->porosity_[k - 1])
        in.fail("porosity", fmt::format("layer {} is to leave a larger porosity than the layers below it had", k + 1),
                "lower layers are pressed less, since those above press them too: state the largest first");
    return s;
  }

  StageFlaw flaw(const Model<D>& model, const State<D>& state) const override {
    if (state.globals.cell.periodic[D - 1]) return {"layers need a surface: the cell is periodic along the last axis", "set cell.periodic to 0 along it"};
    std::vector<i64> grains(std::size_t(layers_), 0);
    for (std::size_t i = 0; i < state.grains(); ++i) {
      if (!is_ball(model.shapes[state.bodies.shape[i]])) return {"layers are of spheres or discs", "take these, or stages of kind settle"};
      if (!(state.bodies.inverse_mass[i] > 0)) return {"some grains are held: they would be taken for grains of layers that wait", "leave out sample.hold"};
      ++grains[std::size_t(layer_of(state, i))];
    }
    for (std::size_t k = 0; k < grains.size(); ++k)
      if (grains[k] == 0) return {fmt::format("layer {} of {} has no grains", k + 1, layers_), "take fewer layers, or more grains", "layers"};
    if (porosity_.empty())
      return state.globals.gravity[D - 1] < 0 ? StageFlaw{} : StageFlaw{"layers fall, but gravity does not act along the last axis", "set dynamics.gravity, or porosity and platen"};
    const std::size_t lid = find_wall(model, this->traits.platen);
    if (into_sample(model, state, lid)[D - 1] != -1) return {"the wall does not face down along the last axis", "take a platen with the upper face of the cell", "platen"};
    if (!(distance_to_facing_wall(model, state, lid) > 0)) return {"there is no wall below it that faces it", "add a platen with the lower face of the cell", "platen"};
    return {};
  }

  void begin(const Model<D>& model, State<D>& state) override {
    Bodies<D>& b = state.bodies;
    for (std::size_t i = 0; i < state.grains(); ++i) {
      if (layer_of(state, i) == 0) continue;
      b.inverse_mass[i] = b.inverse_inertia[i] = 0;
      b.velocity[i] = {};
      b.spin[i] = {};
    }
    remember(state, LayersMemory{});
    lay_platen(model, state);
  }
  void plan(Model<D>& model, const State<D>& state) const override {
    model.cell = {};
    const std::size_t lid = find_wall(model, this->traits.platen);
    if (porosity_.empty() || lid == model.walls.size()) return;  // a scene without it is refused
    WallDrive<D>& drive = model.drives[lid];
    drive = {};
    drive.axis = D - 1;
    if (this->memory(state).resting) return;
    drive.control = WallControl::velocity;
    drive.velocity[D - 1] = -speed_;
  }

  bool part_done(const Observation<D>& seen) const override {
    const LayersMemory m = this->memory(seen.state);
    if (presses(m)) return porosity_so_far(seen) <= porosity_[std::size_t(m.laid)];
    return m.laid + 1 < layers_ && is_at_rest(seen);
  }
  bool next_part(const Model<D>& model, State<D>& state) const override {
    LayersMemory m = this->memory(state);
    m.since = state.globals.step;
    if (presses(m)) {
      m.resting = 1;
      remember(state, m);
      return false;
    }
    m.resting = 0;
    ++m.laid;
    remember(state, m);
    let_go(model, state, m.laid);
    lay_platen(model, state);
    return true;
  }
  bool done(const Observation<D>& seen) const override {
    const LayersMemory m = this->memory(seen.state);
    return m.laid + 1 == layers_ && !presses(m) && seen.state.globals.step > m.since && is_at_rest(seen);
  }
  double progress(const Observation<D>& seen) const override { return double(this->memory(seen.state).laid) / double(layers_); }
  std::optional<Goal> goal(const Observation<D>& seen) const override {
    const LayersMemory m = this->memory(seen.state);
    if (presses(m)) return Goal{"porosity", porosity_so_far(seen), porosity_[std::size_t(m.laid)]};
    return Goal{"unbalanced", seen.unbalanced(), unbalanced_};
  }
  // The domain ends at the surface from then on: porosity and profiles refer to what was laid. A platen bounds it already.
  void end(State<D>& state) const override {
    if (porosity_.empty()) state.globals.cell.h(D - 1, D - 1) = mean_surface(state);
  }
  void figures(const Observation<D>& seen, Figures& out) const override {
    out.push_back({"surface_m", surface(seen.state), "m", {"height of the highest point of a grain when all layers are laid", "height of the surface", "", FigureGroup::sample}, ""});
    out.push_back({"porosity_laid", seen.porosity(), "1", {"porosity below twice the height of the centre of mass, which is the surface of an even bed, or below the platen", "porosity of the layers", "n", FigureGroup::sample}, ""});
  }

 private:
  i64 layer_of(const State<D>& state, std::size_t i) const {
    const Real share = state.bodies.position[i][D - 1] / state.globals.cell.h(D - 1, D - 1);
    return std::clamp(i64(std::floor(share * Real(layers_))), i64{0}, layers_ - 1);
  }
  bool presses(const LayersMemory& m) const { return !porosity_.empty() && !m.resting; }
  bool is_at_rest(const Observation<D>& seen) const {
    if (seen.contacts().empty()) return !porosity_.empty();
    return seen.unbalanced() < unbalanced_;
  }
  static bool waits(const State<D>& state, std::size_t i) { return !(state.bodies.inverse_mass[i] > 0); }
  // m, of those that do not wait.
  static Real surface(const State<D>& state) {
    Real top = -HUGE_VAL;
    for (std::size_t i = 0; i < state.grains(); ++i)
      if (!waits(state, i)) top = std::max(top, state.bodies.position[i][D - 1] + state.bodies.radius[i]);
    return top;
  }
  // m above the lower face of the cell: twice the height of the centre of mass, whatever single grains stick out. In order of uids.
  static Real mean_surface(const State<D>& state) {
    std::vector<std::pair<u32, std::size_t>> order;
    for (std::size_t i = 0; i < state.grains(); ++i) order.emplace_back(state.bodies.uid[i], i);
    std::sort(order.begin(), order.end());
    Real mass = 0, moment = 0;
    for (const auto& [uid, i] : order) mass += state.bodies.mass[i], moment += state.bodies.mass[i] * state.bodies.position[i][D - 1];
    return 2 * moment / mass;
  }
  // The layer comes down until its lowest grain is as high as the highest of those below, and may move.
  void let_go(const Model<D>& model, State<D>& state, i64 layer) const {
    const Real top = surface(state);
    Real bottom = HUGE_VAL;
    std::vector<std::size_t> grains;
    for (std::size_t i = 0; i < state.grains(); ++i)
      if (waits(state, i) && layer_of(state, i) == layer) {
        grains.push_back(i);
        bottom = std::min(bottom, state.bodies.position[i][D - 1] - state.bodies.radius[i]);
      }
    for (const std::size_t i : grains) {
      state.bodies.position[i][D - 1] -= std::max(bottom - top, Real(0));
      sampling::set_radius(model, state.bodies, i, state.bodies.radius[i]);
    }
  }
  // On the highest grain that does not wait.
  void lay_platen(const Model<D>& model, State<D>& state) const {
    if (porosity_.empty()) return;
    const std::size_t lid = find_wall(model, this->traits.platen);
    shift_wall(model, state, lid, -wall_position(model, state, lid) - surface(state));
  }
  static Real porosity_so_far(const Observation<D>& seen) {
    std::vector<std::pair<u32, Real>> volumes;  // in order of uids
    for (std::size_t i = 0; i < seen.state.grains(); ++i)
      if (!waits(seen.state, i)) volumes.emplace_back(seen.state.bodies.uid[i], measure::grain_volume(seen.model, seen.state, i));
    std::sort(volumes.begin(), volumes.end());
    Real solid = 0;
    for (const auto& [uid, volume] : volumes) solid += volume;
    return 1 - solid * (D == 2 ? seen.model.options.thickness : 1) / seen.box().volume();
  }

  i64 layers_;
  Real unbalanced_, speed_ = 0;
  std::vector<Real> porosity_;  // none: they fall
};

}  // namespace

template <int D>
std::unique_ptr<Stage<D>> read_layers(Input& in) {
  return Layers<D>::read(in);
}

template std::unique_ptr<Stage<2>> read_layers(Input&);
template std::unique_ptr<Stage<3>> read_layers(Input&);

}  // namespace talus::lab
