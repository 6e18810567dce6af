// Tests that kernels which launch kernels are compiled as relocatable code and linked, for any architecture. No GPU is
// needed.
#include "kernels/runtime/cuda/device_linker.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>

#include "kernels/runtime/cuda/nvrtc.hpp"
#include "kernels/system/environment_fault.hpp"
#include "kernels/system/temporary_folder.hpp"

namespace warpwright::gpu {
namespace {

const std::string kParent = "tree::parent<3>";

/// The unchanged header, and a kernel that uses it to launch itself.
SourceTree tree() {
  SourceTree sources;
  for (const char* name :
       {"child_launch.cuh", "device.cuh", "common/standard_names.cuh", "common/tensor_map.cuh", "async.cuh"}) {
    const std::string path = std::string("kernels/runtime/") + name;
    std::ifstream file(std::string(WARPWRIGHT_SOURCE_DIR) + "/" + path);
    sources[path] = {std::istreambuf_iterator<char>(file), {}};
  }
  sources["tree.cuh"] = R"(
#include "kernels/runtime/child_launch.cuh"
namespace tree {
template <int Most>
__global__ void parent(int* out, int depth) {
  if (threadIdx.x == 0 && depth < Most &&
      !warpwright::launch_child<&parent<Most>>(warpwright::child_stream::own, dim3(1), dim3(32), out, depth + 1))
    out[depth] = 1;
}
}
)";
  sources["leaf.cuh"] = "__global__ void leaf(int* out) { out[threadIdx.x] = 1; }\n";
  return sources;
}

const Program kTree{.source = "tree.cuh", .entries = {kParent}};

class Linked : public testing::Test {
 protected:
  void SetUp() override {
    try {
      nvrtc_.emplace();
      DeviceLinker();
    } catch (const std::exception& missing) {
      GTEST_SKIP() << missing.what();
    }
  }

  std::optional<Nvrtc> nvrtc_;
};

TEST_F(Linked, AKernelThatLaunchesItselfHasTheDeviceRuntimeInItsCubin) {
  for (const char* target : {"sm_75", "sm_90"}) {
    const Cubin cubin = nvrtc_->compile(tree(), {kTree}, target);
    ASSERT_TRUE(cubin.ok) << cubin.log;
    EXPECT_NE(cubin.image.find("cudaCDP2LaunchDevice"), std::string::npos) << target;
    const Instance& instance = cubin.instances[0].at(kParent);
    EXPECT_GT(instance.resources.registers, 0);
    EXPECT_EQ(instance.parameter_bytes, (std::vector<std::size_t>{8, 4}));
  }
}

TEST_F(Linked, ACodeHashDoesNotDependOnOtherLinkedCode) {
  Program two = kTree;
  two.entries.emplace_back("tree::parent<5>");
  const Cubin alone = nvrtc_->compile(tree(), {kTree}, "sm_90");
  const Cubin beside = nvrtc_->compile(tree(), {two}, "sm_90");
  ASSERT_TRUE(alone.ok && beside.ok) << alone.log << beside.log;
  EXPECT_EQ(alone.instances[0].at(kParent).code_hash, beside.instances[0].at(kParent).code_hash);
  EXPECT_NE(beside.instances[0].at("tree::parent<5>").code_hash, beside.instances[0].at(kParent).code_hash);
}

TEST_F(Linked, OnlyKernelsThatLaunchAreLinked) {
  const Program leaf{.source = "leaf.cuh", .entries = {"leaf"}};
  EXPECT_TRUE(launches_from_device(tree(), kTree));
  EXPECT_FALSE(launches_from_device(tree(), leaf));
  const Cubin cubin = nvrtc_->compile(tree(), {leaf}, "sm_90");
  ASSERT_TRUE(cubin.ok) << cubin.log;
  EXPECT_EQ(cubin.image.find("cudaCDP2"), std::string::npos);
}

TEST_F(Linked, AFileThatIsNoCubinIsRefusedWithTheLinkersMessage) {
  EXPECT_THROW(DeviceLinker().link("no cubin", "sm_90"), std::runtime_error);
}

TEST(DeviceLinker, SaysWhatToDoIfTheToolkitHasNone) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const TemporaryFolder empty;
  const auto look = [&] {
    setenv("CUDA_HOME", empty.path().c_str(), 1);
    try {
      DeviceLinker();
    } catch (const EnvironmentFault& missing) {
      std::fputs(missing.what(), stderr);
      std::exit(3);
    }
    std::exit(0);
  };
  EXPECT_EXIT(look(), testing::ExitedWithCode(3), "nvJitLink was not found .*set CUDA_HOME");
}

}  // namespace
}  // namespace warpwright::gpu
