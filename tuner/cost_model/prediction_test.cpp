// Tests that the model reacts in the right direction, and that it agrees with published times.
#include "tuner/cost_model/prediction.hpp"

#include <gtest/gtest.h>

#include <rapidcheck/gtest.h>
#include <cmath>
#include <stdexcept>

#include "kernels/core/boards.hpp"
#include "kernels/core/target.hpp"

namespace warpwright::tuner {
namespace {

constexpr double elements = 1e8;

/// Predicts one launch with these accesses.
Prediction predict_one(const Device& device, const Work& work, LaunchFacts launch, const AccessFacts& access) {
  launch.access = access;
  return predict(device, work, {launch});
}

LaunchFacts one_thread_each(int block) {
  return {.grid = static_cast<std::uint64_t>(std::ceil(elements / block)), .block = block, .registers = 20};
}

/// z = x + y on 1e8 floats, one element per thread.
Prediction vector_add(const char* board, int block) {
  const AccessFacts access{.load_requests = 2 * elements / 32,
                           .load_sectors = 2 * elements / 8,
                           .store_requests = elements / 32,
                           .store_sectors = elements / 8};
  return predict_one(find_board(board).device, {.bytes_read = 8 * elements, .bytes_written = 4 * elements},
                     one_thread_each(block), access);
}

/// Transposes of 10000 x 10000 floats with blocks of 32 x 32 threads, one element per thread.
double transpose_ms(double load_sectors, double store_sectors, double shared_wavefronts_per_load) {
  const double requests = elements / 32;
  AccessFacts access{.load_requests = requests,
                     .load_sectors = requests * load_sectors,
                     .store_requests = requests,
                     .store_sectors = requests * store_sectors};
  LaunchFacts launch = one_thread_each(1024);
  if (shared_wavefronts_per_load > 0) {
    access.shared_requests = 2 * requests;
    access.shared_wavefronts = requests * (1 + shared_wavefronts_per_load);
    access.barriers = requests;
    launch.static_shared_bytes = 32 * 33 * 4;
  }
  return predict_one(find_board("2080 Ti").device, {.bytes_read = 4 * elements, .bytes_written = 4 * elements}, launch,
                     access)
             .us /
         1e3;
}

TEST(Prediction, vector_additions_agree_with_published_times_within_a_quarter) {
  EXPECT_NEAR(vector_add("2080 Ti", 128).us, 2100, 0.25 * 2100);
  EXPECT_NEAR(vector_add("GeForce RTX 2070", 128).us, 3300, 0.25 * 3300);
}

TEST(Prediction, one_float_per_thread_on_an_h200_is_bound_by_block_starts_and_close_to_the_measured_time) {
  const double n = std::pow(2.0, 28);
  const LaunchFacts launch{.grid = 1u << 21, .block = 128, .registers = 16};
  const Prediction scale = predict(find_board("H200").device, {.bytes_read = 4 * n, .bytes_written = 4 * n}, {launch});
  EXPECT_EQ(scale.limited_by, "block starts");
  EXPECT_NEAR(scale.us, 1272, 0.25 * 1272);
  LaunchFacts coarse = launch;
  coarse.grid /= 8;
  EXPECT_LT(predict(find_board("H200").device, {.bytes_read = 4 * n, .bytes_written = 4 * n}, {coarse}).us, 600);
}

TEST(Prediction, a_million_small_blocks_take_as_long_as_measured_whatever_their_work) {
  // Transposes of 8192 x 8192 with tiles of 8 x 8 on an H200: 634 to 636 us, for floats and for doubles.
  for (const double size : {4.0, 8.0}) {
    const double n = std::pow(2.0, 26);
    const LaunchFacts launch{.grid = 1u << 20, .block = 64, .registers = 18};
    const Prediction small =
        predict(find_board("H200").device, {.bytes_read = size * n, .bytes_written = size * n}, {launch});
    EXPECT_EQ(small.limited_by, "block starts");
    EXPECT_NEAR(small.us, 635, 0.05 * 635);
  }
}

TEST(Prediction, barriers_cost_little_if_several_blocks_alternate) {
  const double n = std::pow(2.0, 26);
  const auto phases = [&](int block) {
    const AccessFacts access{.load_requests = n / 32,
                             .load_sectors = n / 4,
                             .store_requests = n / 32,
                             .store_sectors = n / 4,
                             .shared_requests = n / 16,
                             .shared_wavefronts = n / 16,
                             .barriers = n / 128};
    const LaunchFacts launch{.grid = static_cast<std::uint64_t>(n / 4) / block, .block = block, .registers = 28};
    return predict_one(find_board("H100 SXM").device, {.bytes_read = 8 * n, .bytes_written = 8 * n}, launch, access)
        .breakdown;
  };
  // Two, four and eight blocks per SM.
  EXPECT_NEAR(phases(1024).barriers / phases(1024).dram, 0.16, 0.02);
  EXPECT_NEAR(phases(512).barriers / phases(512).dram, 0.0256, 0.004);
  EXPECT_LT(phases(256).barriers / phases(256).dram, 0.001);
}

TEST(Prediction, optimised_kernels_on_an_h200_are_within_a_fifth_of_the_libraries) {
  const Device device = find_board("H200").device;
  const double n = std::pow(2.0, 28);
  const AccessFacts vectors{
      .load_requests = n / 128, .load_sectors = n / 8, .store_requests = n / 128, .store_sectors = n / 8};
  const Work copied{.bytes_read = 4 * n, .bytes_written = 4 * n};
  EXPECT_NEAR(predict_one(device, copied, {.grid = 1u << 18, .block = 256, .registers = 32}, vectors).us, 498, 100);

  const LaunchFacts grid_stride{.grid = 132 * 8, .block = 256, .registers = 32, .independent_loads = 4};
  const AccessFacts reads{.load_requests = n / 128, .load_sectors = n / 8};
  EXPECT_NEAR(predict_one(device, {.bytes_read = 4 * n, .bytes_written = 4}, grid_stride, reads).us, 242, 48);

  const double cells = 8192.0 * 8192;
  const AccessFacts tiled{.load_requests = cells / 32,
                          .load_sectors = cells / 8,
                          .store_requests = cells / 32,
                          .store_sectors = cells / 8,
                          .shared_requests = cells / 16,
                          .shared_wavefronts = cells / 16,
                          .barriers = cells / 128};
  const LaunchFacts tiles{.grid = 256 * 256, .block = 256, .registers = 32, .static_shared_bytes = 4224};
  EXPECT_NEAR(predict_one(device, {.bytes_read = 4 * cells, .bytes_written = 4 * cells}, tiles, tiled).us, 139, 28);
}

TEST(Prediction, rereading_data_that_fits_the_l2_costs_no_memory_bandwidth) {
  const Device device = find_board("H200").device;
  const LaunchFacts launch{.grid = 1024, .block = 256, .registers = 32};
  const AccessFacts once{.load_requests = 1e5, .load_sectors = 4e5};
  const AccessFacts again{.load_requests = 1e6, .load_sectors = 4e6};
  const Work work{.bytes_read = 4e5 * 32};
  EXPECT_DOUBLE_EQ(predict_one(device, work, launch, again).breakdown.dram,
                   predict_one(device, work, launch, once).breakdown.dram);
  EXPECT_GT(predict_one(device, work, launch, again).breakdown.l2,
            predict_one(device, work, launch, once).breakdown.l2);
}

TEST(Prediction, the_five_published_transposes_are_ranked_correctly_and_within_a_quarter) {
  const double copy = transpose_ms(4, 4, 0);
  const double coalesced_read = transpose_ms(4, 32, 0);
  const double coalesced_write = transpose_ms(32, 4, 0);
  const double conflicts = transpose_ms(4, 4, 32);
  const double padded = transpose_ms(4, 4, 1);
  EXPECT_LT(copy, padded);
  EXPECT_LT(padded, coalesced_write);
  EXPECT_LT(coalesced_write, conflicts);
  EXPECT_LT(conflicts, coalesced_read);
  EXPECT_NEAR(copy, 1.6, 0.25 * 1.6);
  EXPECT_NEAR(coalesced_read, 5.3, 0.25 * 5.3);
  EXPECT_NEAR(coalesced_write, 2.8, 0.25 * 2.8);
  EXPECT_NEAR(conflicts, 3.5, 0.25 * 3.5);
  EXPECT_NEAR(padded, 2.3, 0.25 * 2.3);
}

struct Case {
  Device device;
  Work work;
  LaunchFacts launch;
  AccessFacts access;

