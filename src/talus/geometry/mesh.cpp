#include <talus/geometry/mesh.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <sstream>
#include <stdexcept>

namespace talus {
namespace {

[[noreturn]] void refuse(int line, const std::string& why) { throw std::runtime_error("line " + std::to_string(line) + ": " + why); }

// Points by place: the same place is the same point.
class Builder {
 public:
  u32 point(const Vec3& p) {
    const auto [it, fresh] = index_.try_emplace({p.x, p.y, p.z}, u32(mesh_.points.size()));
    if (fresh) mesh_.points.push_back(p);
    return it->second;
  }
  void face(const std::vector<u32>& corners) {
    for (std::size_t k = 2; k < corners.size(); ++k) mesh_.triangles.push_back({corners[0], corners[k - 1], corners[k]});
  }
  // Points that no face has are no part of the surface.
  Mesh take() {
    Mesh out;
    std::vector<u32> name(mesh_.points.size(), ~0u);
    for (auto& triangle : mesh_.triangles)
      for (auto& corner : triangle) {
        if (name[corner] == ~0u) name[corner] = u32(out.points.size()), out.points.push_back(mesh_.points[corner]);
        corner = name[corner];
      }
    out.triangles = std::move(mesh_.triangles);
    return out;
  }

 private:
  Mesh mesh_;
  std::map<std::array<Real, 3>, u32> index_;
};

struct Lines {
  explicit Lines(const std::string& text) : in(text) {}
  // Words of the next line that has some; empty at the end.
  std::vector<std::string> next() {
    std::vector<std::string> words;
    std::string line;
    while (words.empty() && std::getline(in, line)) {
      ++number;
      std::istringstream cut(line);
      for (std::string w; cut >> w;) words.push_back(w);
    }
    return words;
  }
  Real real(const std::string& word) const {
    char* end = nullptr;
    const double x = std::strtod(word.c_str(), &end);
    if (end == word.c_str() || *end != 0 || !std::isfinite(x)) refuse(number, "'" + word + "' is no number");
    return x;
  }
  i64 integer(const std::string& word) const {
    const Real x = real(word);
    if (x != std::floor(x) || std::abs(x) > 1e9) refuse(number, "'" + word + "' is no whole number");
    return i64(x);
  }
  Vec3 vec(const std::vector<std::string>& words, std::size_t first) const {
    if (words.size() < first + 3) refuse(number, "a point has three coordinates");
    return {real(words[first]), real(words[first + 1]), real(words[first + 2])};
  }
  std::istringstream in;
  int number = 0;
};

Mesh parse_stl_text(const std::string& text) {
  Lines lines(text);
  Builder build;
  std::vector<u32> corners;
  for (auto w = lines.next(); !w.empty(); w = lines.next()) {
    if (w[0] == "vertex") corners.push_back(build.point(lines.vec(w, 1)));
    if (w[0] != "endfacet") continue;
    if (corners.size() != 3) refuse(lines.number, "a facet has three vertices");
    build.face(corners);
    corners.clear();
  }
  return build.take();
}

// 80 bytes of header, a count, then 50 bytes for each triangle: a normal, three points, two bytes.
Mesh parse_stl_binary(const std::string& text, u32 count) {
  Builder build;
  for (u32 k = 0; k < count; ++k) {
    const char* at = text.data() + 84 + 50 * std::size_t(k) + 12;
    std::vector<u32> corners;
    for (int c = 0; c < 3; ++c) {
      float x[3];
      std::memcpy(x, at + 12 * c, sizeof x);
      for (const float v : x)
        if (!std::isfinite(v)) refuse(int(k) + 1, "a coordinate of this triangle is not finite");
      corners.push_back(build.point({x[0], x[1], x[2]}));
    }
    build.face(corners);
  }
  return build.take();
}

// Corners of a face by number, from 0.
void add_face(Builder& build, const std::vector<u32>& points, const std::vector<i64>& numbers, int line) {
  std::vector<u32> corners;
  for (const i64 n : numbers) {
    if (n < 0 || n >= i64(points.size())) refuse(line, "a face has a corner that is not there");
    corners.push_back(points[std::size_t(n)]);
  }
  if (corners.size() < 3) refuse(line, "a face has three corners or more");
  build.face(corners);
}

Mesh parse_obj(const std::string& text) {
  Lines lines(text);
  Builder build;
  std::vector<u32> points;
  for (auto w = lines.next(); !w.empty(); w = lines.next()) {
    if (w[0] == "v") points.push_back(build.point(lines.vec(w, 1)));
    if (w[0] != "f") continue;
    std::vector<i64> numbers;
    for (std::size_t k = 1; k < w.size(); ++k) {
      const i64 n = lines.integer(w[k].substr(0, w[k].find('/')));  // point/texture/normal
      numbers.push_back(n < 0 ? i64(points.size()) + n : n - 1);
    }
    add_face(build, points, numbers, lines.number);
  }
  return build.take();
}

Mesh parse_ply(const std::string& text) {
  Lines lines(text);
  Builder build;
  i64 vertices = 0, faces = 0;
  std::vector<std::string> elements, coordinates;
  auto w = lines.next();
  for (; !w.empty() && w[0] != "end_header"; w = lines.next()) {
    if (w[0] == "format" && w.size() > 1 && w[1] != "ascii") refuse(lines.number, "only PLY files of text are read");
    if (w[0] == "element" && w.size() > 1) elements.push_back(w[1]);
    if (w[0] == "property" && elements == std::vector<std::string>{"vertex"} && coordinates.size() < 3) coordinates.push_back(w.back());
    if (w[0] == "element" && w.size() > 2 && w[1] == "vertex") vertices = lines.integer(w[2]);
    if (w[0] == "element" && w.size() > 2 && w[1] == "face") faces = lines.integer(w[2]);
  }
  if (w.empty()) refuse(lines.number, "the header does not end");
  if (elements.size() < 2 || elements[0] != "vertex" || elements[1] != "face") refuse(lines.number, "the first two elements are vertex and face");
  if (coordinates != std::vector<std::string>{"x", "y", "z"}) refuse(lines.number, "the properties of a vertex begin with x, y, z");
  std::vector<u32> points;
  for (i64 k = 0; k < vertices; ++k) points.push_back(build.point(lines.vec(lines.next(), 0)));
  for (i64 k = 0; k < faces; ++k) {
    w = lines.next();
    const i64 corners = w.empty() ? 0 : lines.integer(w[0]);
    if (corners < 3 || i64(w.size()) < corners + 1) refuse(lines.number, "a face has a count of three or more and as many corners");
    std::vector<i64> numbers;
    for (i64 c = 1; c <= corners; ++c) numbers.push_back(lines.integer(w[std::size_t(c)]));
    add_face(build, points, numbers, lines.number);
  }
  return build.take();
}

}  // namespace

Mesh parse_mesh(const std::string& text) {
  if (text.size() >= 84) {
    u32 count = 0;
    std::memcpy(&count, text.data() + 80, sizeof count);
    if (text.size() == 84 + 50 * std::size_t(count)) return parse_stl_binary(text, count);
  }
  if (text.compare(0, 3, "ply") == 0) return parse_ply(text);
  if (text.compare(0, 5, "solid") == 0) return parse_stl_text(text);
  return parse_obj(text);
}

Real volume_of(const Mesh& mesh) {
  Real six = 0;
  for (const auto& t : mesh.triangles) six += dot(mesh.points[t[0]], cross(mesh.points[t[1]], mesh.points[t[2]]));
  return six / 6;
}

std::string flaw_of(const Mesh& mesh) {
  if (mesh.triangles.empty()) return "it has no faces";
  std::map<std::pair<u32, u32>, int> edges;  // how often each is gone along
  for (const auto& t : mesh.triangles)
    for (int k = 0; k < 3; ++k) {
      if (t[std::size_t(k)] == t[std::size_t((k + 1) % 3)]) return "a face has two corners at one place";
      ++edges[{t[std::size_t(k)], t[std::size_t((k + 1) % 3)]}];
    }
  for (const auto& [edge, times] : edges) {
    if (times > 1) return "its faces do not all look the same way, or more than two share an edge";
    if (!edges.contains({edge.second, edge.first})) return "it is open: an edge has a face on one side only";
  }
  if (!(volume_of(mesh) > 0)) return "it is inverted: its faces look inward";
  return "";
}

}  // namespace talus
