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

TEST(RequireWritable, SaysWhyItIsNot) {
  const TemporaryFolder folder;
  for (const auto& [file, why] : {std::pair{folder / "no/file", "No such file"}, {folder.path(), "Is a directory"}}) {
    try {
      require_writable(file, "the report");
      ADD_FAILURE() << file;
    } catch (const std::runtime_error& error) {
      EXPECT_THAT(error.what(), AllOf(HasSubstr("cannot write the report " + file.string()), HasSubstr(why)));
    }
  }
}

}  // namespace
}  // namespace warpwright
