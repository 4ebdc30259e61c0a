#pragma once
// hash_chain.csv: step,hash, one line per link of the chain; written whole at each checkpoint.
#include <filesystem>
#include <string>

#include <talus/core/real.hpp>

namespace talus {

class HashChain {
 public:
  explicit HashChain(std::filesystem::path path) : path_(std::move(path)) {}
  // With the links that a file has up to a step.
  static HashChain resume(const std::filesystem::path& path, i64 step);
  void add(i64 step, u64 hash);
  void write() const;

 private:
  std::filesystem::path path_;
  std::string text_ = "step,hash\n";
};

}  // namespace talus
