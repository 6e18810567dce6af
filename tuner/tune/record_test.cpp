// Tests of what is stored of a session.
#include "tuner/tune/record.hpp"

#include <gtest/gtest.h>

namespace warpwright::tuner {
namespace {

TEST(RaiseCeilings, KeepsTheHighestOfASessionAndKnowsTheBusOnlyWhereSomethingCrossedIt) {
  db::Session session;
  raise_ceilings(session, {.copy_gbs = 4000, .read_gbs = 4400});
  EXPECT_EQ(session.copy_gbs, 4000);
  EXPECT_EQ(session.read_gbs, 4400);
  EXPECT_FALSE(session.bus_to_device_gbs);
  EXPECT_FALSE(session.bus_to_host_gbs);
  raise_ceilings(
      session,
      {.copy_gbs = 3000, .read_gbs = 4500, .float_gflops = 60e3, .bus = {.to_device_gbs = 55, .to_host_gbs = 50}});
  raise_ceilings(session, {.copy_gbs = 3000, .read_gbs = 4400, .bus = {.to_device_gbs = 54, .to_host_gbs = 52}});
  EXPECT_EQ(session.copy_gbs, 4000);
  EXPECT_EQ(session.read_gbs, 4500);
  EXPECT_EQ(session.bus_to_device_gbs, 55);
  EXPECT_EQ(session.bus_to_host_gbs, 52);
  EXPECT_EQ(session.float_gflops, 60e3);
  EXPECT_FALSE(session.double_gflops);
}

}  // namespace
}  // namespace warpwright::tuner
