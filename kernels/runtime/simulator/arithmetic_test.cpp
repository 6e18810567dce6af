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
  EXPECT_THAT(execution.hints, ElementsAre(AllOf(HasSubstr("a shift by 32 of a value of 32 bits is undefined"),
                                                 HasSubstr("at kernel.cuh:3"), HasSubstr("thread (3, 0, 0)"))));
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
  EXPECT_THAT(execution.hints, ElementsAre(AllOf(HasSubstr("a shift by -1 of a value of 32 bits is undefined"),
                                                 HasSubstr("at kernel.cuh:5"))));
}

std::string describe_all(const Execution& execution) {
  std::string all;
  for (const Finding& finding : execution.findings) all += describe(finding) + "\n";
  return all;
}

TEST(SignedOverflow, by_which_memory_is_accessed_is_a_finding_with_its_line) {
  for (const std::string computed : {"row * 50000 + a[0]", "a[0] + row * -50000", "(row << 15) + row * 40000",
                                     "2147483647 + row", "-2147483647 - row", "-(a[0] - 2147483647 - 2)"}) {
    Experiment experiment = over_buffers(
        "const int row = 50000 + threadIdx.x;\nconst int at = " + computed + ";  // HERE\nb[at] = row;", {1}, {1});
    const Execution execution = experiment.run(1);
    EXPECT_EQ(summary_of(execution), "signed overflow at " + std::to_string(line_of(experiment.text, "HERE")))
        << describe_all(execution);
    EXPECT_EQ(execution.findings.at(0).other.line, line_of(experiment.text, "b[at]"));
  }
  const Execution execution = over_buffers("const int row = 50000;\nb[row * (a[0] + 49999)] = 1;", {1}, {1}).run(1);
  EXPECT_THAT(describe_all(execution),
              HasSubstr("50000 * 50000 is 2500000000, which does not fit a signed 32-bit integer: it causes a store"));
}

TEST(SignedOverflow, as_an_index_of_an_array_is_one_too) {
  Experiment experiment = over_buffers(
      "__shared__ int part[64];\nconst int at = (a[0] + 65535) * 65535;  // HERE\npart[at] = 1;", {1}, {1});
  EXPECT_EQ(summary_of(experiment.run(1)), "signed overflow at " + std::to_string(line_of(experiment.text, "HERE")));
}

TEST(SignedOverflow, is_named_by_a_finding_that_may_come_from_it) {
  Experiment experiment = over_buffers("const int at = (a[0] + 2999) * 1000003;  // HERE\nb[at % 4096] = 1;", {1}, {1});
  const Execution execution = experiment.run(1);
  EXPECT_EQ(summary_of(execution), "out of bounds at 3");
  EXPECT_THAT(describe_all(execution), HasSubstr("before that, at kernel.cuh:2:"));
}

TEST(SignedOverflow, of_hashes_generators_and_64_bit_indices_is_right) {
  Experiment wraps = over_buffers(
      "int h = threadIdx.x + 7;\nfor (int i = 0; i < 50; ++i) h = h * 1103515245 + 12345;  // HERE\n"
      "b[threadIdx.x] = h;\nb[64 + (h & 1023)] = 1;",
      {1}, {1});
  const Execution execution = wraps.run(1);
  EXPECT_EQ(summary_of(execution), "");
  EXPECT_GE(execution.hint_count, 1u);
  EXPECT_THAT(execution.hints_text(), HasSubstr("which does not fit a signed 32-bit integer, at kernel.cuh:3:"));
  ASSERT_EQ(execution.arithmetic.size(), 1U) << "the product and the sum are on one line";
  EXPECT_EQ(execution.arithmetic[0].location.line, 3);
  unsigned expected = 7;
  for (int i = 0; i < 50; ++i) expected = expected * 1103515245U + 12345U;
  EXPECT_EQ(values_of<unsigned>(wraps.contents[1])[0], expected);

  Experiment wide = over_buffers("const long long row = 50000 + threadIdx.x;\nb[row * 50000 % 4096] = 1;", {1}, {1});
  const Execution right = wide.run(1);
  EXPECT_EQ(summary_of(right), "");
  EXPECT_EQ(right.hint_count, 0u);
}

}  // namespace
}  // namespace warpwright::simulator
