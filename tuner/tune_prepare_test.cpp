// What is refused before it is launched.
#include "tuner/tune_prepare.hpp"

#include <gtest/gtest.h>

namespace warpwright::tuner {
namespace {

/// A configuration of one launch, of which an SM holds two blocks.
Prepared one_launch(const Dim3& grid, bool cooperative) {
  const Launch launch{
      .entry = "k", .grid = grid, .block = {.x = 256}, .shared_bytes = 0, .arguments = {}, .cooperative = cooperative};
  return {.kernel = nullptr,
          .params = {},
          .plan = {.buffers = {}, .steps = {{.what = launch}}},
          .built = {},
          .occupancy = {{.blocks_per_sm = 2, .fraction = 0.5, .limit = "registers"}}};
}

TEST(Prepare, ACooperativeGridThatTheDeviceCannotHoldIsRefused) {
  Device device;
  device.sm_count = 40;
  EXPECT_EQ(refuses_launch(one_launch({.x = 80}, true), device), "");
  EXPECT_EQ(refuses_launch(one_launch({.x = 81}, true), device),
            "a cooperative launch of 81 blocks, of which the device holds 80 at a time");
  EXPECT_EQ(refuses_launch(one_launch({.x = 81}, false), device), "");
}

TEST(Prepare, AGridBeyondTheLimitAndABlockWithoutRoomAreRefused) {
  EXPECT_EQ(refuses_launch(one_launch({.x = 1, .y = 65536}, false), Device{}), "a grid of 65536 x 1 blocks in y and z");
  Prepared prepared = one_launch({.x = 1}, false);
  prepared.occupancy[0].blocks_per_sm = 0;
  EXPECT_EQ(refuses_launch(prepared, Device{}), "too much registers for one block");
}

}  // namespace
}  // namespace warpwright::tuner
