// Writes pictures of small states, and what a reader must find in them as JSON: for tests/scenario/read_vtk.py.
//   write_vtk_sample FOLDER
#include <filesystem>
#include <fstream>

#include <nlohmann/json.hpp>

#include <talus/io/vtk.hpp>

#include "../random_state.hpp"

using namespace talus;
using Json = nlohmann::ordered_json;

namespace {

template <int N>
Json in_space(const Vec<N>& v) {
  if constexpr (N == 3) return {v.x, v.y, v.z};
  if constexpr (N == 2) return {v.x, v.y, 0};
  if constexpr (N == 1) return {0, 0, v.x};
}

template <int D>
void write_sample(const std::filesystem::path& folder) {
  auto state = testing::random_state<D>(25, 2, 0, D);
  std::vector<ContactLine> contacts;
  Rng rng{3};
  for (int i = 0; i < 7; ++i) {
    contacts.emplace_back();
    testing::fill(contacts.back().from, rng);
    testing::fill(contacts.back().to, rng);
    contacts.back().normal_force = i + 0.5;
    contacts.back().shear_force = 0.1 * i;
    contacts.back().overlap = 1e-6 * i;
    contacts.back().law = i % 4;
  }
  VtkFolder vtk(folder);
  state.globals.step = 0;
  state.globals.time = 0;
  vtk.write(state, {});  // no contacts yet
  state.globals.step = 1234;
  state.globals.time = 0.125;
  vtk.write(state, contacts);

  Json want;
  want["time"] = state.globals.time;
  want["cell"] = Json::array();
  for (int k = 0; k < D; ++k) want["cell"].push_back(in_space(state.globals.cell.edge(k)));
  want["periodic"] = Json::array();
  for (int k = 0; k < D; ++k) want["periodic"].push_back(state.globals.cell.periodic[k]);
  for (std::size_t i = 0; i < state.grains(); ++i) {
    const auto& b = state.bodies;
    want["grains"].push_back({{"uid", b.uid[i]},
                              {"unwrapped", in_space(b.position[i])},
                              {"material", b.material[i]},
                              {"radius", state.globals.radius_scale * b.radius[i]},
                              {"mass", b.mass[i]},
                              {"velocity", in_space(b.velocity[i])},
                              {"force", in_space(b.force[i])},
                              {"spin", in_space(b.spin[i])},
                              {"torque", in_space(b.torque[i])},
                              {"work",
                               {b.work[i].friction, b.work[i].viscous, b.work[i].stiffness, b.work[i].growth,
                                b.work[i].local, b.work[i].gravity}}});
  }
  for (const ContactLine& c : contacts)
    want["contacts"].push_back({{"from", in_space(c.from)},
                                {"to", in_space(c.to)},
                                {"normal_force", c.normal_force},
                                {"shear_force", c.shear_force},
                                {"overlap", c.overlap},
                                {"law", c.law}});
  std::ofstream(folder / "want.json") << want.dump(1) << "\n";
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  write_sample<2>(std::filesystem::path(argv[1]) / "plane");
  write_sample<3>(std::filesystem::path(argv[1]) / "space");
}
