// Tests of the test whether a file can be written.
#include "kernels/system/output_file.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <stdexcept>

#include "kernels/system/temporary_folder.hpp"

namespace warpwright {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(RequireWritable, LeavesNoNewFileAndKeepsWhatAFileHolds) {
  const TemporaryFolder folder;
  require_writable(folder / "new", "the report");
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  std::ofstream(folder / "old") << "text";
  require_writable(folder / "old", "the report");
  EXPECT_EQ(std::filesystem::file_size(folder / "old"), 4U);
  require_writable("/dev/stdout", "the report");
}

TEST(RequireWritable, LeavesALinkToAFileThatIsNotThere) {
  const TemporaryFolder folder;
  std::filesystem::create_symlink("later", folder / "link");
  require_writable(folder / "link", "the report");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
  EXPECT_FALSE(std::filesystem::exists(folder / "later"));
}

TEST(RequireWritable, SaysWhyItIsNotAndSoDoesWriting) {
  const TemporaryFolder folder;
  for (const auto& [file, why] : {std::pair{folder / "no/file", "No such file"}, {folder.path(), "Is a directory"}})
    for (const bool is_tried : {true, false}) {
      try {
        if (is_tried)
          require_writable(file, "the report");
        else
          write_file(file, "the report", "text");
        ADD_FAILURE() << file;
      } catch (const std::runtime_error& error) {
        EXPECT_THAT(error.what(), AllOf(HasSubstr("cannot write the report " + file.string()), HasSubstr(why)));
      }
    }
}

TEST(WriteFile, SaysThatADeviceIsFull) {
  EXPECT_THAT([] { write_file("/dev/full", "the report", "text"); },
              testing::ThrowsMessage<std::runtime_error>(HasSubstr("the report /dev/full: No space left")));
}

TEST(WriteFile, ReplacesWhatWasThere) {
  const TemporaryFolder folder;
  write_file(folder / "file", "the report", "a longer text");
  write_file(folder / "file", "the report", "text");
  EXPECT_EQ(std::filesystem::file_size(folder / "file"), 4U);
}

}  // namespace
}  // namespace warpwright
