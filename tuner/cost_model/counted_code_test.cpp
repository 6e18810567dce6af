// Tests of how often the code of a kernel runs, and what of its accesses the compiler keeps in registers.
#include <gtest/gtest.h>

#include "kernels/core/boards.hpp"
#include "tuner/cost_model/prediction.hpp"

namespace warpwright::tuner {
namespace {

constexpr HotLoop kMultiplyAdds{.is_loop = true,
                                .operations = 128,
                                .instructions = 88,
                                .fp32 = 64,
                                .integer = 8,
                                .shared = 16,
                                .alone_clocks = 200};
const Work kProduct{.bytes_read = 3.4e7, .bytes_written = 1.7e7, .operations = 1.7e10};

LaunchFacts arithmetic(const HotLoop& loop) {
  return {.grid = 4 * 132, .block = 256, .registers = 64, .loop = loop};
}

TEST(CountedCode, reads_of_constants_say_how_often_a_loop_without_other_memory_runs) {
  HotLoop weights = kMultiplyAdds;
  weights.shared = 0;
  weights.constant_bytes = 256;
  const auto us = [&](double iterations) {
    LaunchFacts launch = arithmetic(weights);
    launch.access = {.load_requests = 1e4, .load_sectors = 4e4, .constant_bytes = 32 * 256 * iterations};
    Work work = kProduct;
    work.operations = traced_operations({launch});
    return predict(find_board("H200").device, work, {launch}).us;
  };
  EXPECT_GT(us(2e7), 1.8 * us(1e7));
  EXPECT_LT(us(2e7), 2.2 * us(1e7));
}

TEST(CountedCode, code_that_runs_once_has_the_shared_loads_of_its_instructions_not_of_the_source) {
  // The source loads each value for each of eight sums; the compiler loads it once.
  HotLoop straight = kMultiplyAdds;
  straight.is_loop = false;
  straight.shared = straight.shared_passes = 16;
  const auto shared_us = [&](const HotLoop& code) {
    LaunchFacts launch = arithmetic(code);
    const double warps = 4 * 132 * 8;
    launch.access = {.load_requests = 1e4,
                     .load_sectors = 4e4,
                     .shared_requests = 128 * warps,
                     .shared_least_wavefronts = 128 * warps,
                     .shared_wavefronts = 2 * 128 * warps};
    return predict(find_board("H200").device, {.operations = kProduct.operations}, {launch}).breakdown.shared;
  };
  HotLoop all = straight;
  all.shared = all.shared_passes = 128;
  EXPECT_NEAR(shared_us(all) / shared_us(straight), 8, 0.8) << "bank conflicts count for both";
}

TEST(CountedCode, the_path_of_shared_memory_and_l1_is_named_after_what_uses_it_more) {
  const auto limit = [](double shared, double global) {
    LaunchFacts launch = arithmetic(kMultiplyAdds);
    launch.access = {.load_requests = global, .load_sectors = 2 * global, .shared_requests = shared};
    return predict(find_board("H200").device, {.operations = 1e9}, {launch}).limited_by;
  };
  EXPECT_EQ(limit(6e8, 1e6), "shared memory");
  EXPECT_EQ(limit(0, 6e8), "L1") << "most of these loads do not reach the L2";
}

TEST(CountedCode, exchanges_between_lanes_take_their_time) {
  const auto us = [](const AccessFacts& access) {
    return predict(find_board("H200").device, {.bytes_read = 1e6, .arithmetic = ElementType::u8},
                   {{.grid = 4 * 132, .block = 256, .registers = 32, .access = access}});
  };
  const AccessFacts loads{.load_requests = 1e4, .load_sectors = 4e4};
  AccessFacts shuffles = loads, votes = loads, reductions = loads, matches = loads;
  shuffles.shuffles = votes.votes = reductions.reductions = matches.matched_values = 1e9;
  const double shuffling = us(shuffles).breakdown.exchange;
  EXPECT_NEAR(shuffling, 1e9 / 132 / find_board("H200").device.sm_clock_mhz, 0.01 * shuffling);
  EXPECT_DOUBLE_EQ(2 * us(votes).breakdown.exchange, shuffling);
  EXPECT_DOUBLE_EQ(us(reductions).breakdown.exchange, 2 * shuffling);
  EXPECT_EQ(us(matches).limited_by, "lane exchanges");
  EXPECT_GT(us(matches).us, us(loads).us + shuffling);
}

TEST(CountedCode, a_block_of_half_a_warp_issues_as_many_instructions_as_one_of_a_whole_warp) {
  HotLoop straight = kMultiplyAdds;
  straight.is_loop = false;
  const auto issue_us = [&](int threads) {
    LaunchFacts launch = arithmetic(straight);
    launch.grid = 1 << 16;
    launch.block = threads;
    launch.access = {.load_requests = 1e4, .load_sectors = 4e4};
    Work work = kProduct;
    work.operations = traced_operations({launch});
    return predict(find_board("H200").device, work, {launch}).breakdown.issue;
  };
  EXPECT_DOUBLE_EQ(issue_us(16), issue_us(32));
  EXPECT_DOUBLE_EQ(2 * issue_us(32), issue_us(48));
}

}  // namespace
}  // namespace warpwright::tuner
