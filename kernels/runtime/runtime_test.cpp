// Generated inputs, element comparison and the disk cache.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>

#include "kernels/runtime/disk_cache.hpp"
#include "kernels/runtime/input.hpp"
#include "kernels/runtime/temporary_folder.hpp"

namespace warpwright {
namespace {

namespace fs = std::filesystem;

std::vector<float> floats(Distribution distribution, std::int64_t count, std::uint64_t seed) {
  const Bytes bytes = generate_buffer({.name = "in", .type = ElementType::f32, .count = count}, distribution, seed);
  std::vector<float> values(static_cast<std::size_t>(count));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

TEST(Input, ExactValuesAreSmallIntegersThatAreNeverZero) {
  for (const float value : floats(Distribution::exact, 10'000, 3)) {
    EXPECT_EQ(value, std::round(value));
    EXPECT_GE(std::fabs(value), 1);
    EXPECT_LE(std::fabs(value), 4);
  }
}

TEST(Input, ExactPartialSumsStayFarBelowWhatAFloatHolds) {
  double sum = 0;
  double largest = 0;
  for (const float value : floats(Distribution::exact, 1 << 22, 1)) {
    sum += static_cast<double>(value);
    largest = std::max(largest, std::fabs(sum));
  }
  EXPECT_LT(largest, 0x1p24 / 100);
}

TEST(Input, DistributionsAreWhatTheirNamesSay) {
  EXPECT_TRUE(std::ranges::is_sorted(floats(Distribution::sorted, 1000, 1)));
  EXPECT_TRUE(std::ranges::is_sorted(floats(Distribution::reversed, 1000, 1), std::greater{}));
  const auto equal = floats(Distribution::all_equal, 100, 5);
  EXPECT_EQ(std::set(equal.begin(), equal.end()).size(), 1U);
  const auto few = floats(Distribution::few_values, 1000, 5);
  EXPECT_EQ(std::set(few.begin(), few.end()).size(), 4U);
  for (const float value : floats(Distribution::uniform, 1000, 5)) EXPECT_LE(std::fabs(value), 1);
  const auto alternating = floats(Distribution::alternating, 100, 5);
  for (std::size_t i = 0; i < alternating.size(); ++i) EXPECT_EQ(alternating[i] < 0, i % 2 == 1);
}

TEST(Input, SpecialValuesAppearForSomeSeeds) {
  bool nan = false;
  bool infinite = false;
  bool subnormal = false;
  for (std::uint64_t seed = 0; seed < 16; ++seed)
    for (const float value : floats(Distribution::special, 200, seed)) {
      nan = nan || std::isnan(value);
      infinite = infinite || std::isinf(value);
      subnormal = subnormal || std::fpclassify(value) == FP_SUBNORMAL;
    }
  EXPECT_TRUE(nan);
  EXPECT_TRUE(infinite);
  EXPECT_TRUE(subnormal);
}

RC_GTEST_PROP(Input, EveryTypeAndDistributionIsDeterministic, ()) {
  const auto distribution = *rc::gen::elementOf(all_distributions());
  const auto type = *rc::gen::element(ElementType::i32, ElementType::i64, ElementType::u8, ElementType::u32,
                                      ElementType::u64, ElementType::f32, ElementType::f64);
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const Buffer buffer{.name = "in", .type = type, .count = 37};
  RC_ASSERT(generate_buffer(buffer, distribution, seed) == generate_buffer(buffer, distribution, seed));
}

TEST(TemporaryFolder, IsItsMakersAloneAndGoesWithAllItHolds) {
  fs::path path;
  {
    const TemporaryFolder folder;
    const TemporaryFolder other;
    path = folder.path();
    EXPECT_NE(path, other.path());
    EXPECT_TRUE(fs::is_empty(path));
    fs::create_directories(folder / "below");
    std::ofstream(folder / "below" / "file") << "x";
  }
  EXPECT_FALSE(fs::exists(path));
  EXPECT_THROW(TemporaryFolder("/nowhere"), std::system_error);
}

class Cache : public testing::Test {
 protected:
  const TemporaryFolder folder_;
};

TEST_F(Cache, GivesBackWhatWasPut) {
  const DiskCache cache(folder_.path());
  EXPECT_FALSE(cache.find("key"));
  const fs::path module = cache.put_file("content", ".bin");
  EXPECT_TRUE(cache.put("key", {{"module", module.string()}}));
  ASSERT_TRUE(cache.find("key"));
  fs::remove(module);
  EXPECT_FALSE(cache.find("key")) << "an entry whose file is gone is no entry";
}

TEST_F(Cache, AnEntryThatIsNoJsonIsNoEntry) {
  const DiskCache cache(folder_.path());
  std::ofstream(folder_ / "entries" / "key") << "{ half an ent";
  EXPECT_FALSE(cache.find("key"));
}

TEST_F(Cache, TrimKeepsWhatWasUsedLast) {
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

TEST_F(Cache, AFolderThatCannotBeMadeSaysWhatToDo) {
  std::ofstream(folder_ / "file") << "x";
  try {
    const DiskCache cache(folder_ / "file" / "below");
    FAIL() << "made a folder under a file";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("WARPWRIGHT_CACHE"), std::string::npos);
  }
}

}  // namespace
}  // namespace warpwright
