// What is taken out of plain .cu files, and that lines stay where they were.
#include "kernels/job/text/device_text.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <stdexcept>

#include "kernels/runtime/temporary_folder.hpp"

namespace warpwright::job {
namespace {

class DeviceTextOf : public testing::Test {
 protected:
  std::filesystem::path write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }
  DeviceText read(const std::string& text, const TextRequest& request = {}) {
    return device_text(write("file.cu", text), request);
  }
  std::string refusal(const std::string& text, const TextRequest& request = {}) {
    try {
      read(text, request);
    } catch (const std::runtime_error& error) {
      const std::string words = error.what();
      return words.substr(words.find("file.cu"));
    }
    return "";
  }
  /// The line of the user's file with that number, as it is in the text.
  static std::string line(const DeviceText& made, int number) {
    std::size_t at = made.text.find("#line 1 ");
    for (int i = 0; i < number; ++i) at = made.text.find('\n', at) + 1;
    std::string found = made.text.substr(at, made.text.find('\n', at) - at);
    return found.find_first_not_of(' ') == std::string::npos ? "" : found;
  }

  TemporaryFolder folder_;
};

constexpr const char* whole_program = R"(#include <cstdio>
#include <vector>
#include <cuda_runtime.h>
#define BLOCK 256
#define CHECK(call) do { if ((call) != cudaSuccess) exit(1); } while (0)
std::vector<float> kept_by_the_host(const char* text) { return {}; }
__device__ float twice(float x) { return 2 * x; }
static float host_twice(float x) {
  return 2 * x;
}
// adds
__global__ void add(const float* __restrict__ a, float *b, int n) {
  int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i < n) b[i] += twice(a[i]);
}
int main() {
  float* a; CHECK(cudaMalloc(&a, 4));
  add<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(a, a, min(n, 3));
  printf("}\n");
}
)";

TEST_F(DeviceTextOf, AWholeProgramIsItsKernelAndWhatThatNeeds) {
  const DeviceText made = read(whole_program);
  for (const int dropped : {1, 2, 3, 6, 8, 9, 10, 16, 17, 18, 19, 20}) EXPECT_EQ(line(made, dropped), "") << dropped;
  EXPECT_EQ(line(made, 7), "__device__ float twice(float x) { return 2 * x; }");
  EXPECT_EQ(line(made, 14), "  if (i < n) b[i] += twice(a[i]);");
  ASSERT_EQ(made.kernels.size(), 1U);
  EXPECT_EQ(made.kernels[0].name, "add");
  EXPECT_EQ(made.kernels[0].line, 12);
  const std::vector<Parameter> expected = {{"float", "a", true, true}, {"float", "b", true, false}, {"int", "n"}};
  EXPECT_EQ(made.kernels[0].parameters, expected);
  EXPECT_EQ(made.macros, (std::map<std::string, std::string>{{"BLOCK", "256"}}));
}

TEST_F(DeviceTextOf, LaunchesOfTheHostAreRead) {
  const DeviceText made = read(whole_program);
  ASSERT_EQ(made.launches.size(), 1U);
  EXPECT_EQ(made.launches[0].kernel, "add");
  EXPECT_EQ(made.launches[0].configuration, (std::vector<std::string>{"(n+BLOCK-1)/BLOCK", "BLOCK"}));
  EXPECT_EQ(made.launches[0].arguments, (std::vector<std::string>{"a", "a", "min(n, 3)"}));
  EXPECT_EQ(made.launches[0].line, 18);
}

}  // namespace
}  // namespace warpwright::job
