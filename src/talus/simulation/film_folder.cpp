#include <talus/simulation/film_folder.hpp>

#include <algorithm>
#include <charconv>
#include <vector>

#include <fmt/format.h>

#include <talus/io/text_file.hpp>
#include <talus/report/film.hpp>
#include <talus/report/write_report.hpp>

namespace talus::simulation {

namespace fs = std::filesystem;

namespace {

constexpr double seconds_of_film = 5, longest_frame = 0.2;
constexpr std::string_view prefix = "frame-";

std::vector<fs::path> frames_in(const fs::path& folder) {
  std::vector<fs::path> out;
  if (!fs::exists(folder)) return out;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().filename().string().starts_with(prefix) && entry.path().extension() == ".png") out.push_back(entry.path());
  std::sort(out.begin(), out.end());
  return out;
}

i64 step_of(const fs::path& frame) {
  const std::string digits = frame.stem().string().substr(prefix.size());
  i64 step = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), step);
  return step;
}

}  // namespace

void FilmFolder::add(i64 step, const report::Picture& frame) const {
  fs::create_directories(run_ / "film");
  report::write_picture(frame, run_ / "film" / fmt::format("{}{:012}.png", prefix, step));
}

void FilmFolder::go_back_to(i64 step) const {
  for (const fs::path& frame : frames_in(run_ / "film"))
    if (step_of(frame) > step) fs::remove(frame);
}

void FilmFolder::finish() const {
  std::vector<std::string> frames;
  for (const fs::path& frame : frames_in(run_ / "film")) frames.push_back(read_text(frame));
  const std::vector<std::string> fitted = report::fit_frames(frames);
  if (fitted.size() < 2) return;
  const auto film = report::make_film(fitted, std::min(longest_frame, seconds_of_film / double(fitted.size())));
  write_text_atomic(run_ / "film.png", {reinterpret_cast<const char*>(film.data()), film.size()});
}

}  // namespace talus::simulation
