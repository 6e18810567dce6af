// Tests of the choice of GPUs on the command line.
#include "kernels/runtime/client/gpu_choice.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

namespace warpwright::worker {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::ThrowsMessage;

std::vector<int> chosen(const std::string& text, const std::vector<int>& there) {
  std::vector<gpu::GpuInfo> found;
  for (const int index : there) found.push_back({.device = {}, .index = index, .uuid = {}, .driver_version = {}});
  std::vector<int> indices;
  for (const gpu::GpuInfo& info : GpuChoice(text).among(found, "sm_90")) indices.push_back(info.index);
  return indices;
}

TEST(GpuChoice, TakesTheFirstAllOrThoseOfTheIndices) {
  EXPECT_THAT(chosen("first", {0, 1, 2}), ElementsAre(0));
  EXPECT_THAT(chosen("all", {0, 1, 2}), ElementsAre(0, 1, 2));
  EXPECT_THAT(chosen("1", {0, 1, 2}), ElementsAre(1));
  EXPECT_THAT(chosen("2,0", {0, 1, 2}), ElementsAre(0, 2));
  EXPECT_THAT(chosen("all", {}), IsEmpty());
  EXPECT_THAT(chosen("first", {}), IsEmpty());
}

TEST(GpuChoice, SaysWhichGpuIsMissing) {
  EXPECT_THAT(
      [] {
        chosen("0,7", {0, 1});
      },
      ThrowsMessage<std::runtime_error>(HasSubstr("no GPU 7 of sm_90: see nvidia-smi -L")));
}

TEST(GpuChoice, RefusesWordsThatNameNoGpu) {
  for (const char* text : {"", "x", "-1", "0,", ",0", "0,,1", "1.5", "0 1", "99999", "ALL"})
    EXPECT_THAT([&] { GpuChoice{text}; }, ThrowsMessage<std::invalid_argument>(HasSubstr("all, or indices"))) << text;
  EXPECT_THAT([] { GpuChoice{"0,1,0"}; }, ThrowsMessage<std::invalid_argument>(HasSubstr("GPU 0 twice")));
}

}  // namespace
}  // namespace warpwright::worker
