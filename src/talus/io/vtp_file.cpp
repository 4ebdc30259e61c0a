#include <talus/io/vtp_file.hpp>

#include <bit>
#include <cstring>
#include <numeric>

#include <talus/core/base64.hpp>
#include <talus/io/atomic_file.hpp>

namespace talus {
static_assert(std::endian::native == std::endian::little, "the files say LittleEndian");

VtpFile::VtpFile(std::vector<Vec3> points, Real time) : points_(points.size()) {
  static_assert(sizeof(Vec3) == 3 * sizeof(Real));
  time_ = array("TimeValue", "Float64", &time, sizeof time, 1, " NumberOfTuples=\"1\"");
  point_array_ = array("Points", "Float64", points.data(), points.size() * sizeof(Vec3), 3);
}

void VtpFile::vertices() {
  vertices_ = points_;
  std::vector<i64> numbers(points_ + 1);
  std::iota(numbers.begin(), numbers.end(), i64{0});
  vertex_arrays_ = array("connectivity", "Int64", numbers.data(), points_ * sizeof(i64), 1) +
                   array("offsets", "Int64", numbers.data() + 1, points_ * sizeof(i64), 1);
}

void VtpFile::lines(const std::vector<i64>& ends) {
  lines_ = ends.size() / 2;
  std::vector<i64> offsets(lines_);
  for (std::size_t i = 0; i < lines_; ++i) offsets[i] = static_cast<i64>(2 * i + 2);
  line_arrays_ = array("connectivity", "Int64", ends.data(), ends.size() * sizeof(i64), 1) +
                 array("offsets", "Int64", offsets.data(), offsets.size() * sizeof(i64), 1);
}

void VtpFile::polygons(const std::vector<i64>& corners, const std::vector<i64>& ends) {
  polygons_ = ends.size();
  polygon_arrays_ = array("connectivity", "Int64", corners.data(), corners.size() * sizeof(i64), 1) +
                    array("offsets", "Int64", ends.data(), ends.size() * sizeof(i64), 1);
}

std::string VtpFile::array(const std::string& name, const std::string& type, const void* data, std::size_t size,
                           std::size_t components, const std::string& more) {
  const u64 length = size;
  std::vector<unsigned char> bytes(sizeof length + size);
  std::memcpy(bytes.data(), &length, sizeof length);
  if (size > 0) std::memcpy(bytes.data() + sizeof length, data, size);
  return "      <DataArray type=\"" + type + "\" Name=\"" + name + "\" NumberOfComponents=\"" + std::to_string(components) + "\"" + more +
         " format=\"binary\">\n" + base64(bytes) + "\n      </DataArray>\n";
}

void VtpFile::write(const std::filesystem::path& path) const {
  const auto group = [](const std::string& tag, const std::string& arrays) {
    return "    <" + tag + ">\n" + arrays + "    </" + tag + ">\n";
  };
  std::string text =
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n"
      "  <PolyData>\n";
  text += group("FieldData", time_);
  text += "    <Piece NumberOfPoints=\"" + std::to_string(points_) + "\" NumberOfVerts=\"" + std::to_string(vertices_) +
          "\" NumberOfLines=\"" + std::to_string(lines_) + "\" NumberOfStrips=\"0\" NumberOfPolys=\"" +
          std::to_string(polygons_) + "\">\n";
  text += group("PointData", point_data_) + group("CellData", cell_data_) + group("Points", point_array_);
  if (vertices_ > 0) text += group("Verts", vertex_arrays_);
  if (lines_ > 0) text += group("Lines", line_arrays_);
  if (polygons_ > 0) text += group("Polys", polygon_arrays_);
  text += "    </Piece>\n  </PolyData>\n</VTKFile>\n";
  write_text_atomic(path, text);
}

}  // namespace talus
