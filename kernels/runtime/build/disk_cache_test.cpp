// Tests of the disk cache: stored entries come back, damaged ones do not, and a failed write is reported.
#include "kernels/runtime/build/disk_cache.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>

#include "kernels/system/environment_fault.hpp"
#include "kernels/system/temporary_folder.hpp"

namespace warpwright {
namespace {

namespace fs = std::filesystem;

std::string content_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void write(const fs::path& path, const std::string& content) {
  std::ofstream(path, std::ios::binary) << content;
}

class Cache : public testing::Test {
 protected:
  const TemporaryFolder folder_;
};

TEST_F(Cache, ReturnsStoredEntries) {
  const DiskCache cache(folder_.path());
  EXPECT_FALSE(cache.find("key"));
  const fs::path module = cache.put_file("content", ".bin");
  cache.put("key", {{"module", module.string()}});
  ASSERT_TRUE(cache.find("key"));
  EXPECT_EQ(cache.find("key")->at("module"), module.string());
  fs::remove(module);
  EXPECT_FALSE(cache.find("key")) << "an entry whose file is gone is no entry";
}

/// Ways in which a file of the cache is changed.
const std::vector<std::pair<const char*, std::function<void(const fs::path&)>>> kDamages{
    {"truncated", [](const fs::path& path) { fs::resize_file(path, fs::file_size(path) / 2); }},
    {"altered",
     [](const fs::path& path) {
       std::string text = content_of(path);
       text[text.size() - 2] = static_cast<char>(text[text.size() - 2] ^ 1);
       write(path, text);
     }},
    {"empty", [](const fs::path& path) { fs::resize_file(path, 0); }},
    {"longer", [](const fs::path& path) { std::ofstream(path, std::ios::app) << "}"; }},
    {"a folder",
     [](const fs::path& path) {
       fs::remove(path);
       fs::create_directories(path / "below");
     }},
    {"unreadable", [](const fs::path& path) { fs::permissions(path, fs::perms::none); }},
};

TEST_F(Cache, ADamagedEntryIsAMissAndCanBeStoredAgain) {
  for (const auto& [how, damage] : kDamages)
    for (const bool module_too : {false, true}) {
      if (std::string_view(how) == "unreadable" && ::geteuid() == 0) continue;  // root reads everything
      const TemporaryFolder folder;
      fs::path module;
      {
        const DiskCache cache(folder.path());
        module = cache.put_file("the content of a module", ".bin");
        cache.put("key", {{"module", module.string()}, {"ok", true}});
      }
      const fs::path entry = folder / "entries" / "key";
      damage(module_too ? module : entry);
      const DiskCache cache(folder.path());
      testing::internal::CaptureStderr();
      EXPECT_FALSE(cache.find("key")) << how << " " << module_too;
      EXPECT_FALSE(cache.find("key")) << how << " " << module_too;
      const std::string said = testing::internal::GetCapturedStderr();
      EXPECT_NE(said.find("damaged"), std::string::npos) << how << " " << said;
      EXPECT_EQ(said.find("are damaged"), said.rfind("are damaged")) << "said once: " << said;
      EXPECT_EQ(cache.put_file("the content of a module", ".bin"), module);
      EXPECT_EQ(content_of(module), "the content of a module") << how;
      cache.put("key", {{"module", module.string()}, {"ok", true}});
      ASSERT_TRUE(cache.find("key")) << how << " " << module_too;
    }
}

TEST_F(Cache, AnAlteredFileOfTheSameSizeIsWrittenAgain) {
  const DiskCache cache(folder_.path());
  const fs::path path = cache.put_file("abc", ".bin");
  write(path, "abd");
  const DiskCache next(folder_.path());
  testing::internal::CaptureStderr();
  EXPECT_EQ(next.put_file("abc", ".bin"), path);
  testing::internal::GetCapturedStderr();
  EXPECT_EQ(content_of(path), "abc");
}

TEST_F(Cache, AnEntryOfAnOlderVersionIsAMissWithoutAMessage) {
  const DiskCache cache(folder_.path());
  write(folder_ / "entries" / "key", R"({"ok":false,"log":"mkdtemp: No such file or directory"})");
  testing::internal::CaptureStderr();
  EXPECT_FALSE(cache.find("key"));
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST_F(Cache, TrimKeepsTheMostRecentlyUsedEntries) {
  const DiskCache cache(folder_.path(), 2500);
  std::vector<fs::path> files;
  for (int i = 0; i < 5; ++i) {
    files.push_back(cache.put_file(std::string(1000, static_cast<char>('a' + i)), ".bin"));
    fs::last_write_time(files.back(), fs::file_time_type::clock::now() - std::chrono::hours(10 - i));
  }
  cache.trim();
  EXPECT_FALSE(fs::exists(files[0]));
  EXPECT_FALSE(fs::exists(files[2]));
  EXPECT_TRUE(fs::exists(files[3]));
  EXPECT_TRUE(fs::exists(files[4]));
}

TEST_F(Cache, TrimRemovesIncompleteFilesOfKilledRuns) {
  const DiskCache cache(folder_.path());
  const fs::path old = folder_ / "files" / "0123.so.1.0.tmp";
  const fs::path fresh = folder_ / "files" / "0123.so.2.0.tmp";
  write(old, "half");
  write(fresh, "half");
  fs::last_write_time(old, fs::file_time_type::clock::now() - std::chrono::hours(2));
  cache.trim();
  EXPECT_FALSE(fs::exists(old));
  EXPECT_TRUE(fs::exists(fresh)) << "somebody may be writing it";
}

/// The message of a cache for a folder that it cannot use.
std::string complaint_about(const fs::path& folder) {
  try {
    const DiskCache cache(folder);
  } catch (const EnvironmentFault& fault) {
    return fault.what();
  }
  return {};
}

TEST_F(Cache, AFolderThatCannotBeUsedSaysWhatToDo) {
  write(folder_ / "file", "x");
  EXPECT_NE(complaint_about(folder_ / "file" / "below").find("WARPWRIGHT_CACHE"), std::string::npos);
  fs::create_directories(folder_ / "taken");
  write(folder_ / "taken" / "files", "x");
  EXPECT_NE(complaint_about(folder_ / "taken").find("WARPWRIGHT_CACHE"), std::string::npos);
}

}  // namespace
}  // namespace warpwright
