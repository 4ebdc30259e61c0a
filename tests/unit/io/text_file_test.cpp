#include <talus/io/text_file.hpp>

#include <sys/stat.h>

#include "scratch_folder.hpp"

using namespace talus;
using namespace talus::testing;

namespace {
class TextFile : public ScratchFolder {};
}  // namespace

TEST_F(TextFile, IsWrittenBesideLinksAndNeverInPlaceOfADevice) {
  namespace fs = std::filesystem;
  put_bytes(folder / "precious", "keep me");
  fs::create_symlink(folder / "precious", folder / "a.txt.part");
  fs::create_symlink(folder / "precious", folder / "a.txt");
  write_text_atomic(folder / "a.txt", "new");
  EXPECT_EQ(bytes_of(folder / "precious"), "keep me");
  EXPECT_EQ(bytes_of(folder / "a.txt"), "new");
  for (const char* name : {"pipe", "pipe.part"}) {  // stands for a device, which needs the rights of the system
    const fs::path pipe = folder / name;
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    EXPECT_TRUE(says(complaint<FileError>([&] { write_text_atomic(folder / "pipe", "new"); }), "is not a file"));
    EXPECT_TRUE(fs::is_fifo(pipe));
    fs::remove(pipe);
  }
  EXPECT_TRUE(says(complaint([&] { need_folder_of("/dev/null"); }), "is not a file"));
}

TEST_F(TextFile, IsReadWhole) {
  for (const std::size_t size : {0u, 1u, 65535u, 65536u, 65537u, 200000u}) {
    const std::string text(size, 'x');
    write_text_atomic(folder / "a.txt", text);
    EXPECT_EQ(read_text(folder / "a.txt"), text);
  }
  EXPECT_EQ(count_files(folder), 1u);
}

TEST_F(TextFile, ThatIsMissingComesWithNearNames) {
  for (const char* name : {"shear.toml", "drop.toml", "notes.txt"}) put_bytes(folder / name, "");
  const auto message = complaint([&] { read_text(folder / "sheer.toml"); });
  EXPECT_TRUE(says(message, "sheer.toml: there is no such file"));
  EXPECT_TRUE(says(message, "there is: shear.toml, drop.toml"));
  EXPECT_TRUE(says(complaint([&] { read_text(folder / "none" / "a.toml"); }), "there is no folder"));
  EXPECT_TRUE(says(complaint([&] { read_text(folder); }), "is a folder"));
}

TEST_F(TextFile, ThatCannotBeWrittenIsAFileError) {
  put_bytes(folder / "file", "");
  EXPECT_TRUE(says(complaint<FileError>([&] { write_text_atomic(folder / "file" / "a", "x"); }), "Not a directory"));
  std::filesystem::create_directory(folder / "b");
  EXPECT_TRUE(says(complaint<FileError>([&] { write_text_atomic(folder / "b", "x"); }), "is not a file"));
  EXPECT_EQ(count_files(folder), 2u);  // nothing unfinished is left behind
}

