#include <talus/io/hash_chain.hpp>

#include <charconv>

#include <talus/core/hash.hpp>
#include <talus/core/input_error.hpp>
#include <talus/io/atomic_file.hpp>
#include <talus/io/text_file.hpp>

namespace talus {

HashChain HashChain::resume(const std::filesystem::path& path, i64 step, const std::optional<FileRecord>& held) {
  HashChain chain(path);
  if (!std::filesystem::exists(path)) return chain;
  const std::string text = read_text(path);
  if (held) held->part_of(text, path, "at the checkpoint of step " + std::to_string(step));
  const std::size_t known = held ? held->bytes : text.size();
  std::size_t at = text.find('\n');
  int number = 1;
  while (at != std::string::npos && at + 1 < text.size()) {
    const std::size_t end = text.find('\n', at + 1);
    const std::string line = text.substr(at + 1, end - at - 1);
    i64 link = 0;
    const auto [stop, status] = std::from_chars(line.data(), line.data() + line.size(), link);
    ++number;
    if (status != std::errc{} || stop == line.data() + line.size() || *stop != ',')
      throw InputError(path.string(), number, "step", "the line is not a step and a hash", "move the file away");
    if (link <= step && at + 1 < known) chain.text_ += line + "\n";
    at = end;
  }
  if (chain.text_ != text) chain.write();
  return chain;
}

void HashChain::add(i64 step, u64 hash) { text_ += std::to_string(step) + "," + hex(hash) + "\n"; }

void HashChain::write() const { write_text_atomic(path_, text_); }

}  // namespace talus
