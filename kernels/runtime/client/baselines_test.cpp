// Tests that the worker with the toolkit's libraries can be built, starts without a GPU, and lists its callables.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "kernels/runtime/client/process.hpp"

namespace warpwright::worker {
namespace {

namespace fs = std::filesystem;

/// Builds the worker of that name and asks for its callables: these and maybe more.
void expect_libraries(const std::string& name, const std::vector<std::string>& some) {
  const fs::path build = WARPWRIGHT_BINARY_DIR;
  const fs::path log = build / "baselines" / (name + ".log");
  const std::string command =
      "cmake --build " + build.string() + " --target baselines_" + name + " > " + log.string() + " 2>&1";
  fs::create_directories(log.parent_path());
  ASSERT_EQ(std::system(command.c_str()), 0) << "see " << log;
  Process process(build / "baselines" / name / "bin" / "baselines_sm_75");
  const auto held = process.call(ListCallables(), std::chrono::seconds(60));
  ASSERT_TRUE(held.ok()) << held.detail;
  std::vector<std::string> names;
  for (const BaselineInfo& baseline : held.reply) {
    names.push_back(baseline.pattern + " " + baseline.name());
    EXPECT_TRUE(!baseline.version.empty() || !baseline.missing.empty()) << names.back();
  }
  EXPECT_THAT(names, testing::IsSupersetOf(some));
  EXPECT_TRUE(process.call(Describe(), std::chrono::seconds(60)).ok()) << "it is a worker like any other";
}

TEST(BaselinesWorker, OfOnePatternHoldsItsLibrary) {
  if (std::string_view(WARPWRIGHT_NVCC).empty()) GTEST_SKIP() << "no nvcc";
  expect_libraries("sample", {"transpose cublas/geam"});
}

TEST(BaselinesWorker, OfAllPatternsHoldsTheLibrariesOfTheToolkit) {
  if (std::string_view(WARPWRIGHT_NVCC).empty()) GTEST_SKIP() << "no nvcc";
  expect_libraries("check", {"reduce cub/device_reduce", "reduce thrust/reduce", "transpose cublas/geam",
                             "convolution npp/filter", "eigen cusolver/syev_batched", "richardson cusparse/spmv",
                             "sort thrust/stable_sort", "random curand/xorwow"});
}

}  // namespace
}  // namespace warpwright::worker
