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

/// What a user's program does: two of its files include device code, and are linked. The compiler's messages if that
/// fails, warnings included.
class TwoTranslationUnits {
 public:
  explicit TwoTranslationUnits(const std::string& text) {
    for (const char* name : {"one.cu", "two.cu"}) std::ofstream(folder_ / name) << text;
    std::ofstream(folder_ / "main.cu") << "int main() { return 0; }\n";
  }

  std::string linked_by(std::vector<std::string> compile, const std::vector<std::string>& link) const {
    compile.insert(compile.end(), {"-std=c++20", "-I", WARPWRIGHT_SOURCE_DIR, "-c"});
    for (const std::string name : {"one", "two", "main"}) {
      std::vector<std::string> command = compile;
      command.insert(command.end(), {name + ".cu", "-o", name + ".o"});
      if (const std::string problem = run(command); !problem.empty()) return problem;
    }
    std::vector<std::string> command = link;
    command.insert(command.end(), {"one.o", "two.o", "main.o", "-o", "program"});
    return run(command);
  }

 private:
  std::string run(const std::vector<std::string>& command) const {
    const auto done = simulator::run_process(command, folder_.path(), std::chrono::seconds(100));
    return done.ok() ? "" : "failed: " + done.output;
  }

  TemporaryFolder folder_;
};

std::string linked_by_nvcc(const std::string& text) {
  return TwoTranslationUnits(text).linked_by({WARPWRIGHT_NVCC, "-rdc=true", "-arch=sm_90", "-Werror", "all-warnings"},
                                             {WARPWRIGHT_NVCC, "-arch=sm_90"});
}

/// Also finds kernels that are defined twice, which are inline in the simulator.
std::string linked_by_host_compiler(const std::string& text) {
  const std::string as_in_cuda = "#include \"kernels/runtime/device.cuh\"\n#undef __global__\n#define __global__\n";
  return TwoTranslationUnits(as_in_cuda + text)
      .linked_by({simulator::host_compiler(), "-x", "c++"}, {simulator::host_compiler()});
}

std::string all_headers() {
  std::string text;
  for (const std::string& header : headers(false)) text += fmt::format("#include \"{}\"\n", header);
  return text;
}

/// Definitions that two translation units cannot have.
std::vector<std::string> defined_twice() {
  const std::string device = "#include \"kernels/runtime/device.cuh\"\n";
  return {device + "__global__ void planted(int* to) { *to = 1; }\n",
          device + "__device__ int planted(int from) { return from + 1; }\n",
          device + "inline constexpr int kUsed = 1;\nint planted() { return kUsed; }\n"};
}

TEST(DeviceHeaders, MayBeIncludedByTwoTranslationUnitsOfNvcc) {
  if (!fs::path(WARPWRIGHT_NVCC).is_absolute()) GTEST_SKIP() << "no nvcc";
  EXPECT_EQ(linked_by_nvcc(all_headers()), "");
  for (const std::string& text : defined_twice())
    EXPECT_THAT(linked_by_nvcc(text), testing::ContainsRegex("[Mm]ultiple definition of .*planted")) << text;
}

TEST(DeviceHeaders, MayBeIncludedByTwoTranslationUnitsOfTheCpusCompiler) {
  if (simulator::host_compiler().empty()) GTEST_SKIP() << "no host compiler";
  EXPECT_EQ(linked_by_host_compiler(all_headers()), "");
  for (const std::string& text : defined_twice())
    EXPECT_THAT(linked_by_host_compiler(text), testing::ContainsRegex("multiple definition of .*planted")) << text;
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
