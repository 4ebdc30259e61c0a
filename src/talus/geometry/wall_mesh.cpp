#include <talus/geometry/wall_mesh.hpp>

#include <memory>
#include <stdexcept>
#include <utility>

namespace talus {

const MeshDistance& kept_mesh(const std::string& text, Real unit) {
  static std::vector<std::pair<std::pair<std::string, Real>, std::unique_ptr<const MeshDistance>>> kept;
  for (const auto& [key, mesh] : kept)
    if (key.first == text && key.second == unit) return *mesh;
  const Mesh mesh = parse_mesh(text);
  if (const std::string flaw = flaw_of(mesh); !flaw.empty()) throw std::runtime_error(flaw);
  kept.emplace_back(std::pair(text, unit), std::make_unique<MeshDistance>(mesh, unit));
  return *kept.back().second;
}

}  // namespace talus
