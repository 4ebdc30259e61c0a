// talus sample rev: the smallest sample whose response does not depend on its size, a representative volume.
#include <cmath>

#include <fmt/format.h>

#include <talus/app/commands.hpp>
#include <talus/core/input_error.hpp>
#include <talus/core/quantity.hpp>
#include <talus/io/run_folder.hpp>
#include <talus/io/text_file.hpp>
#include <talus/simulation/find_scene.hpp>
#include <talus/simulation/fit_target.hpp>
#include <talus/simulation/loaded_scene.hpp>
#include <talus/simulation/sweep.hpp>

namespace talus::app {
using namespace simulation;

namespace {

struct Grown {
  Real mean = 0, spread = 0;  // of the figure over the seeds; standard deviation
};
struct RevStopped {  // a run did not end well
  int code;
};

Varied read_sizes(const std::string& text) {
  const Varied sizes = read_varied(text);
  if (sizes.values.size() < 2) throw InputError("", 0, "--vary " + text, "there is one size only", "state two or more, as in side=1mm,1.5mm,2mm");
  for (std::size_t k = 1; k < sizes.values.size(); ++k) {
    const Quantity a = parse_quantity(sizes.values[k - 1]), b = parse_quantity(sizes.values[k]);
    if (!(b.dimension == a.dimension && b.value > a.value)) throw InputError("", 0, "--vary " + text, fmt::format("{} is not larger than {}", sizes.values[k], sizes.values[k - 1]), "sizes rise");
  }
  return sizes;
}

Grown run_size(const RevRequest& request, const RunFolder& folder, const std::string& name, const std::string& size, u64 first_seed) {
  std::vector<Real> values;
  for (long s = 0; s < request.seeds; ++s) {
    RunRequest one = request.run;
    one.voice = Voice::quiet;
    one.out = folder.path() / fmt::format("{}={}-seed-{}", name, size, first_seed + u64(s));
    one.settings.push_back(name + "=" + size);
    one.settings = with_seed(one.settings, first_seed + u64(s));
    if (const int code = run_scene(one); code != 0) throw RevStopped{code};
    values.push_back(mismatch(*one.out, {{request.figure, 0}}).front());
  }
  Grown g;
  for (const Real v : values) g.mean += v / Real(values.size());
  for (const Real v : values) g.spread += (v - g.mean) * (v - g.mean);
  g.spread = values.size() > 1 ? std::sqrt(g.spread / Real(values.size() - 1)) : 0;
  return g;
}

}  // namespace

int find_rev(const RevRequest& request) {
  const Varied sizes = read_sizes(request.sizes);
  const auto scene = find_scene(request.run.scene);
  const u64 seed = load_scene(scene, request.run.settings, scene.parent_path()).heading.seed;
  const RunFolder folder = RunFolder::create(request.run.out, "rev");
  std::string table = fmt::format("{},{},spread,change\n", sizes.name, request.figure);
  Grown before;
  bool is_found = false;
  try {
    for (std::size_t k = 0; k < sizes.values.size() && !is_found; ++k) {
      const Grown now = run_size(request, folder, sizes.name, sizes.values[k], seed);
      const Real change = k > 0 ? std::abs(now.mean - before.mean) / std::abs(now.mean) : NAN;
      table += fmt::format("{},{:.9g},{:.3g},{:.3g}\n", sizes.values[k], now.mean, now.spread, change);
      write_text_atomic(folder.path() / "rev.csv", table);
      fmt::print("{} = {:<12} {} {:.6g}{}{}\n", sizes.name, sizes.values[k], request.figure, now.mean, request.seeds > 1 ? fmt::format(" ± {:.2g}", now.spread) : "",
                 k > 0 ? fmt::format(", changed by {:.2g}", change) : "");
      std::fflush(stdout);
      is_found = k > 0 && change <= request.within;
      if (is_found) fmt::print("representative: {} = {} gives the same within {}: {}\n", sizes.name, sizes.values[k - 1], request.within, (folder.path() / "rev.csv").string());
      before = now;
    }
  } catch (const RevStopped& stopped) { return stopped.code; }
  if (!is_found) fmt::print(stderr, "talus: {} depends on {} up to the largest value: take larger ones, or more seeds\n", request.figure, sizes.name);
  return is_found ? 0 : 3;
}

}  // namespace talus::app
