#pragma once
// series.csv: one row per moment at which the probes were due. The first column is `step`, the others are fixed by the
// first row; the header reads "name [unit]". Numbers are written with as many digits as give the same double back.
#include <filesystem>
#include <string>
#include <vector>

#include <talus/core/real.hpp>
#include <talus/io/descriptor.hpp>
#include <talus/io/file_record.hpp>

namespace talus {

struct SeriesValue {
  std::string name;
  std::string unit;  // SI; "1" for pure numbers, empty for none
  Real value;        // a NaN is written as `nan`: the quantity does not exist at this moment
};

class Series {
 public:
  // Begins a new file. Throws FileError.
  explicit Series(const std::filesystem::path& path);
  // Goes on with the file of an interrupted run: rows after `step`, and a last line that was cut short, are taken out.
  // A file that is not there is begun. `held`: what the checkpoint of this step says of it. Throws InputError when the file
  // is not a series, or no longer begins with what it held.
  static Series resume(const std::filesystem::path& path, i64 step, const std::optional<FileRecord>& held = {});

  // Adds a row and hands it to the operating system. Throws FileError, and InputError when the columns are not those of
  // the file (a resumed run that would measure something else).
  void write(i64 step, const std::vector<SeriesValue>& values);
  // To the disk: before a checkpoint, so that no row before it can be lost with the power.
  void sync() { file_.sync(); }
  const FileRecord& record() const { return record_; }  // of all that was written

 private:
  Series() = default;
  Descriptor file_;
  FileRecord record_;
  std::string header_;  // without the end of the line; empty before the first row
};

// 0.1 as "0.1": the shortest text that reads back as the same double.
std::string shortest(Real value);

}  // namespace talus
