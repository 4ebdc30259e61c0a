#pragma once
// The 256 colours that stand for those of some pictures: files a third as large, and frames of a film that share them.
#include <array>
#include <vector>

#include <talus/report/report.hpp>

namespace talus::report {

class Palette {
 public:
  explicit Palette(const std::vector<const Picture*>& pictures);  // which have no transparent points
  const std::vector<std::array<unsigned char, 3>>& colours() const { return colours_; }
  std::vector<unsigned char> indices(const Picture& picture) const;  // one per pixel

 private:
  std::vector<std::array<unsigned char, 3>> colours_;
  std::vector<unsigned char> of_cell_;  // which colour stands for a cell of colours: 5 bits of red, green and blue
};

}  // namespace talus::report
