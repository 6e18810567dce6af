// Tests of arithmetic that C++ does not define: a hint beside the wrong result.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/runtime/simulator/kernel_fixture.hpp"

namespace warpwright::simulator {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(Arithmetic, a_shift_by_the_width_gives_one_hint_with_its_line) {
  const Execution execution = two_buffers(R"(
__global__ void kernel(float* first, float* second) {
  const unsigned bits = 1u << (threadIdx.x + 29);
  second[threadIdx.x] = static_cast<float>(bits);
}
)",
                                          8, 8)
                                  .run();
  EXPECT_THAT(execution.findings, IsEmpty()) << "a hint, and no finding";
  EXPECT_THAT(execution.hints, ElementsAre(AllOf(HasSubstr("a shift by 32 of a value of 32 bits at kernel.cuh:3"),
                                                 HasSubstr("thread (3, 0, 0)"))));
}

TEST(Arithmetic, negative_shifts_give_hints_and_shifts_within_the_width_do_not) {
  const Execution execution = two_buffers(R"(
__global__ void kernel(float* first, float* second) {
  const int by = static_cast<int>(threadIdx.x) - 1;
  second[threadIdx.x] = static_cast<float>(1 << max(by, 0)) + static_cast<float>(2ll << (by + 63 - 7));
  second[threadIdx.x] += static_cast<float>(4 >> by);
}
)",
                                          8, 8)
                                  .run();
  EXPECT_THAT(execution.hints, ElementsAre(HasSubstr("a shift by -1 of a value of 32 bits at kernel.cuh:5")));
}

}  // namespace
}  // namespace warpwright::simulator
