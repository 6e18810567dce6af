// Tests that the counts of shorter problems give those of a long one.
#include "tuner/tasks/counted_problem.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "kernels/core/boards.hpp"
#include "kernels/core/target.hpp"
#include "tuner/tasks/simulator_checks.hpp"

namespace warpwright::tuner {
namespace {

using conformance::CountedAccess;
using simulator::AccessCounts;

Problem product(const Shape& shape) {
  return make_problem(catalogue().pattern("matmul"), {ElementType::f32}, {}, shape);
}

TEST(CountedProblem, has_shorter_ones_where_an_extent_only_makes_loops_longer) {
  const Kernel& kernel = catalogue().kernel("matmul/tiled");
  const Device& device = host_device("host/sm_75");
  const auto shorter = shorter_problems(kernel, kernel.default_point, product({512, 512, 2048}), device);
  ASSERT_TRUE(shorter);
  EXPECT_EQ(shorter->steps, 32);
  EXPECT_EQ(shorter->problems[0].shape, (Shape{512, 512, 64}));
  EXPECT_EQ(shorter->problems[2].shape, (Shape{512, 512, 192}));
  EXPECT_FALSE(shorter_problems(kernel, kernel.default_point, product({512, 512, 512}), device)) << "too few steps";
  EXPECT_FALSE(shorter_problems(kernel, kernel.default_point, product({4096, 4096, 1000}), device)) << "not aligned";
}

TEST(CountedProblem, is_not_extrapolated_from_counts_that_grow_otherwise) {
  const auto counted = [](std::uint64_t loads, std::uint64_t barriers) {
    CountedAccess access;
    access.launches = {AccessCounts{.global_load_requests = loads, .barriers = barriers}};
    return access;
  };
  const auto line = extrapolated({counted(11, 2), counted(21, 2), counted(31, 2)}, 10);
  ASSERT_TRUE(line);
  EXPECT_EQ(line->counts.global_load_requests, 101U);
  EXPECT_EQ(line->counts.barriers, 2U);
  EXPECT_TRUE(extrapolated({counted(11, 2), counted(21, 2), counted(32, 2)}, 10)) << "rounded";
  EXPECT_FALSE(extrapolated({counted(10, 2), counted(40, 2), counted(90, 2)}, 10));
  EXPECT_FALSE(extrapolated({counted(11, 2), counted(21, 2), CountedAccess{}}, 10));
}

TEST(CountedProblem, has_the_counts_of_all_its_steps) {
  std::atomic<bool> interrupted = false, workers_end = false;
  worker::BuildService build(catalogue().sources(), std::filesystem::path(WARPWRIGHT_BINARY_DIR) / "test_cache",
                             {.asked = &workers_end});
  if (const std::string error = build.compiler.toolchain().host_error; !error.empty()) GTEST_SKIP() << error;
  const TuningContext context{catalogue(), build, default_board(75).device, interrupted};
  conformance::Case test;
  test.kernel = &catalogue().kernel("matmul/tiled");
  test.params = test.kernel->default_point;
  test.target = context.host();
  test.problem = product({256, 256, 1024});
  test.input = traced_input();
  test.law = std::string(conformance::kSampled);
  const auto [all, few] = build.pool
                              .submit([&](worker::Process& process) {
                                conformance::Checker checker = host_checker(context, process);
                                std::pair<std::optional<CountedAccess>, std::optional<CountedAccess>> found;
                                EXPECT_TRUE(checker.count_blocks(test, found.first).is_right());
                                EXPECT_TRUE(count_accesses(checker, test, found.second).is_right());
                                return found;
                              })
                              .get();
  ASSERT_TRUE(all && few);
  EXPECT_GT(all->counts.shared_load_requests, 0U);
  EXPECT_EQ(all->launches, few->launches);
  EXPECT_EQ(all->counts, few->counts);
}

TEST(CountedProblem, is_compared_in_a_part_of_the_traced_one) {
  const Kernel& kernel = catalogue().kernel("matmul/tiled");
  const Problem problem = product({512, 512, 2048});
  const Problem compared =
      compared_problem(catalogue(), kernel, kernel.default_point, problem, host_device("host/sm_75"));
  EXPECT_LE(compared.elements(), 1 << 14);
  EXPECT_GT(compared.elements(), 1);
}

}  // namespace
}  // namespace warpwright::tuner
