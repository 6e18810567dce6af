// Tests occupancy against known values of the CUDA occupancy calculator.
#include "tuner/cost_model/occupancy.hpp"

#include <gtest/gtest.h>

#include <rapidcheck/gtest.h>
#include <stdexcept>

#include "kernels/core/boards.hpp"
#include "kernels/core/target.hpp"

namespace warpwright::tuner {
namespace {

struct Known {
  int compute_capability;
  BlockResources block;
  int blocks_per_sm;
  double fraction;
  const char* limit;
};

class KnownOccupancy : public testing::TestWithParam<Known> {};

TEST_P(KnownOccupancy, is_reproduced) {
  const Known& known = GetParam();
  const Occupancy result = occupancy(default_board(known.compute_capability).device, known.block);
  EXPECT_EQ(result.blocks_per_sm, known.blocks_per_sm);
  EXPECT_DOUBLE_EQ(result.fraction, known.fraction);
  EXPECT_EQ(result.limit, known.limit);
}

INSTANTIATE_TEST_SUITE_P(
    Calculator, KnownOccupancy,
    testing::Values(
        Known{75, {.block_size = 256, .registers = 32}, 4, 1.0, "warps"},
        Known{75, {.block_size = 64, .registers = 32}, 16, 1.0, "warps"},
        Known{75, {.block_size = 96, .registers = 32}, 10, 0.9375, "warps"},
        Known{75, {.block_size = 384, .registers = 32}, 2, 0.75, "warps"},
        Known{75, {.block_size = 640, .registers = 32}, 1, 0.625, "warps"},
        Known{75, {.block_size = 256, .registers = 96}, 2, 0.5, "registers"},
        Known{75, {.block_size = 32, .registers = 16}, 16, 0.5, "blocks"},
        Known{75, {.block_size = 256, .registers = 32, .static_shared_bytes = 33280}, 1, 0.25, "shared memory"},
        Known{80, {.block_size = 256, .registers = 32}, 8, 1.0, "warps"},
        Known{80, {.block_size = 128, .registers = 255}, 2, 0.125, "registers"},
        Known{86, {.block_size = 1024, .registers = 32}, 1, 1024.0 / 1536, "warps"},
        Known{89, {.block_size = 32, .registers = 16}, 24, 0.5, "blocks"},
        Known{90, {.block_size = 256, .registers = 64}, 4, 0.5, "registers"},
        Known{90, {.block_size = 128, .registers = 32, .dynamic_shared_bytes = 100 * 1024}, 2, 0.125, "shared memory"},
        Known{90, {.block_size = 33, .registers = 16}, 32, 1.0, "warps"},
        Known{120, {.block_size = 512, .registers = 40}, 3, 1.0, "warps"}),
    [](const auto& test) { return "number_" + std::to_string(test.index); });

TEST(Occupancy, says_why_a_block_cannot_be_launched) {
  const Device device = default_board(75).device;
  EXPECT_EQ(occupancy(device, {.block_size = 1056, .registers = 16}).limit, "block size");
  EXPECT_EQ(occupancy(device, {.block_size = 512, .registers = 16, .max_block_size = 256}).limit, "launch bounds");
  EXPECT_EQ(occupancy(device, {.block_size = 1024, .registers = 128}).limit, "registers");
  const BlockResources too_much{.block_size = 64, .static_shared_bytes = 40000, .dynamic_shared_bytes = 30000};
  EXPECT_EQ(occupancy(device, too_much).limit, "shared memory");
  for (const BlockResources& block : {BlockResources{.block_size = 1056, .registers = 16},
                                      BlockResources{.block_size = 1024, .registers = 128}, too_much}) {
    EXPECT_EQ(occupancy(device, block).blocks_per_sm, 0);
    EXPECT_EQ(occupancy(device, block).fraction, 0);
  }
}

TEST(Occupancy, opting_in_to_all_shared_memory_leaves_room_for_one_block_on_every_device) {
  for (const int cc : supported_architectures()) {
    const Device device = default_board(cc).device;
    const Occupancy all =
        occupancy(device, {.block_size = 128, .registers = 32, .dynamic_shared_bytes = device.shared_per_block_optin});
    EXPECT_EQ(all.blocks_per_sm, 1) << device.arch();
    EXPECT_EQ(all.limit, "shared memory") << device.arch();
  }
}

TEST(Occupancy, small_blocks_match_the_table_of_blocks_per_sm_on_every_device) {
  for (const int cc : supported_architectures()) {
    const Device device = default_board(cc).device;
    EXPECT_EQ(occupancy(device, {.block_size = 32, .registers = 8}).blocks_per_sm, device.max_blocks_per_sm)
        << device.arch();
  }
}

TEST(Occupancy, unknown_devices_and_negative_resources_are_errors) {
  Device device = default_board(75).device;
  EXPECT_THROW(occupancy(device, {.block_size = 0}), std::invalid_argument);
  EXPECT_THROW(occupancy(device, {.block_size = 32, .registers = -1}), std::invalid_argument);
  device.compute_capability = 200;
  EXPECT_THROW(occupancy(device, {.block_size = 32, .registers = 16}), std::invalid_argument);
}

RC_GTEST_PROP(OccupancyProperty, more_registers_or_shared_memory_never_raise_it, ()) {
  const std::vector<int> known = supported_architectures();
  const Device device = default_board(known[*rc::gen::inRange<std::size_t>(0, known.size())]).device;
  const BlockResources block{.block_size = *rc::gen::inRange(1, 1025),
                             .registers = *rc::gen::inRange(8, 200),
                             .dynamic_shared_bytes = *rc::gen::inRange(0, 40000)};
  BlockResources more = block;
  more.registers += *rc::gen::inRange(0, 55);
  more.dynamic_shared_bytes += *rc::gen::inRange(0, 20000);
  const Occupancy one = occupancy(device, block);
  const Occupancy two = occupancy(device, more);
  RC_ASSERT(two.blocks_per_sm <= one.blocks_per_sm);
  RC_ASSERT(0 <= two.fraction && two.fraction <= 1);
}

}  // namespace
}  // namespace warpwright::tuner
