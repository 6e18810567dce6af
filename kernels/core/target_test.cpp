// Tests of the table of architectures, and of the names of architectures and targets.
#include "kernels/core/target.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/core/error_of.hpp"

namespace warpwright {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(Architectures, limits_agree_with_the_table_of_measured_devices) {
  const Device turing = architecture_limits(75);
  EXPECT_EQ(turing.max_threads_per_sm, 1024);
  EXPECT_EQ(turing.shared_per_block_optin, 65536);
  const Device hopper = architecture_limits(90);
  EXPECT_EQ(hopper.shared_per_sm, 233472);
  EXPECT_EQ(hopper.shared_per_block_optin, 232448);
  EXPECT_EQ(hopper.shared_reserved_per_block, 1024);
  EXPECT_EQ(architecture_limits(80).shared_per_block_optin, 166912);
  EXPECT_EQ(architecture_limits(120).shared_per_block_optin, 101376);
  EXPECT_EQ(architecture_limits(89).max_blocks_per_sm, 24);
  EXPECT_THROW(architecture_limits(70), std::invalid_argument);
}

TEST(Architectures, are_read_in_three_spellings) {
  for (const char* text : {"sm_75", "75", "7.5", "SM_75"}) EXPECT_EQ(parse_arch(text), 75) << text;
  for (const char* text : {"sm_120", "120", "12.0"}) EXPECT_EQ(parse_arch(text), 120) << text;
}

TEST(Architectures, an_unknown_one_lists_the_supported_ones) {
  for (const char* text : {"sm_70", "", "sm_", "7.5.1", "75a", "native", "7.", "-75", "sm_9000000000000"}) {
    EXPECT_THAT(error_of([&] { parse_arch(text); }),
                AllOf(HasSubstr("unknown architecture"), HasSubstr("sm_75, sm_80")))
        << text;
  }
}

TEST(Targets, host_targets_are_named_after_the_architecture_that_they_simulate) {
  EXPECT_EQ(host_target(75), "host/sm_75");
  EXPECT_TRUE(is_host("host/sm_75"));
  for (const char* gpu : {"sm_75", "native", "host", ""}) EXPECT_FALSE(is_host(gpu)) << gpu;
  EXPECT_EQ(architecture_of("host/sm_120"), 120);
  EXPECT_EQ(architecture_of("sm_86"), 86);
}

TEST(Targets, are_read_as_people_spell_them) {
  EXPECT_EQ(parse_target("host"), host_target(default_architecture)) << "nobody named one";
  for (const char* text : {"host/sm_80", "host/8.0", "host/80"}) EXPECT_EQ(parse_target(text), "host/sm_80") << text;
  for (const char* text : {"sm_90", "native"}) EXPECT_EQ(parse_target(text), text);
  for (const char* text : {"host/", "host/sm_70", "host/native"})
    EXPECT_THAT(error_of([&] { parse_target(text); }), HasSubstr("unknown architecture")) << text;
}

TEST(Targets, the_host_has_the_limits_of_the_architecture_and_few_SMs) {
  for (const int capability : supported_architectures()) {
    const Device& device = host_device(host_target(capability));
    const Device limits = architecture_limits(capability);
    EXPECT_EQ(device.compute_capability, capability);
    EXPECT_EQ(device.shared_per_block_optin, limits.shared_per_block_optin);
    EXPECT_EQ(device.max_threads_per_sm, limits.max_threads_per_sm);
    EXPECT_EQ(device.fp64_lanes_per_sm, limits.fp64_lanes_per_sm);
    EXPECT_EQ(device.sm_count, 3);
  }
  EXPECT_EQ(host_device().compute_capability, default_architecture);
  for (const char* text : {"sm_90", "host", "host/sm_70"})
    EXPECT_THAT(error_of([&] { host_device(text); }), HasSubstr("no target of the simulator")) << text;
}

}  // namespace
}  // namespace warpwright
