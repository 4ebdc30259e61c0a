#include <talus/report/palette.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace talus::report {
namespace {

constexpr std::size_t cells = 1 << 15, most_colours = 256;

std::size_t cell_of(const unsigned char* rgba) {
  return std::size_t(rgba[0] >> 3) << 10 | std::size_t(rgba[1] >> 3) << 5 | std::size_t(rgba[2] >> 3);
}

struct Cell {  // colours of some pixels that lie next to one another
  std::size_t number = 0;
  double count = 0;
  std::array<double, 3> mean{};
};

// Cells that one colour will stand for, and how badly: the sum of squares along the axis where it is largest.
struct Group {
  std::vector<Cell> members;
  std::array<double, 3> mean{};
  double badness = 0;
  std::size_t axis = 0;

  explicit Group(std::vector<Cell> all) : members(std::move(all)) {
    double count = 0;
    std::array<double, 3> squares{};
    for (const Cell& c : members) {
      count += c.count;
      for (std::size_t k = 0; k < 3; ++k) mean[k] += c.count * c.mean[k];
    }
    for (double& m : mean) m /= count;
    for (const Cell& c : members)
      for (std::size_t k = 0; k < 3; ++k) squares[k] += c.count * (c.mean[k] - mean[k]) * (c.mean[k] - mean[k]);
    axis = std::size_t(std::max_element(squares.begin(), squares.end()) - squares.begin());
    badness = members.size() > 1 ? squares[axis] : 0;
  }
};

std::vector<Cell> cells_of(const std::vector<const Picture*>& pictures) {
  std::vector<Cell> all(cells);
  for (const Picture* picture : pictures)
    for (std::size_t k = 0; k + 3 < picture->rgba.size(); k += 4) {
      Cell& c = all[cell_of(&picture->rgba[k])];
      ++c.count;
      for (std::size_t i = 0; i < 3; ++i) c.mean[i] += picture->rgba[k + i];
    }
  for (std::size_t n = 0; n < cells; ++n) {
    all[n].number = n;
    for (double& m : all[n].mean) m /= std::max(all[n].count, 1.0);
  }
  std::erase_if(all, [](const Cell& c) { return c.count == 0; });
  return all;
}

// The worst group is parted at its mean until there are enough.
std::vector<Group> groups_of(std::vector<Cell> all) {
  std::vector<Group> groups;
  if (all.empty()) return groups;
  groups.emplace_back(std::move(all));
  while (groups.size() < most_colours) {
    const auto worst = std::max_element(groups.begin(), groups.end(), [](const Group& a, const Group& b) { return a.badness < b.badness; });
    if (!(worst->badness > 0)) break;
    std::vector<Cell> low, high;
    for (const Cell& c : worst->members) (c.mean[worst->axis] <= worst->mean[worst->axis] ? low : high).push_back(c);
    if (low.empty() || high.empty()) break;
    *worst = Group(std::move(low));
    groups.emplace_back(std::move(high));
  }
  return groups;
}

}  // namespace

Palette::Palette(const std::vector<const Picture*>& pictures) : of_cell_(cells, 0) {
  for (const Group& group : groups_of(cells_of(pictures))) {
    for (const Cell& c : group.members) of_cell_[c.number] = static_cast<unsigned char>(colours_.size());
    const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(std::lround(group.mean[k])); };
    colours_.push_back({byte(0), byte(1), byte(2)});
  }
}

std::vector<unsigned char> Palette::indices(const Picture& picture) const {
  std::vector<unsigned char> out;
  out.reserve(picture.rgba.size() / 4);
  for (std::size_t k = 0; k + 3 < picture.rgba.size(); k += 4) out.push_back(of_cell_[cell_of(&picture.rgba[k])]);
  return out;
}

}  // namespace talus::report
