// Tests of the small problems on which configurations are counted and checked.
#include "conformance/checks/case_plan.hpp"

#include <gtest/gtest.h>

#include "kernels/core/target.hpp"

namespace warpwright::conformance {
namespace {

const Device& device() {
  return host_device("host/sm_90");
}

TEST(TracedProblem, IsOneThatTheKernelAccepts) {
  const Kernel& kernel = catalogue().kernel("rows/registers");
  const Problem problem = parse_problem("rows[op=softmax,epsilon=1e-05,data=normal,float,65536x256]");
  const Shape usual = catalogue().pattern("rows").trace_shape;
  ASSERT_GT(usual[1], 256) << "too many columns for the registers of the second configuration";
  const auto params = [&](const char* text) { return kernel.space.parse(text, kernel.default_point); };
  const auto large = traced_problem(catalogue(), kernel,
                                    params("{.block_size = 128, .row_threads = 128, .vector_width = 1, .held = 8}"),
                                    problem, device());
  ASSERT_TRUE(large);
  EXPECT_EQ(large->shape, usual);
  const Point few = params("{.block_size = 128, .row_threads = 32, .vector_width = 1, .held = 8}");
  const auto reduced = traced_problem(catalogue(), kernel, few, problem, device());
  ASSERT_TRUE(reduced);
  EXPECT_EQ(reduced->shape, (Shape{usual[0], 256}));
  EXPECT_EQ(kernel.refuses(few, *reduced, device()), "");
  EXPECT_FALSE(traced_problem(catalogue(), kernel, few, parse_problem("rows[op=softmax,epsilon=1e-05,float,65536x512]"),
                              device()));
}

TEST(TracedProblem, HasFewerProductsThanTheProblem) {
  const Problem one = parse_problem("matmul[b=plain,alpha=1,beta=0,pad_a=0,pad_b=0,pad_c=0,float,32x32x32]");
  Problem many = one;
  many.numbers["products"] = 4096;
  const Problem traced = traced_problem(catalogue(), many);
  EXPECT_EQ(traced.integer("products"), 3);
  EXPECT_EQ(traced.numbers.size(), many.numbers.size());
  many.shape = {8192, 8192, 8192};
  many.numbers["products"] = 2;
  EXPECT_EQ(traced_problem(catalogue(), many).integer("products"), 2) << "a few are no more work";
}

}  // namespace
}  // namespace warpwright::conformance
