#include <talus/io/checkpoint_envelope.hpp>

#include <charconv>
#include <optional>
#include <string_view>
#include <vector>

#include <talus/core/hash.hpp>
#include <talus/core/input_error.hpp>
#include <talus/io/regular_file.hpp>

namespace talus {
namespace {

constexpr std::string_view kind = "talus checkpoint\nformat ";

// The step is part of the sum, so that it cannot change unseen either.
u64 begin_sum(i64 step) { return Rng::mix(static_cast<u64>(step)); }

struct Measured {
  u64 bytes = 0, sum = 0;
};

// From where the file stands to its end.
Measured measure_rest(Descriptor& file, i64 step) {
  Measured m{0, begin_sum(step)};
  std::vector<char> block(1 << 20);  // a multiple of 8: only the last block may end in an incomplete word
  for (std::size_t n = block.size(); n == block.size();) {
    n = file.read(block.data(), block.size());
    m.sum = hash_bytes(m.sum, block.data(), n);
    m.bytes += n;
  }
  return m;
}

// The number after `label`, both taken off the text.
template <class T>
std::optional<T> take(std::string_view& text, std::string_view label, int base) {
  if (!text.starts_with(label)) return std::nullopt;
  text.remove_prefix(label.size());
  T value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (status != std::errc{}) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

}  // namespace

Envelope Envelope::around(std::string_view content, i64 step) {
  return {step, content.size(), hash_bytes(begin_sum(step), content.data(), content.size())};
}

std::string Envelope::text() const {
  std::string out = std::string(kind) + std::to_string(format) + "\nstep " + std::to_string(step) + "\nbytes " +
                    std::to_string(bytes) + "\nsum " + hex(sum) + "\n";
  out.resize(size, '\0');
  return out;
}

Envelope check_seal(const std::filesystem::path& path) {
  const auto refuse = [&](const std::string& reason) -> InputError { return {path.string(), 0, "", reason}; };
  Descriptor file = open_regular(path);
  if (!file.is_open()) throw refuse("the checkpoint cannot be opened: " + system_reason());
  try {
    std::string head(Envelope::size, '\0');
    head.resize(file.read(head.data(), head.size()));
    if (head.empty()) throw refuse("the checkpoint is empty");
    std::string_view rest = head;
    const auto format = take<int>(rest, kind, 10);
    if (!format) throw refuse("is not a Talus checkpoint");
    if (*format != Envelope::format)
      throw refuse("the checkpoint has format " + std::to_string(*format) + ", this program reads format " +
                   std::to_string(Envelope::format));

    Envelope envelope;
    const auto step = take<i64>(rest, "\nstep ", 10);
    const auto bytes = take<u64>(rest, "\nbytes ", 10);
    const auto sum = take<u64>(rest, "\nsum ", 16);
    if (step && bytes && sum) envelope = {*step, *bytes, *sum};
    if (head != envelope.text()) throw refuse("the checkpoint is damaged: its first 512 bytes are not as written");

    const Measured m = measure_rest(file, envelope.step);
    if (m.bytes != envelope.bytes)
      throw refuse("the checkpoint is " + std::string(m.bytes < envelope.bytes ? "cut short" : "damaged") + ": " +
                   std::to_string(m.bytes) + " bytes instead of " + std::to_string(envelope.bytes));
    if (m.sum != envelope.sum) throw refuse("the checkpoint is damaged: its content does not match its sum");
    return envelope;
  } catch (const FileError& error) { throw refuse(error.what()); }
}

}  // namespace talus
