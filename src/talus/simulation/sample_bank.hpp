#pragma once
// The bank: samples that runs have left, kept by name with a card that says what they are. samples/NAME-HASH.h5 below the working folder is a checkpoint with
// the card beside the state. HASH is that of the resolved scene whose complete run left the sample, so that a scene which takes this one's sample finds it;
// of a sample from the middle of a run the step counts too. Nothing in the bank is ever written over.
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <talus/simulation/loaded_scene.hpp>
#include <talus/simulation/recorder.hpp>

namespace talus::simulation {

inline constexpr const char* made_cell = "cell.h5";  // among the inputs of a run whose cell was made for it

// Fingerprint of a scene that makes a sample: its resolved text and the files it names. Its own cell follows from the text, and may be there or not.
u64 recipe_hash(const LoadedScene& loaded, std::string_view resolved);

struct SavedSample {
  std::string name, hash;
  std::filesystem::path path;
};
std::vector<SavedSample> saved_samples();  // in order of names
// Throws InputError, with the name that was probably meant.
SavedSample saved_sample(const std::string& name);
std::optional<SavedSample> saved_by_recipe(u64 hash);

// Measures the sample of a checkpoint in the folder of a run, and keeps it. Throws InputError.
SavedSample save_sample(const std::filesystem::path& checkpoint, const std::string& name, const RunOptions& options);

// What was measured when it was saved. Throws InputError for a checkpoint that has no card.
nlohmann::ordered_json card_of(const SavedSample& sample);
// How the state in the file differs from its card; empty: it does not.
std::string difference_from_card(const SavedSample& sample);

}  // namespace talus::simulation
