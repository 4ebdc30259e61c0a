#pragma once
// hash_chain.csv: step,hash, one line per link of the chain; written whole at each checkpoint.
#include <filesystem>
#include <string>

#include <talus/core/real.hpp>
#include <talus/io/file_record.hpp>

namespace talus {

class HashChain {
 public:
  explicit HashChain(std::filesystem::path path) : path_(std::move(path)) {}
  // With the links that a file has up to a step; others are taken out. `held`: what the checkpoint of this step says of it. Throws InputError
  // when the file is no chain, or no longer begins with what it held.
  static HashChain resume(const std::filesystem::path& path, i64 step, const std::optional<FileRecord>& held = {});
  void add(i64 step, u64 hash);
  void write() const;
  FileRecord record() const { return FileRecord::of(text_); }  // of the file as it is written next

 private:
  std::filesystem::path path_;
  std::string text_ = "step,hash\n";
};

}  // namespace talus
