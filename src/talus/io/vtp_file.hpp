#pragma once
// The bytes of one .vtp file: XML that describes arrays, then the arrays themselves, raw and little endian, each after
// its length as a 64-bit number.
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
  void polygons(const std::vector<i64>& ends);  // of one after the other: how many points there are up to its last

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
  // Appends the bytes and returns the XML that points to them.
  std::string array(const std::string& name, const std::string& type, const void* data, std::size_t size,
                    std::size_t components, const std::string& more = {});

  std::size_t points_, vertices_ = 0, lines_ = 0, polygons_ = 0;
  std::string time_, point_array_, vertex_arrays_, line_arrays_, polygon_arrays_, point_data_, cell_data_, bytes_;
};

}  // namespace talus
