// Tests the least possible time, on plain numbers and on a recorded space that was never verified and has impossible
// times.
#include "tuner/cost_model/speed_of_light.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "kernels/core/boards.hpp"
#include "tuner/search/recorded_spaces_test.hpp"
#include "tuner/search/replay.hpp"

namespace warpwright::tuner {
namespace {

Device toy() {
  Device device;
  device.memory_bandwidth_gbs = 100;
  device.l2_bytes = 1000000;
  device.sm_count = 10;
  device.sm_clock_mhz = 1000;
  device.fp32_lanes_per_sm = 64;
  device.fp64_lanes_per_sm = 2;
  return device;
}

TEST(SpeedOfLight, reads_count_in_full_and_writes_beyond_the_l2) {
  EXPECT_DOUBLE_EQ(speed_of_light_us({.bytes_read = 1e9}, toy()), 1e4);
  EXPECT_DOUBLE_EQ(speed_of_light_us({.bytes_written = 1e6}, toy()), 0);
  EXPECT_DOUBLE_EQ(speed_of_light_us({.bytes_read = 1e9, .bytes_written = 2e6}, toy()), 1e4 + 10);
}

TEST(SpeedOfLight, is_the_larger_of_the_bytes_and_the_flops) {
  const Work work{.bytes_read = 1e6, .operations = 1.28e9};
  EXPECT_DOUBLE_EQ(speed_of_light_us(work, toy()), 1e3);
  EXPECT_DOUBLE_EQ(speed_of_light_us({.bytes_read = 1e9, .operations = 1.28e9}, toy()), 1e4);
  EXPECT_DOUBLE_EQ(speed_of_light_us({.operations = 1.28e9, .arithmetic = ElementType::f64}, toy()), 32e3);
}

TEST(SpeedOfLight, doubles_may_go_through_the_matrix_units) {
  const Work work{.operations = 1.28e9, .arithmetic = ElementType::f64};
  Device device = toy();
  device.compute_capability = 90;
  device.fp64_lanes_per_sm = 64;
  EXPECT_DOUBLE_EQ(speed_of_light_us(work, device), 500);
  device.compute_capability = 89;
  EXPECT_DOUBLE_EQ(speed_of_light_us(work, device), 1e3);
}

TEST(SpeedOfLight, products_of_halves_may_go_through_the_matrix_units) {
  Work work{.operations = 1.28e9};
  Device device = toy();
  device.compute_capability = 90;
  EXPECT_DOUBLE_EQ(speed_of_light_us(work, device), 1e3);
  work.half_products = 1;
  EXPECT_DOUBLE_EQ(speed_of_light_us(work, device), 1e3 * 64 / 2048);
  device.compute_capability = 75;
  EXPECT_DOUBLE_EQ(speed_of_light_us(work, device), 1e3 * 64 / 512);
  work.half_products = 3;
  EXPECT_DOUBLE_EQ(speed_of_light_us(work, device), 1e3 * 64 * 3 / 512) << "products of floats by parts of 16 bits";
}

TEST(SpeedOfLight, the_bus_works_in_both_directions_at_once) {
  const Work work{.bytes_read = 1e6, .bus_to_device = 4e9, .bus_to_host = 1e9};
  EXPECT_DOUBLE_EQ(speed_of_light_us(work, toy(), {.to_device_gbs = 40, .to_host_gbs = 50}), 1e5);
  EXPECT_DOUBLE_EQ(speed_of_light_us(work, toy(), {.to_device_gbs = 40, .to_host_gbs = 5}), 2e5);
  EXPECT_DOUBLE_EQ(speed_of_light_us(work, toy()), 10) << "a bus that is not known proves nothing";
  EXPECT_DOUBLE_EQ(bus_speed_of_light_us({.bytes_read = 1e9}, {.to_device_gbs = 40, .to_host_gbs = 50}), 0);
  EXPECT_TRUE(impossible(9e4, speed_of_light_us(work, toy(), {.to_device_gbs = 40, .to_host_gbs = 50}), 0.5));
}

TEST(SpeedOfLight, outputs_written_by_host_steps_are_no_work_of_the_device) {
  const HostWork host{.source = "work.cuh",
                      .function = "work",
                      .arguments = {},
                      .accesses = {{"out", 0, 100, true}, {"out", 0, 400, false}, {"mine", 0, 400, true}}};
  Plan plan{.buffers = {{.name = "out", .role = Role::out, .count = 100, .where = Where::pinned},
                        {.name = "mine", .role = Role::scratch, .count = 100, .where = Where::pinned}},
            .steps = {{.what = host}}};
  const Work work{
      .bytes_read = 4, .bytes_written = 8, .operations = 16, .steps = 32, .bus_to_device = 64, .bus_to_host = 128};
  const Work left = device_work(work, plan);
  EXPECT_EQ(left.bytes_written, 6);
  EXPECT_EQ(left.operations, 12);
  EXPECT_EQ(left.bus_to_device, 48);
  EXPECT_EQ(left.bus_to_host, 96);
  plan.steps.clear();
  EXPECT_EQ(device_work(work, plan), work);
}

TEST(SpeedOfLight, unknown_figures_of_a_board_are_left_out) {
  Device device = toy();
  device.memory_bandwidth_gbs = 0;
  device.sm_clock_mhz = 0;
  EXPECT_EQ(speed_of_light_us({.bytes_read = 1e9, .operations = 1e9}, device), 0);
}

TEST(SpeedOfLight, only_times_clearly_below_the_limit_are_impossible) {
  EXPECT_TRUE(impossible(90, 100, 0.5));
  EXPECT_FALSE(impossible(98, 100, 0.5)) << "within the tolerance";
  EXPECT_FALSE(impossible(101, 100, 0.5));
  EXPECT_TRUE(impossible(std::nan(""), 100, 0.5));
}

TEST(SpeedOfLight, a_limit_near_the_event_resolution_rejects_nothing) {
  EXPECT_FALSE(impossible(0.1, 1.5, 0.5));
  EXPECT_TRUE(impossible(0.1, 2.5, 0.5));
}

TEST(SpeedOfLight, the_impossible_times_of_the_unverified_pnpoly_recording_are_rejected) {
  const std::string path = recorded_space("pnpoly__RTX_2080_Ti.IMPOSSIBLE");
  if (path.empty()) GTEST_SKIP() << "no recorded spaces here";
  const RecordedSpace recorded = read_kernel_tuner_cache(path);
  const Work work{.bytes_read = 20e6 * 8, .bytes_written = 20e6 * 4};
  const double shortest = speed_of_light_us(work, find_board("GeForce RTX 2080 Ti").device);
  EXPECT_NEAR(shortest, 260 + 80e6 / 616e3, 15) << "two floats a point in, one int a point out";
  int rejected = 0;
  for (const double ms : recorded.costs) rejected += std::isfinite(ms) && impossible(ms * 1e3, shortest, 0.5) ? 1 : 0;
  EXPECT_GT(rejected, 3700);
  const double best_ms = *std::min_element(recorded.costs.begin(), recorded.costs.end());
  EXPECT_TRUE(impossible(best_ms * 1e3, shortest, 0.5)) << best_ms << " ms";
}

TEST(SpeedOfLight, plausible_recordings_are_not_rejected) {
  struct Recording {
    const char* file;
    const char* board;
    Work work;
  };
  const Recording recordings[] = {
      {"pnpoly__RTX_3090", "GeForce RTX 3090", {.bytes_read = 20e6 * 8, .bytes_written = 20e6 * 4}},
      {"sgemm__H200", "H200", {.bytes_read = 2 * 2048.0 * 2048 * 4, .operations = 2 * std::pow(2048.0, 3)}},
      {"convolution_milo__A4000", "RTX A4000", {.bytes_read = 4096.0 * 4096 * 4, .bytes_written = 4096.0 * 4096 * 4}}};
  for (const Recording& recording : recordings) {
    const std::string path = recorded_space(recording.file);
    if (path.empty()) GTEST_SKIP() << "no recorded spaces here";
    const RecordedSpace recorded = read_kernel_tuner_cache(path);
    const double shortest = speed_of_light_us(recording.work, find_board(recording.board).device);
    EXPECT_GT(shortest, 0);
    for (const double ms : recorded.costs) {
      if (!std::isfinite(ms)) continue;
      ASSERT_FALSE(impossible(ms * 1e3, shortest, 0.5)) << recording.file << ": " << ms << " ms";
    }
  }
}

TEST(SensorCheck, twice_the_work_must_take_twice_the_time) {
  EXPECT_TRUE(check_sensor(100, 200).passed);
  EXPECT_TRUE(check_sensor(100, 219).passed);
  EXPECT_FALSE(check_sensor(100, 221).passed);
  EXPECT_FALSE(check_sensor(100, 100).passed);
  EXPECT_DOUBLE_EQ(check_sensor(100, 190).ratio, 1.9);
}

TEST(SensorCheck, the_launch_overhead_is_subtracted_first) {
  EXPECT_FALSE(check_sensor(13, 23, 0, 0.05).passed);
  EXPECT_TRUE(check_sensor(13, 23, 3, 0.05).passed);
}

TEST(SensorCheck, a_clock_that_stands_still_or_returns_nonsense_never_passes) {
  EXPECT_FALSE(check_sensor(0, 0).passed);
  EXPECT_FALSE(check_sensor(3, 6, 5).passed);
  EXPECT_FALSE(check_sensor(std::nan(""), 5).passed);
  EXPECT_FALSE(check_sensor(5, std::nan("")).passed);
}

}  // namespace
}  // namespace warpwright::tuner
