#include <talus/report/told_verdict.hpp>

#include <fmt/format.h>

#include <talus/report/lights_of_run.hpp>
#include <talus/report/write_report.hpp>

namespace talus::report {

std::vector<Light> lights_of_folders(const std::vector<std::filesystem::path>& folders) {
  const std::vector<RunData> runs = read_runs(folders, WithPictures::no);
  return lights_of_runs(group_replicates(runs));
}

std::string_view word_of(Light::Level level) {
  switch (level) {
    case Light::Level::good:
      return "green";
    case Light::Level::warn:
      return "yellow";
    case Light::Level::bad:
      return "red";
    case Light::Level::unknown:
      break;
  }
  return "not judged";
}

std::string told(const std::vector<Light>& lights) {
  const Verdict verdict = judge(lights);
  std::string out = fmt::format("verdict: {}. {}\n", word_of(verdict.level), verdict.text);
  for (const Light::Level level : {Light::Level::bad, Light::Level::warn})
    for (const Light& light : lights)
      if (light.level == level) {
        out += fmt::format("  {:<6}  {}: {}\n", word_of(level), light.name, light.value);
        if (!light.remedy.empty()) out += fmt::format("          {}\n", light.remedy);
      }
  return out;
}

}  // namespace talus::report
