// talus sample save | list | card: samples that are kept by name.
#include <fmt/format.h>

#include <talus/app/commands.hpp>
#include <talus/app/commit.hpp>
#include <talus/app/run_names.hpp>
#include <talus/core/input_error.hpp>
#include <talus/simulation/sample_bank.hpp>

namespace talus::app {
namespace fs = std::filesystem;
using namespace simulation;
using nlohmann::ordered_json;

namespace {

double value_of(const ordered_json& card, const char* key) { return card.contains(key) && card[key].is_number() ? card[key].get<double>() : 0; }

// "0.334 0.331 0.335"
std::string diagonal(const ordered_json& rows, double scale) {
  std::string out;
  for (std::size_t k = 0; k < rows.size(); ++k) out += fmt::format("{}{:.4g}", k ? " " : "", scale * rows[k].at(k).get<double>());
  return out;
}

double largest_beside(const ordered_json& rows) {
  double most = 0;
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < rows.size(); ++j)
      if (i != j) most = std::max(most, std::abs(rows[i].at(j).get<double>()));
  return most;
}

void print_card(const SavedSample& sample, const ordered_json& card) {
  const auto line = [](const char* what, const std::string& text) { fmt::print("  {:<12} {}\n", what, text); };
  fmt::print("{}\n", sample.name);
  const auto& sizes = card.at("sizes");
  line("grains", fmt::format("{} in {} D, D50 {:.4g} mm, D60/D10 {:.3g}, {:.4g} to {:.4g} mm", card.at("grains").get<std::size_t>(), card.at("dimension").get<int>(), 1e3 * value_of(sizes, "d50"),
                             value_of(sizes, "cu"), 1e3 * value_of(sizes, "smallest"), 1e3 * value_of(sizes, "largest")));
  line("porosity", fmt::format("{:.5g}", value_of(card, "porosity")));
  line("contacts", fmt::format("Z {:.4g}, without loose grains {:.4g}; fabric {}", value_of(card, "Z"), value_of(card, "Z_mechanical"), diagonal(card.at("fabric"), 1)));
  line("stress", fmt::format("{} kPa, shear at most {:.3g} kPa", diagonal(card.at("stress"), 1e-3), 1e-3 * largest_beside(card.at("stress"))));
  line("unbalanced", fmt::format("{:.2g}", value_of(card, "unbalanced")));
  for (const auto& pair : card.at("made_of").value("pairs", ordered_json::array()))
    line("law", fmt::format("{} - {}: {}", pair.value("a", ""), pair.value("b", ""), pair.value("law", "")));
  for (const auto& wall : card.at("made_of").value("walls", ordered_json::array())) line("wall", wall.value("name", ""));
  line("made by", fmt::format("{}, seed {}: step {}, stage '{}'", card.value("scene", ""), card.at("seed").get<u64>(), card.at("step").get<i64>(), card.value("after_stage", "")));
  if (!card.value("parent", "").empty()) line("from", card.value("parent", ""));
  line("scene hash", card.value("recipe", ""));
  line("state hash", card.value("state_hash", ""));
  line("file", sample.path.string());
}

}  // namespace

int save_to_bank(const fs::path& run, const std::string& name) {
  const SavedSample saved = save_sample(checkpoint_of(run), name, {"", "", commit});
  print_card(saved, card_of(saved));
  return 0;
}

int list_bank() {
  const auto all = saved_samples();
  if (all.empty()) fmt::print("the bank is empty: talus sample save RUN NAME keeps a sample in the folder samples\n");
  else fmt::print("{:<24} {:>9} {:>9} {:>7} {:>12}  {}\n", "name", "grains", "porosity", "Z", "pressure/Pa", "made by");
  for (const SavedSample& sample : all) {
    try {
      const ordered_json card = card_of(sample);
      fmt::print("{:<24} {:>9} {:>9.4f} {:>7.3f} {:>12.5g}  {}\n", sample.name, card.at("grains").get<std::size_t>(), value_of(card, "porosity"), value_of(card, "Z"),
                 value_of(card, "pressure"), card.value("scene", ""));
    } catch (const InputError& error) {  // a file of another kind that is named as samples are
      fmt::print("{:<24} {}\n", sample.name, error.what());
    } catch (const nlohmann::json::exception&) {
      fmt::print("{:<24} its card is incomplete\n", sample.name);
    }
  }
  return 0;
}

int show_card(const std::string& name, bool json) {
  const SavedSample sample = saved_sample(name);
  const ordered_json card = card_of(sample);
  if (json) fmt::print("{}\n", card.dump(2));
  else print_card(sample, card);
  const std::string difference = difference_from_card(sample);
  if (!difference.empty()) throw InputError(sample.path.string(), 0, "", "the sample does not match its card: " + difference, "make it anew");
  if (!json) fmt::print("  checked      grains, sizes and state of the file are those of the card\n");
  return 0;
}

}  // namespace talus::app
