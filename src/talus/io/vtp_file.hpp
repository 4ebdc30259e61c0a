#pragma once
// The text of one .vtp file: XML with the arrays in it, little endian, each after its length as a 64-bit number, as base64. Not as raw bytes
// after the XML, though files are a third larger: VTK's parser no longer finds them with libexpat from 2.6 on, nor with Debian 12's
// 2.5.0-1+deb12u2.
#include <filesystem>
#include <string>
#include <type_traits>
#include <vector>

#include <talus/core/vec.hpp>

namespace talus {

class VtpFile {
 public:
  VtpFile(std::vector<Vec3> points, Real time);  // m, s

  // Cells. Each line joins two points; ends holds their numbers in pairs.
  void vertices();  // every point is one
  void lines(const std::vector<i64>& ends);
  void polygons(const std::vector<i64>& corners, const std::vector<i64>& ends);  // numbers of points, one polygon after the other; where each ends

  // `components` numbers for each point or each cell.
  template <class T>
  void point_data(const std::string& name, const std::vector<T>& values, std::size_t components = 1) {
    point_data_ += array(name, type_name<T>(), values.data(), values.size() * sizeof(T), components);
  }
  template <class T>
  void cell_data(const std::string& name, const std::vector<T>& values, std::size_t components = 1) {
    cell_data_ += array(name, type_name<T>(), values.data(), values.size() * sizeof(T), components);
  }

  void write(const std::filesystem::path& path) const;  // throws FileError

 private:
  template <class T>
  static std::string type_name() {
    if constexpr (std::is_floating_point_v<T>) return "Float" + std::to_string(8 * sizeof(T));
    return (std::is_signed_v<T> ? "Int" : "UInt") + std::to_string(8 * sizeof(T));
  }
  static std::string array(const std::string& name, const std::string& type, const void* data, std::size_t size,
                    std::size_t components, const std::string& more = {});  // its XML

  std::size_t points_, vertices_ = 0, lines_ = 0, polygons_ = 0;
  std::string time_, point_array_, vertex_arrays_, line_arrays_, polygon_arrays_, point_data_, cell_data_;
};

}  // namespace talus
