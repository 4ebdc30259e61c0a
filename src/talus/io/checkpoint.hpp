#pragma once
// Checkpoints: a State in one HDF5 file, a dataset per column with unit and meaning. Bodies lie in uid order and rows in
// key order, so equal states make equal files; rows that remember nothing are left out.
//
// The file begins with 512 bytes of text, which HDF5 skips, that hold the length and the sum of all that follows. They
// are checked before HDF5 sees the file: its reader is not made for damaged files and may crash on one.
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <talus/state/state.hpp>

namespace talus {

struct Provenance {
  u64 scene_hash = 0;  // hash_text of the resolved scene
  std::string version = TALUS_VERSION;
  std::string extra;  // JSON of the caller, given back unread
};

// What the reader insists on; an empty entry takes anything.
struct Expected {
  std::optional<u64> scene_hash;
  std::optional<std::string> version;
};

// Writes aside, syncs, renames. Throws FileError; a file of this name that was there before is then intact.
template <int D>
void write_checkpoint(const std::filesystem::path& path, const State<D>& state, const Provenance& provenance);

// Fills `state` or leaves it alone. Throws InputError for a file that is missing, cut short, damaged, of another kind,
// format, dimension, version or scene.
template <int D>
Provenance read_checkpoint(const std::filesystem::path& path, State<D>& state, const Expected& expected = {});

// ---- the checkpoints of a run folder ---------------------------------------------------------------------------------

// checkpoint-000000012345.h5
std::string checkpoint_name(i64 step);

// Of the checkpoints before this step the newest stays. One that cannot be removed is tried again by the next call.
void keep_one_checkpoint_before(const std::filesystem::path& folder, i64 step);

// Writes the checkpoint of this step and keeps one older one; all others, unfinished ones included, are removed.
template <int D>
std::filesystem::path save_checkpoint(const std::filesystem::path& folder, const State<D>& state,
                                      const Provenance& provenance);

struct FoundCheckpoint {
  std::filesystem::path path;
  i64 step;
  std::string message;  // for the user when a newer one had to be passed over; empty otherwise
};

// The newest whole checkpoint of a folder; nothing when there is none. Throws InputError when all are damaged.
std::optional<FoundCheckpoint> newest_checkpoint(const std::filesystem::path& folder);

// What the caller put beside the state (Provenance::extra). Throws InputError.
std::string checkpoint_extra(const std::filesystem::path& path);

// 2 or 3, for callers that do not know yet which State to make. Throws InputError.
int checkpoint_dimension(const std::filesystem::path& path);

}  // namespace talus
