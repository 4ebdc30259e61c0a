// Writes pictures of small states, and what they show as JSON: for tests/scenario/read_vtk.py.
//   write_vtk_sample FOLDER
#include <filesystem>
#include <fstream>

#include <nlohmann/json.hpp>

#include <talus/io/vtk_folder.hpp>

#include "../random_state.hpp"

using namespace talus;
using Json = nlohmann::ordered_json;

namespace {

template <int N>
Json as_json(const Vec<N>& v) {
  if constexpr (N == 3) return {v.x, v.y, v.z};
  if constexpr (N == 2) return {v.x, v.y, 0};
  if constexpr (N == 1) return {0, 0, v.x};
}

constexpr Real turned_by = 0.25;  // rad, every grain about z

// Balls, a floor across the last axis and a wall that leans, with random values everywhere else.
template <int D>
struct Sample {
  State<D> state = testing::random_state<D>(25, 2, 0, D);
  Model<D> model;
  ContactList<D> contacts;

  Sample() {
    Bodies<D>& b = state.bodies;
    state.globals.radius_scale = 0.9;
    model.shapes.resize(3);
    Vec<D> up{}, leaning{};
    up[D - 1] = leaning[D - 1] = 1;
    leaning[0] = -1;
    model.shapes[1] = {ShapeKind::wall, WallShape<D>(WallPlane<D>::facing(up))};
    model.shapes[2] = {ShapeKind::wall, WallShape<D>(WallPlane<D>::facing(leaning))};
    for (std::size_t i = 0; i < b.size(); ++i) {
      b.radius[i] = 0.1 + std::abs(b.radius[i]) / 50;
      b.orientation[i] = b.orientation[i].normalised();
      b.shape[i] = i < state.grains() ? 0 : u32(1 + i - state.grains());
    }
    for (std::size_t w = 0; w < 2; ++w) model.walls.push_back({w == 0 ? "floor" : "lean", b.uid[state.grains() + w], {}});
    b.position[state.grains()] = {};
    b.position[state.grains() + 1] = {};
    Rng rng{3};
    for (u32 i = 0; i < 7; ++i) {  // the last with the floor
      ContactSample<D> c{};
      c.a = i, c.b = i < 6 ? i + 1 : u32(state.grains());
      for (auto* v : {&c.normal, &c.branch, &c.force, &c.arm}) testing::fill(*v, rng);
      c.normal = (1 / length(c.normal)) * c.normal;
      c.overlap = 1e-6 * i;
      c.law = i % 4;
      contacts.push_back(c);
    }
  }
  // The cell stretches, grains turn and move with it, and one crosses two of its edges.
  void go_on() {
    Bodies<D>& b = state.bodies;
    const Mat<D> before = inverse(state.globals.cell.h);
    state.globals.cell.h(0, 0) *= 1.25;
    for (std::size_t i = 0; i < state.grains(); ++i) {
      b.position[i] = state.globals.cell.h * (before * b.position[i]);
      if (i == 0) b.position[i] += Real(2) * state.globals.cell.edge(0);
      if constexpr (D == 2) b.turn[i].x += turned_by;
      b.orientation[i] = Quat::from_axis({0, 0, 1}, turned_by) * b.orientation[i];
    }
  }
};

template <int D>
Json edges_of(const Cell<D>& cell) {
  Json edges = Json::array();
  for (int k = 0; k < D; ++k) edges.push_back(as_json(cell.edge(k)));
  return edges;
}

template <int D>
void write_sample(const std::filesystem::path& folder) {
  Sample<D> s;
  State<D>& state = s.state;
  const TestStart<D> start = TestStart<D>::of(state);
  VtkFolder vtk(folder);
  state.globals.step = 0;
  state.globals.time = 0;
  vtk.write<D>({s.model, state, {}, {}});  // no contacts, and the test has not begun
  Json want;
  want["start_cell"] = edges_of(state.globals.cell);
  for (std::size_t n = 0; n < start.uid.size(); ++n) want["start"][std::to_string(start.uid[n])] = as_json(start.position[n]);
  s.go_on();
  state.globals.step = 1234;
  state.globals.time = 0.125;
  vtk.write<D>({s.model, state, s.contacts, start});

  want["time"] = state.globals.time;
  want["cell"] = edges_of(state.globals.cell);
  want["turned_by"] = turned_by;
  want["periodic"] = Json::array();
  for (int k = 0; k < D; ++k) want["periodic"].push_back(state.globals.cell.periodic[k]);
  for (std::size_t i = 0; i < state.grains(); ++i) {
    const auto& b = state.bodies;
    want["grains"].push_back({{"uid", b.uid[i]},
                              {"unwrapped", as_json(b.position[i])},
                              {"material", b.material[i]},
                              {"radius", state.globals.radius_scale * b.radius[i]},
                              {"mass", b.mass[i]},
                              {"velocity", as_json(b.velocity[i])},
                              {"force", as_json(b.force[i])},
                              {"spin", as_json(b.spin[i])},
                              {"torque", as_json(b.torque[i])},
                              {"work",
                               {b.work[i].friction, b.work[i].viscous, b.work[i].stiffness, b.work[i].growth,
                                b.work[i].local, b.work[i].gravity}}});
  }
  for (const auto& c : s.contacts)
    want["contacts"].push_back({{"uid_a", state.bodies.uid[c.a]}, {"uid_b", state.bodies.uid[c.b]}, {"normal", as_json(c.normal)},
                                {"branch", as_json(c.branch)}, {"force", as_json(c.force)}, {"arm", as_json(c.arm)},
                                {"overlap", c.overlap}, {"law", c.law}});
  want["walls"] = {s.model.walls[0].uid, s.model.walls[1].uid};
  std::ofstream(folder / "want.json") << want.dump(1) << "\n";
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  write_sample<2>(std::filesystem::path(argv[1]) / "plane");
  write_sample<3>(std::filesystem::path(argv[1]) / "space");
}
