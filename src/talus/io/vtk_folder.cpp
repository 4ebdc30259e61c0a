#include <talus/io/vtk_folder.hpp>

#include <algorithm>
#include <charconv>

#include <talus/core/input_error.hpp>
#include <talus/io/file_error.hpp>
#include <talus/io/series.hpp>
#include <talus/io/text_file.hpp>

namespace talus {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view picture_suffix = ".vtp", stop_suffix = "-stop.vtp";

std::string step_digits(i64 step) {
  const std::string digits = std::to_string(step);
  return std::string(digits.size() < 12 ? 12 - digits.size() : 0, '0') + digits;
}

// What stands between the quotes of name="..." in a line of XML.
std::string_view attribute(std::string_view line, std::string_view name) {
  const std::string mark = " " + std::string(name) + "=\"";
  const std::size_t start = line.find(mark);
  if (start == std::string_view::npos) return {};
  line.remove_prefix(start + mark.size());
  return line.substr(0, line.find('"'));
}

}  // namespace

PvdFile PvdFile::resume(const fs::path& path, Real time) {
  PvdFile pvd(path);
  std::error_code error;
  if (!fs::exists(path, error)) return pvd;
  const std::string text = read_text(path);
  std::string_view rest = text;
  int number = 0;
  for (std::size_t end; (end = rest.find('\n')) != std::string_view::npos; rest.remove_prefix(end + 1)) {
    const std::string_view line = rest.substr(0, end);
    ++number;
    if (line.find("<DataSet") == std::string_view::npos) continue;
    const std::string_view stamp = attribute(line, "timestep"), file = attribute(line, "file");
    Real at = 0;
    const auto [stop, status] = std::from_chars(stamp.data(), stamp.data() + stamp.size(), at);
    if (status != std::errc{} || stop != stamp.data() + stamp.size() || file.empty())
      throw InputError(path.string(), number, "", "is not a collection that Talus wrote", "move the file away");
    if (at <= time) pvd.entries_.push_back({at, std::string(file)});
  }
  return pvd;
}

void PvdFile::add(Real time, const std::string& file) {
  if (entries_.empty() || entries_.back().file != file) entries_.push_back({time, file});
  write();
}

void PvdFile::forget(std::string_view ending) {
  if (std::erase_if(entries_, [&](const Entry& e) { return e.file.ends_with(ending); }) > 0) write();
}

void PvdFile::write() const {
  std::string text =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n  "
      "<Collection>\n";
  for (const Entry& e : entries_)
    text += "    <DataSet timestep=\"" + shortest(e.time) + "\" group=\"\" part=\"0\" file=\"" + e.file + "\"/>\n";
  write_text_atomic(path_, text + "  </Collection>\n</VTKFile>\n");
}

VtkFolder::VtkFolder(const fs::path& folder) : folder_(folder) {
  for (const char* kind : {"grains", "contacts", "cell", "outlines", "walls", "particles"})
    collections_.emplace(kind, PvdFile(folder / (std::string(kind) + ".pvd")));
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw FileError(folder, "the folder cannot be made: " + error.message());
}

VtkFolder VtkFolder::resume(const fs::path& folder, Real time) {
  VtkFolder vtk(folder);
  for (auto& [kind, pvd] : vtk.collections_) pvd = PvdFile::resume(folder / (kind + ".pvd"), time);
  vtk.forget_stop();
  return vtk;
}

// First out of the collections: whoever reads them finds every file that they name.
void VtkFolder::forget_stop() {
  for (auto& [kind, pvd] : collections_) pvd.forget(stop_suffix);
  std::vector<fs::path> left;
  for (const auto& entry : fs::directory_iterator(folder_))
    if (entry.path().filename().string().ends_with(stop_suffix)) left.push_back(entry.path());
  for (const fs::path& file : left) fs::remove(file);
  is_stopped_ = false;
}

template <int D>
void VtkFolder::write(const Moment<D>& seen) {
  if (is_stopped_) forget_stop();
  write(seen, std::string(picture_suffix));
}

template <int D>
void VtkFolder::write_stop(const Moment<D>& seen) {
  if (collections_.at("cell").has(seen.state.globals.time)) return;
  is_stopped_ = true;
  write(seen, std::string(stop_suffix));
}

template <int D>
void VtkFolder::write(const Moment<D>& seen, const std::string& ending) {
  const State<D>& state = seen.state;
  const auto add = [&](const std::string& kind, const auto& write_file) {
    const std::string name = kind + "-" + step_digits(state.globals.step) + ending;
    write_file(folder_ / name);
    collections_.at(kind).add(state.globals.time, name);
  };
  if (state.particles.size() > 0) {
    add("particles", [&](const fs::path& path) { write_particles_vtp(path, state); });
  } else {
    add("grains", [&](const fs::path& path) { write_grains_vtp(path, seen); });
    add("contacts", [&](const fs::path& path) { write_contacts_vtp(path, contact_lines(state, seen.contacts), state.globals.time); });
    if (seen.model.has_polygons() || seen.model.has_hulls())
      add("outlines", [&](const fs::path& path) { write_outlines_vtp(path, seen); });
  }
  if (!seen.model.walls.empty()) add("walls", [&](const fs::path& path) { write_walls_vtp(path, seen); });
  add("cell", [&](const fs::path& path) { write_cell_vtp(path, state.globals.cell, state.globals.time); });
}

template void VtkFolder::write(const Moment<2>&);
template void VtkFolder::write(const Moment<3>&);
template void VtkFolder::write_stop(const Moment<2>&);
template void VtkFolder::write_stop(const Moment<3>&);

}  // namespace talus
