#pragma once
// The contact bench: a law by itself on a path. Any registered law: laws of coats are solved inside the step, laws of bare grains
// act in short steps. docs/results/gyratory/contact.md
#include <string>
#include <vector>

#include <talus/core/figure.hpp>
#include <talus/core/input.hpp>

namespace talus::simulation {

struct BenchTable {
  std::vector<std::string> names, units;  // of the columns
  std::vector<std::vector<Real>> columns;
  Figures figures;
  void add(std::string name, std::string unit) {
    names.push_back(std::move(name));
    units.push_back(std::move(unit));
    columns.emplace_back();
  }
  void row(const std::vector<Real>& values) {
    for (std::size_t k = 0; k < values.size(); ++k) columns[k].push_back(values[k]);
  }
};

struct BenchPath {
  std::string_view word, about;
};
const std::vector<BenchPath>& bench_paths();
std::vector<std::string> bench_laws();

// Reads keys of the law, of the contact and of the path, and goes along it. Throws InputError.
BenchTable contact_bench(Input& in, const std::string& law, const std::string& path);
// The four constants of Burgers' model from a creep test. `in`: force, area, coat.
BenchTable creep_bench(Input& in, const std::vector<Real>& time, const std::vector<Real>& overlap);

}  // namespace talus::simulation
