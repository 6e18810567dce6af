// Tests of calls of no function, and of threads that need more stack than there is.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/runtime/simulator/kernel_fixture.hpp"

namespace warpwright::simulator {
namespace {

using testing::HasSubstr;

/// A kernel whose threads call one of two functions, or `third`.
Experiment with_calls(const std::string& third) {
  return two_buffers(
      "__device__ float doubled(float x) { return 2 * x; }\n"
      "__device__ float halved(float x) { return x / 2; }\n"
      "__global__ void kernel(float* first, float* second) {\n"
      "  float (*const functions[])(float) = {doubled, halved, " +
          third +
          "};\n"
          "  second[threadIdx.x] = functions[threadIdx.x % 3](first[threadIdx.x]);  // HERE\n"
          "}\n",
      32, 32);
}

TEST(Calls, of_no_function_are_found_with_their_line) {
  EXPECT_TRUE(with_calls("doubled").run().clean());
  Experiment null = with_calls("nullptr");
  EXPECT_THAT(expect_finding(null, FindingKind::trap).message, HasSubstr("called through a null pointer"));
  EXPECT_FALSE(null.run(2).clean()) << "once more on the same stacks";
  EXPECT_THAT(expect_finding(with_calls("(float (*)(float))64"), FindingKind::trap).message,
              HasSubstr("called at address 0x40, where none is"));
  EXPECT_THAT(expect_finding(with_calls("(float (*)(float))0xfefefefefefefefeull"), FindingKind::trap).message,
              HasSubstr("a pointer that holds no address"));
}

TEST(Calls, without_an_end_are_found_with_their_line) {
  const auto down = [](const std::string& next) {
    return two_buffers(
        "__device__ float down(const float* x, int n) {\n"
        "  return n == 0 ? x[0] : x[n % 32] + down(x, " +
            next +
            ");  // HERE\n"
            "}\n"
            "__global__ void kernel(float* first, float* second) { second[threadIdx.x] = down(first, 9); }\n",
        32, 32);
  };
  EXPECT_TRUE(down("n - 1").run().clean());
  Experiment endless = down("n + 1");
  EXPECT_THAT(expect_finding(endless, FindingKind::trap).message, HasSubstr("a recursion has no end"));
  EXPECT_FALSE(endless.run(2).clean()) << "once more on the same stacks";
}

TEST(Calls, with_more_local_variables_than_a_stack_holds_have_no_model) {
  const auto with_array = [](int count) {
    return two_buffers("__global__ void kernel(float* first, float* second) {\n  float local[" + std::to_string(count) +
                           "];  // HERE\n"
                           "  for (int i = 0; i < 32; ++i) local[i * (sizeof local / 128)] = first[i];\n"
                           "  second[threadIdx.x] = local[threadIdx.x * (sizeof local / 128)];\n}\n",
                       32, 32);
  };
  EXPECT_TRUE(with_array(16 << 10).run().clean());
  Execution execution = with_array(60 << 10).run();
  ASSERT_EQ(execution.findings.size(), 1U);
  EXPECT_EQ(execution.findings[0].kind, FindingKind::no_model);
  EXPECT_THAT(execution.findings[0].message, HasSubstr("KiB of local variables"));
}

}  // namespace
}  // namespace warpwright::simulator
