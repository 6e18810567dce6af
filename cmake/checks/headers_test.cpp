// Tests that every device header of the catalogue compiles by itself, with NVRTC and for the simulator, and that two
// translation units may include it.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "kernels/model/catalogue.hpp"
#include "kernels/runtime/cuda/nvrtc.hpp"
#include "kernels/runtime/simulator/module/compile.hpp"
#include "kernels/system/child_process.hpp"
#include "kernels/system/temporary_folder.hpp"

namespace warpwright {
namespace {

namespace fs = std::filesystem;

/// Headers for the CPU's compiler only.
bool is_for_cpu(const std::string& header) {
  return is_cpu_model(header) || header == kHostCalls;
}

/// Headers that every kernel may include.
bool is_shared(const std::string& header) {
  return header.starts_with("kernels/runtime/") || header.starts_with("kernels/block/");
}

std::vector<std::string> headers(bool with_cpu_model) {
  std::vector<std::string> found;
  for (const auto& [header, text] : catalogue().sources())
    if (header.ends_with(".cuh"))
      if (with_cpu_model || !is_for_cpu(header)) found.push_back(header);
  return found;
}

std::vector<std::string> headers_for_simulator(bool shared) {
  std::vector<std::string> found = headers(true);
  std::erase_if(found, [&](const std::string& header) { return is_shared(header) != shared; });
  return found;
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

TEST(DeviceHeaders, AreAllEmbeddedInTheCatalogue) {
  const fs::path root = WARPWRIGHT_SOURCE_DIR;
  std::vector<std::string> in_the_tree;
  for (const auto& entry : fs::recursive_directory_iterator(root / "kernels"))
    if (entry.path().extension() == ".cuh") in_the_tree.push_back(entry.path().lexically_relative(root).string());
  ASSERT_FALSE(in_the_tree.empty());
  EXPECT_THAT(headers(true), testing::IsSupersetOf(in_the_tree));
}

/// What a user's program does: several .cu files include headers of patterns, and are linked.
TEST(DeviceHeaders, OfPatternsMayBeIncludedByTwoTranslationUnits) {
  const fs::path nvcc = WARPWRIGHT_NVCC;
  if (!nvcc.is_absolute()) GTEST_SKIP() << "no nvcc";
  std::string text;
  for (const std::string& header : headers(false))
    if (!header.starts_with("kernels/runtime/") && !header.starts_with("kernels/job/"))
      text += fmt::format("#include \"{}\"\n", header);
  ASSERT_FALSE(text.empty());
  const TemporaryFolder folder;
  const auto run = [&](const std::vector<std::string>& command) {
    return simulator::run_process(command, folder.path(), std::chrono::seconds(100));
  };
  for (const std::string name : {"one", "two"}) {
    std::ofstream(folder / (name + ".cu")) << text;
    const auto compiled = run({nvcc, "-std=c++20", "-rdc=true", "-arch=sm_90", "-I", WARPWRIGHT_SOURCE_DIR, "-cubin",
                               name + ".cu", "-o", name + ".cubin"});
    ASSERT_TRUE(compiled.ok()) << compiled.output;
  }
  const auto linked = run({nvcc.parent_path() / "nvlink", "--arch", "sm_90", "one.cubin", "two.cubin", "-o", "both"});
  EXPECT_TRUE(linked.ok()) << linked.output;
}

using NvrtcReadsHeader = testing::TestWithParam<std::string>;

TEST_P(NvrtcReadsHeader, OnItsOwn) {
  std::optional<gpu::Nvrtc> nvrtc;
  try {
    nvrtc.emplace();
  } catch (const std::runtime_error& missing) {
    GTEST_SKIP() << missing.what();
  }
  const gpu::Cubin cubin = nvrtc->compile(catalogue().sources(), {{.source = GetParam(), .entries = {}}}, "sm_75");
  EXPECT_TRUE(cubin.ok) << cubin.log;
}

INSTANTIATE_TEST_SUITE_P(All, NvrtcReadsHeader, testing::ValuesIn(headers(false)), test_name);

using HostReadsHeader = testing::TestWithParam<std::string>;

TEST_P(HostReadsHeader, OnItsOwn) {
  if (simulator::host_compiler().empty()) GTEST_SKIP() << "no host compiler";
  const TemporaryFolder folder;
  const simulator::CompileResult result =
      simulator::compile({.sources = catalogue().sources(), .headers = {GetParam()}}, folder / "module.so");
  EXPECT_TRUE(result.ok()) << result.log;
}

INSTANTIATE_TEST_SUITE_P(Shared, HostReadsHeader, testing::ValuesIn(headers_for_simulator(true)), test_name);
// Every commit compiles each of them with its kernel; by itself only at night.
INSTANTIATE_TEST_SUITE_P(OfPatterns, HostReadsHeader, testing::ValuesIn(headers_for_simulator(false)), test_name);

}  // namespace
}  // namespace warpwright
