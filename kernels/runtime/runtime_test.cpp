// Tests of generated inputs, of the comparison of elements and of temporary folders.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <functional>
#include <set>

#include "kernels/runtime/generate.cuh"
#include "kernels/runtime/input.hpp"
#include "kernels/system/environment_fault.hpp"
#include "kernels/system/temporary_folder.hpp"

namespace warpwright {
namespace {

namespace fs = std::filesystem;

template <class T>
std::vector<T> values_of(ElementType type, std::string_view kind, std::int64_t count, std::uint64_t seed) {
  const Bytes bytes = generic_fill(type, kind).on_host(count, seed);
  std::vector<T> values(static_cast<std::size_t>(count));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

std::vector<float> floats(std::string_view kind, std::int64_t count, std::uint64_t seed) {
  return values_of<float>(ElementType::f32, kind, count, seed);
}

TEST(Input, ExactValuesAreSmallIntegersThatAreNeverZero) {
  for (const float value : floats("exact", 10'000, 3)) {
    EXPECT_EQ(value, std::round(value));
    EXPECT_GE(std::fabs(value), 1);
    EXPECT_LE(std::fabs(value), 4);
  }
}

TEST(Input, ExactPartialSumsStayFarBelowTheLimitOfAFloat) {
  double sum = 0;
  double largest = 0;
  for (const float value : floats("exact", 1 << 22, 1)) {
    sum += static_cast<double>(value);
    largest = std::max(largest, std::fabs(sum));
  }
  EXPECT_LT(largest, 0x1p24 / 100);
}

TEST(Input, DistributionsAreWhatTheirNamesSay) {
  EXPECT_TRUE(std::ranges::is_sorted(floats("sorted", 1000, 1)));
  EXPECT_TRUE(std::ranges::is_sorted(floats("reversed", 1000, 1), std::greater{}));
  const auto equal = floats("all_equal", 100, 5);
  EXPECT_EQ(std::set(equal.begin(), equal.end()).size(), 1U);
  const auto few = floats("few_values", 1000, 5);
  EXPECT_EQ(std::set(few.begin(), few.end()).size(), 4U);
  for (const float value : floats("uniform", 1000, 5)) EXPECT_LE(std::fabs(value), 1);
  const auto alternating = floats("alternating", 100, 5);
  for (std::size_t i = 0; i < alternating.size(); ++i) EXPECT_EQ(alternating[i] < 0, i % 2 == 1);
}

TEST(Input, SpecialValuesAppearForSomeSeeds) {
  bool nan = false;
  bool infinite = false;
  bool subnormal = false;
  for (std::uint64_t seed = 0; seed < 16; ++seed)
    for (const float value : floats("special", 200, seed)) {
      nan = nan || std::isnan(value);
      infinite = infinite || std::isinf(value);
      subnormal = subnormal || std::fpclassify(value) == FP_SUBNORMAL;
    }
  EXPECT_TRUE(nan);
  EXPECT_TRUE(infinite);
  EXPECT_TRUE(subnormal);
}

RC_GTEST_PROP(Input, EveryTypeAndKindIsDeterministic, ()) {
  const auto kind = *rc::gen::elementOf(generic_kinds());
  const auto type = *rc::gen::elementOf(all_element_types());
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const Fill fill = generic_fill(type, kind);
  const Bytes bytes = fill.on_host(37, seed);
  RC_ASSERT(bytes.size() == 37 * size_of(type));
  RC_ASSERT(bytes == fill.on_host(37, seed));
}

TEST(Input, IntegersAreUniformOverTheirWholeRange) {
  const auto ints = values_of<std::int32_t>(ElementType::i32, "uniform", 100'000, 3);
  EXPECT_GT(std::set(ints.begin(), ints.end()).size(), 99'000U);
  EXPECT_LT(*std::ranges::min_element(ints), -2'147'000'000);
  EXPECT_GT(*std::ranges::max_element(ints), 2'147'000'000);
  const auto bytes = values_of<unsigned char>(ElementType::u8, "uniform", 10'000, 3);
  EXPECT_EQ(std::set(bytes.begin(), bytes.end()).size(), 256U);
}

TEST(Input, SortedAscendsForEveryTypeAndLength) {
  for (const std::int64_t count : {1, 2, 100, 70'000}) {
    EXPECT_TRUE(std::ranges::is_sorted(values_of<unsigned>(ElementType::u32, "sorted", count, 1)));
    EXPECT_TRUE(std::ranges::is_sorted(values_of<unsigned long long>(ElementType::u64, "sorted", count, 1)));
    EXPECT_TRUE(std::ranges::is_sorted(values_of<unsigned char>(ElementType::u8, "sorted", count, 1)));
    EXPECT_TRUE(std::ranges::is_sorted(values_of<signed char>(ElementType::i8, "sorted", count, 1)));
    EXPECT_TRUE(std::ranges::is_sorted(values_of<short>(ElementType::i16, "sorted", count, 1)));
    EXPECT_TRUE(std::ranges::is_sorted(values_of<int>(ElementType::i32, "reversed", count, 1), std::greater{}));
    std::vector<float> halves;
    for (const float16 half : values_of<float16>(ElementType::f16, "sorted", count, 1))
      halves.push_back(static_cast<float>(half));
    EXPECT_TRUE(std::ranges::is_sorted(halves));
    EXPECT_TRUE(std::isfinite(halves.back()));
  }
}

TEST(Input, APermutationHasEveryIndexOnce) {
  for (const std::int64_t count : {1, 2, 3, 31, 1000, 4097})
    for (const std::uint64_t seed : {1, 2}) {
      auto indices = values_of<int>(ElementType::i32, "permutation", count, seed);
      const bool is_moved = !std::ranges::is_sorted(indices);
      std::ranges::sort(indices);
      for (std::size_t i = 0; i < indices.size(); ++i) ASSERT_EQ(indices[i], static_cast<int>(i)) << count;
      if (count >= 31) {
        EXPECT_TRUE(is_moved);
      }
    }
}

TEST(Input, RowOffsetsAscendFromNothingToAllEntries) {
  const generate::row_offsets<int> offsets{.entries = 1234};
  for (const long long rows : {1LL, 7LL, 100LL, 5000LL}) {
    int last = 0;
    EXPECT_EQ(offsets(3, 0, rows + 1), 0);
    for (long long i = 0; i <= rows; ++i) {
      EXPECT_GE(offsets(3, i, rows + 1), last);
      last = offsets(3, i, rows + 1);
    }
    EXPECT_EQ(last, 1234);
  }
  const generate::index_below<unsigned> below{.bound = 5};
  std::set<unsigned> seen;
  for (long long i = 0; i < 200; ++i) seen.insert(below(1, i, 200));
  EXPECT_EQ(seen, (std::set<unsigned>{0, 1, 2, 3, 4}));
}

TEST(TemporaryFolder, BelongsToItsMakerAndIsDeletedWithItsContents) {
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
  EXPECT_THROW(TemporaryFolder("/nowhere"), EnvironmentFault);
}

TEST(TemporaryFolder, IsDeletedAfterItsMakerWasKilledAndNotBefore) {
  const TemporaryFolder root;
  const TemporaryFolder alive(root.path());
  const pid_t maker = ::fork();
  if (maker == 0) {
    const TemporaryFolder lost(root.path());
    std::ofstream(lost / "file") << "x";
    ::kill(::getpid(), SIGKILL);
  }
  ::waitpid(maker, nullptr, 0);
  fs::create_directories(root / "warpwright-elsewhere");
  const auto folders = [&] { return std::distance(fs::directory_iterator(root.path()), fs::directory_iterator()); };
  EXPECT_EQ(folders(), 3);
  EXPECT_EQ(sweep_temporary_folders(root.path()), 1);
  EXPECT_EQ(folders(), 2);
  EXPECT_TRUE(fs::exists(alive.path()));
  EXPECT_EQ(sweep_temporary_folders(root / "nowhere"), 0);
}

}  // namespace
}  // namespace warpwright