  double us() const { return predict_one(device, work, launch, access).us; }
};

Case any_case() {
  const std::vector<int> known = supported_architectures();
  Case drawn;
  drawn.device = default_board(known[*rc::gen::inRange<std::size_t>(0, known.size())]).device;
  const int log_elements = *rc::gen::inRange(10, 30);
  const double n = std::exp2(log_elements);
  const int coarsening = 1 << *rc::gen::inRange(0, 5);
  const int block = 32 << *rc::gen::inRange(0, 5);
  drawn.work = {.bytes_read = 4 * n, .bytes_written = 4 * n, .operations = n * *rc::gen::inRange(0, 200)};
  drawn.launch = {.grid = static_cast<std::uint64_t>(std::ceil(n / coarsening / block)),
                  .block = block,
                  .registers = *rc::gen::inRange(16, 65)};
  const double requests = n / 32;
  drawn.access = {.load_requests = requests,
                  .load_sectors = requests * *rc::gen::inRange(4, 33),
                  .store_requests = requests,
                  .store_sectors = requests * *rc::gen::inRange(4, 33),
                  .shared_requests = requests,
                  .shared_wavefronts = requests * *rc::gen::inRange(1, 33),
                  .barriers = requests * *rc::gen::inRange(0, 3)};
  return drawn;
}

RC_GTEST_PROP(PredictionProperty, more_sectors_conflicts_barriers_atomics_flops_or_spills_are_never_faster, ()) {
  const Case base = any_case();
  const double more = *rc::gen::inRange(1, 1000000);
  const auto slower = [&](auto&& change) {
    Case changed = base;
    change(changed);
    RC_ASSERT(changed.us() >= base.us());
  };
  slower([&](Case& c) { c.access.load_sectors += more; });
  slower([&](Case& c) { c.access.store_sectors += more; });
  slower([&](Case& c) { c.access.shared_wavefronts += more; });
  slower([&](Case& c) { c.access.barriers += more; });
  slower([&](Case& c) { c.access.atomics += more; });
  slower([&](Case& c) { c.access.atomics_same_line += more; });
  slower([&](Case& c) { c.work.operations += more; });
  slower([&](Case& c) { c.launch.spill_bytes += 16; });
  slower([&](Case& c) { c.launch.handovers += more; });
}

RC_GTEST_PROP(PredictionProperty, lower_occupancy_is_never_faster_for_coalesced_kernels_of_many_waves, ()) {
  Case base = any_case();
  base.launch.grid = 10000000;
  base.access.load_sectors = 4 * base.access.load_requests;
  base.access.store_sectors = 4 * base.access.store_requests;
  Case fewer = base;
  fewer.launch.dynamic_shared_bytes = *rc::gen::inRange(0, 48 * 1024);
  RC_ASSERT(fewer.us() >= base.us() * 0.999);
}

RC_GTEST_PROP(PredictionProperty, a_board_with_more_bandwidth_clock_and_cache_is_never_slower, ()) {
  const Case base = any_case();
  Case better = base;
  better.device.memory_bandwidth_gbs *= 2;
  better.device.sm_clock_mhz *= 2;
  better.device.l2_bytes *= 2;
  RC_ASSERT(better.us() <= base.us());
}

RC_GTEST_PROP(PredictionProperty, no_prediction_is_below_the_speed_of_light, ()) {
  const Case drawn = any_case();
  RC_ASSERT(drawn.us() >= speed_of_light_us(drawn.work, drawn.device));
}

/// A loop of 64 multiply-adds and 16 loads from shared memory, run as often as a product of 2048 x 2048 x 2048 needs,
/// with blocks of 256 threads.
LaunchFacts arithmetic(const HotLoop& loop) {
  return {.grid = 4 * 132, .block = 256, .registers = 64, .loop = loop};
}
constexpr HotLoop kMultiplyAdds{.is_loop = true,
                                .operations = 128,
                                .instructions = 88,
                                .fp32 = 64,
                                .integer = 8,
                                .shared = 16,
                                .alone_clocks = 200};
const Work kProduct{.bytes_read = 3.4e7, .bytes_written = 1.7e7, .operations = 2 * std::pow(2048.0, 3)};

Prediction predict_loop(const char* board, const HotLoop& loop, const Work& work = kProduct) {
  return predict_one(find_board(board).device, work, arithmetic(loop),
                     {.load_requests = 1e6, .load_sectors = 4e6, .shared_requests = 16.0 * work.operations / 128 / 32});
}

TEST(Prediction, arithmetic_is_limited_by_the_issue_rate) {
  // 88 instructions for 64 multiply-adds, so at most 64 / 88 of the peak of 67 TFLOP/s.
  const Prediction one = predict_loop("H200", kMultiplyAdds);
  EXPECT_EQ(one.limited_by, "issue");
  EXPECT_GT(one.us, kProduct.operations / 67e6 * 88 / 64);
  EXPECT_LT(one.us, 1.5 * kProduct.operations / 67e6 * 88 / 64);
  HotLoop lean = kMultiplyAdds;
  lean.instructions = 72;
  EXPECT_LT(predict_loop("H200", lean).us, one.us);
}

TEST(Prediction, few_barriers_among_many_loads_cost_little_memory_time) {
  const auto idle = [](double barriers) {
    return predict_one(find_board("H200").device, kProduct, {.grid = 132, .block = 640, .registers = 64},
                       {.load_requests = 5e5, .load_sectors = 2e6, .barriers = barriers})
        .breakdown.barriers;
  };
  EXPECT_GT(idle(1e5), 0);
  EXPECT_NEAR(idle(1e5), idle(2e5), 1e-2 * idle(1e5)) << "they are everywhere";
  EXPECT_NEAR(idle(5e3), 0.08 * idle(1e5), 1e-2 * idle(1e5));
}

TEST(Prediction, loads_that_hit_the_l1_cost_neither_l2_nor_memory_bandwidth) {
  const auto with_excess = [](double shared_requests) {
    return predict_one(find_board("H200").device, kProduct, arithmetic(kMultiplyAdds),
                       {.load_requests = 1e7, .load_sectors = 4e7, .shared_requests = shared_requests})
        .breakdown;
  };
  const Breakdown cached = with_excess(0), staged = with_excess(1e6);
  EXPECT_LT(cached.l2, 0.3 * staged.l2);
  EXPECT_LT(cached.dram, 0.35 * staged.dram);
}

TEST(Prediction, the_busiest_lanes_limit_arithmetic) {
  HotLoop roots = kMultiplyAdds;
  roots.special = 64;
  EXPECT_EQ(predict_loop("H200", roots).limited_by, "special functions");
  EXPECT_GT(predict_loop("H200", roots).us, 4 * predict_loop("H200", kMultiplyAdds).us);
  HotLoop doubles = kMultiplyAdds;
  doubles.fp32 = 0;
  doubles.fp64 = 64;
  Work work = kProduct;
  work.arithmetic = ElementType::f64;
  // 64 double lanes on an H200, 2 on an L4.
  EXPECT_LT(predict_loop("H200", doubles, work).us, 2.5 * predict_loop("H200", kMultiplyAdds).us);
  EXPECT_GT(predict_loop("L4", doubles, work).us, 30 * predict_loop("L4", kMultiplyAdds).us);
}

TEST(Prediction, latency_shows_if_few_warps_are_resident) {
  HotLoop slow = kMultiplyAdds;
  slow.alone_clocks = 2000;
  LaunchFacts many = arithmetic(slow);
  LaunchFacts few = many;
  few.registers = 255;
  const Device device = find_board("H200").device;
  EXPECT_GT(predict(device, kProduct, {few}).us, 1.5 * predict(device, kProduct, {many}).us);
  EXPECT_EQ(predict(device, kProduct, {few}).limited_by, "instruction latency");
}

TEST(Prediction, operations_are_divided_among_launches_by_the_memory_accesses_of_their_loops) {
  const Device device = find_board("H200").device;
  LaunchFacts main = arithmetic(kMultiplyAdds);
  main.access.shared_requests = 16.0 * kProduct.operations / 128 / 32;
  // Many threads that each add up a little.
  LaunchFacts finish{
      .grid = 1u << 16,
      .block = 256,
      .registers = 16,
      .loop = HotLoop{
          .is_loop = true, .operations = 4, .instructions = 68, .fp32 = 4, .global_loads = 4, .alone_clocks = 400}};
  finish.access = {.load_requests = 1e5, .load_sectors = 4e5};
  EXPECT_LT(predict(device, kProduct, {main, finish}).us, 1.3 * predict(device, kProduct, {main}).us);
}

RC_GTEST_PROP(PredictionProperty, more_instructions_lanes_or_waits_per_iteration_are_never_faster, ()) {
  HotLoop loop = kMultiplyAdds;
  const double before = predict_loop("H200", loop).us;
  double HotLoop::*const members[] = {&HotLoop::instructions, &HotLoop::fp32,         &HotLoop::multiply,
                                      &HotLoop::integer,      &HotLoop::special,      &HotLoop::conversion,
                                      &HotLoop::shuffle,      &HotLoop::alone_clocks, &HotLoop::local};
  loop.*(*rc::gen::elementOf(std::vector(std::begin(members), std::end(members)))) += *rc::gen::inRange(1, 1000);
  RC_ASSERT(predict_loop("H200", loop).us >= before * (1 - 1e-12));
}

TEST(Prediction, names_what_limits_the_time) {
  EXPECT_EQ(vector_add("2080 Ti", 256).limited_by, "DRAM");
  const Device device = find_board("2080 Ti").device;
  const LaunchFacts launch = one_thread_each(256);
  EXPECT_EQ(predict(device, {.operations = 1e13}, {launch}).limited_by, "arithmetic");
  EXPECT_EQ(predict_one(device, {}, launch, {.shared_requests = 1e9}).limited_by, "shared memory");
  EXPECT_EQ(predict_one(device, {}, launch, {.atomics = 1e8, .atomics_same_line = 1e8}).limited_by, "atomics");
  EXPECT_EQ(predict(device, {.bytes_read = 4}, {{.grid = 1, .block = 32, .registers = 16}}).limited_by, "launch");
  LaunchFacts chained = launch;
  chained.handovers = 10000;
  EXPECT_EQ(predict(device, {.bytes_read = 4}, {chained}).limited_by, "handovers");
  EXPECT_EQ(
      predict(device, {.operations = 1e10, .arithmetic = ElementType::u32}, {{.grid = 1, .block = 32}}).limited_by,
      "instruction latency");
  LaunchFacts spilling = launch;
  spilling.spill_bytes = 400;
  EXPECT_EQ(predict(device, {.bytes_read = 4e8}, {spilling}).limited_by, "L2");
}

TEST(Prediction, a_grid_slightly_larger_than_whole_waves_pays_for_the_tail) {
  const Device device = find_board("2080 Ti").device;
  const auto at = [&](std::uint64_t grid) {
    return predict(device, {.bytes_read = 1e7}, {{.grid = grid, .block = 256, .registers = 32}});
  };
  EXPECT_EQ(at(68 * 4).breakdown.tail, 0);
  EXPECT_GT(at(68 * 4 + 1).breakdown.tail, 0);
  EXPECT_GT(at(68 * 4 + 1).us, at(68 * 4).us);
}

TEST(Prediction, more_loads_in_flight_hide_latency) {
  const Device device = find_board("H200").device;
  LaunchFacts launch{.grid = 132 * 2, .block = 256, .registers = 32, .independent_loads = 1};
  const Work work{.bytes_read = 1e9};
  const double one = predict(device, work, {launch}).us;
  launch.independent_loads = 8;
  EXPECT_LT(predict(device, work, {launch}).us, one / 4);
}

TEST(Prediction, launches_add_up_and_repeats_count_each_time) {
  const Device device = find_board("H200").device;
  const LaunchFacts small{.grid = 1, .block = 256, .registers = 16};
  EXPECT_EQ(predict(device, {}, {}).us, 0);
  const double one = predict(device, {}, {small}).us;
  const double two = predict(device, {}, {small, small}).us;
  LaunchFacts twice = small;
  twice.times = 2;
  EXPECT_GT(two, one + 1);
  EXPECT_DOUBLE_EQ(predict(device, {}, {twice}).us, two);
}

TEST(Prediction, a_kernel_that_cannot_be_launched_takes_infinite_time_and_says_why) {
  const Prediction none = predict(find_board("2080 Ti").device, {}, {{.grid = 1, .block = 1024, .registers = 128}});
  EXPECT_FALSE(none.launchable);
  EXPECT_TRUE(std::isinf(none.us));
  EXPECT_EQ(none.limited_by, "registers");
}

TEST(Prediction, refuses_devices_without_figures_and_launches_without_threads) {
  EXPECT_THROW(predict(architecture_limits(75), {}, {one_thread_each(32)}), std::invalid_argument);
  EXPECT_THROW(predict(default_board(75).device, {}, {LaunchFacts{}}), std::invalid_argument);
}

}  // namespace
}  // namespace warpwright::tuner
