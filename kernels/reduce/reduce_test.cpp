// Tests of the pattern reduce: space sizes, plans at edge sizes, oracle and bound.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <map>

#include "kernels/model/catalogue.hpp"
#include "kernels/model/elements.hpp"
#include "kernels/runtime/input.hpp"
#include "kernels/runtime/simulator/plan_fixture.hpp"

namespace warpwright {
namespace {

Problem array(std::int64_t count, const std::string& op = "sum", ElementType type = ElementType::f32) {
  return make_problem(catalogue().pattern("reduce"), {type}, {{"op", op}}, {count});
}

template <class T>
T first_of(const Bytes& bytes) {
  T value;
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

/// Runs a kernel on the simulator; `params` is a designated initialiser, and the rest are the defaults.
simulator::PlanRun run(const std::string& name, const std::string& params, const Problem& problem, const Bytes& input,
                       int times = 1) {
  const Kernel& kernel = catalogue().kernel("reduce/" + name);
  Device device;
  device.sm_count = 3;
  simulator::SimulationOptions options;
  options.device = device;
  options.count_accesses = true;
  Plan plan = kernel.plan(kernel.space.parse(params, kernel.default_point), problem, device);
  const auto steps = plan.steps;
  for (int i = 1; i < times; ++i) plan.steps.insert(plan.steps.end(), steps.begin(), steps.end());
  return simulator::run_plan(plan, kernel.source, {input}, options);
}

/// The valid points for floats on the first architecture, and on sm_90.
std::vector<Point> points(const Kernel& kernel, int compute_capability = 75) {
  Device device;
  device.compute_capability = compute_capability;
  return kernel.space.points({.types = {ElementType::f32}, .device = device});
}

TEST(Reduce, SpacesHaveTheirKnownNumberOfValidPoints) {
  const std::map<std::string, std::size_t> known{
      {"interleaved", 116}, {"strided_index", 232},      {"first_add_on_load", 336},
      {"sequential", 116},  {"unrolled_warp", 100},      {"warp_shuffle", 264},
      {"grid_stride", 572}, {"cooperative_groups", 112}, {"global_memory", 120}};
  const auto kernels = catalogue().matching("reduce");
  EXPECT_EQ(kernels.size(), known.size());
  for (const Kernel* kernel : kernels)
    for (const int capability : {75, 90})
      EXPECT_EQ(points(*kernel, capability).size(), known.at(kernel->name)) << kernel->full_name() << capability;
}

TEST(Reduce, DefaultsAreValidPoints) {
  for (const Kernel* kernel : catalogue().matching("reduce"))
    EXPECT_EQ(kernel->space.rejected_by(kernel->default_point, {.types = {ElementType::f32}, .device = {}}), "")
        << kernel->full_name();
}

TEST(Reduce, AnEmptyArrayGivesTheIdentityWithoutALaunch) {
  for (const Kernel* kernel : catalogue().matching("reduce")) {
    const Plan plan = kernel->plan(kernel->default_point, array(0, "min"), Device{});
    EXPECT_TRUE(launches_of(plan).empty()) << kernel->full_name();
    ASSERT_EQ(plan.steps.size(), 1U);
    const auto& memset = std::get<Memset>(plan.steps[0].what);
    float identity = 0;
    std::memcpy(&identity, memset.value.bytes.data(), sizeof identity);
    EXPECT_EQ(identity, std::numeric_limits<float>::infinity());
  }
}

TEST(Reduce, PlansReachAboveTwoToTheThirtyOneElements) {
  const std::int64_t count = (std::int64_t{1} << 31) + 7;
  for (const Kernel* kernel : catalogue().matching("reduce"))
    for (const Point& point : points(*kernel)) {
      const Plan plan = kernel->plan(point, array(count), Device{});
      const auto launches = launches_of(plan);
      ASSERT_FALSE(launches.empty());
      for (const auto& [launch, times] : launches) EXPECT_LT(launch.grid.x, 1U << 31);
      EXPECT_GT(kernel->depth(point, array(count), Device{}), 0);
    }
}

TEST(Reduce, RepeatedLaunchesEndInOneValue) {
  const Kernel& kernel = catalogue().kernel("reduce/sequential");
  const Point point = kernel.space.parse("{.block_size = 64, .coarsening = 1}", kernel.default_point);
  const auto launches = launches_of(kernel.plan(point, array(64 * 64 + 1), Device{}));
  ASSERT_EQ(launches.size(), 3U);
  EXPECT_EQ(launches[0].launch.grid.x, 65U);
  EXPECT_EQ(launches[1].launch.grid.x, 2U);
  EXPECT_EQ(launches[2].launch.grid.x, 1U);
  EXPECT_EQ(std::get<BufferArgument>(launches[2].launch.arguments[1]).buffer, "out");
}

TEST(Reduce, TheOracleSumsWithoutTheRoundingsOfAFloatSum) {
  // 1e6 copies of 1.23f: the exact sum is 1e6 * float(1.23).
  const auto expected =
      catalogue().pattern("reduce").oracle(array(1'000'000), {bytes_of(std::vector(1'000'000, 1.23F))});
  EXPECT_EQ(first_of<double>(expected[0].values), 1e6 * static_cast<double>(1.23F));
  EXPECT_EQ(expected[0].magnitude[0], 1e6 * static_cast<double>(1.23F));
}

TEST(Reduce, TheOracleIgnoresNanInMinimaAndKeepsItInSums) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Bytes input = bytes_of(std::vector{nan, 2.0F, -3.0F, nan});
  const Pattern& pattern = catalogue().pattern("reduce");
  EXPECT_EQ(first_of<float>(pattern.oracle(array(4, "min"), {input})[0].values), -3.0F);
  EXPECT_EQ(first_of<float>(pattern.oracle(array(4, "max"), {input})[0].values), 2.0F);
  EXPECT_TRUE(std::isnan(first_of<double>(pattern.oracle(array(4), {input})[0].values)));
}

TEST(Reduce, IntegerSumsWrap) {
  const Bytes input = bytes_of(std::vector{std::numeric_limits<int>::max(), 1});
  const auto expected = catalogue().pattern("reduce").oracle(array(2, "sum", ElementType::i32), {input});
  EXPECT_EQ(first_of<int>(expected[0].values), std::numeric_limits<int>::min());
}

TEST(Reduce, SixtyFourBitIntegersWrapToo) {
  const Pattern& pattern = catalogue().pattern("reduce");
  const Bytes input = bytes_of(std::vector<std::int64_t>{std::numeric_limits<std::int64_t>::max(), 3});
  const auto result = [&](const std::string& op) {
    return first_of<std::int64_t>(pattern.oracle(array(2, op, ElementType::i64), {input})[0].values);
  };
  EXPECT_EQ(result("sum"), std::numeric_limits<std::int64_t>::min() + 2);
  EXPECT_EQ(result("product"), std::numeric_limits<std::int64_t>::max() - 2);
  EXPECT_EQ(result("min"), 3);
  EXPECT_EQ(result("max"), std::numeric_limits<std::int64_t>::max());
}

TEST(Reduce, TheOracleOfProductsDoesNotAccumulateRoundings) {
  // (1 + 2^-12) ^ 4096: 4096 roundings of 2^-64 would show in the last bits of a double.
  const std::vector<double> factors(4096, 1 + 0x1p-12);
  const auto expected =
      catalogue().pattern("reduce").oracle(array(4096, "product", ElementType::f64), {bytes_of(factors)});
  const auto exactly = static_cast<double>(std::exp(4096 * std::log1p(0x1p-12L)));
  EXPECT_DOUBLE_EQ(first_of<double>(expected[0].values), exactly);
  const Bytes special = bytes_of(std::vector{0.0F, -2.0F, std::numeric_limits<float>::infinity()});
  EXPECT_TRUE(
      std::isnan(first_of<double>(catalogue().pattern("reduce").oracle(array(3, "product"), {special})[0].values)));
}

TEST(Reduce, FactorsOfAnyNumberKeepTheirProductsInRange) {
  const Pattern& pattern = catalogue().pattern("reduce");
  for (const std::int64_t count : {1, 99, 100, 255, 256, 8192, 1 << 20})
    for (const char* kind : {"exact", "uniform"})
      for (std::uint64_t seed = 0; seed < 5; ++seed) {
        const Problem problem = array(count, "product");
        const auto inputs = generate_inputs(pattern, problem, {.kind = kind, .seed = seed});
        // Among all sets of factors, only those above 1, or only those below 1, give the most extreme products if they
        // are exact.
        double log = 0, up = 0, down = 0;
        for (std::size_t i = 0; i < inputs[0].size(); i += sizeof(float)) {
          float factor = 0;
          std::memcpy(&factor, &inputs[0][i], sizeof factor);
          const double bits = std::log2(std::fabs(factor));
          log += bits;
          (bits > 0 ? up : down) += bits;
        }
        EXPECT_LT(std::fabs(log), 64) << count << ' ' << input_text({kind, seed});
        if (std::string_view(kind) == "exact") {
          EXPECT_LE(up - down, 100) << count;
        }
      }
}

TEST(Reduce, EveryFactorOfAnExactProductChangesIt) {
  const Pattern& pattern = catalogue().pattern("reduce");
  for (const ElementType type : {ElementType::i32, ElementType::i64}) {
    const Problem problem = array(1000, "product", type);
    const auto inputs = generate_inputs(pattern, problem, {.kind = "exact", .seed = 3});
    const Bytes whole = pattern.oracle(problem, inputs)[0].values;
    const auto size = static_cast<std::ptrdiff_t>(size_of(type));
    for (std::ptrdiff_t lost = 0; lost < 1000; lost += 37) {
      Bytes rest = inputs[0];
      rest.erase(rest.begin() + lost * size, rest.begin() + (lost + 1) * size);
      EXPECT_NE(pattern.oracle(array(999, "product", type), {rest})[0].values, whole) << lost;
    }
  }
}

TEST(Reduce, TheBoundOfAProductCountsEveryRoundingAtAnyDepth) {
  const Pattern& pattern = catalogue().pattern("reduce");
  const Problem problem = array(1000, "product", ElementType::f64);
  EXPECT_EQ(pattern.bound(problem, "out", {.name = "exact", .exact = true}, 30).relative, 0);
  EXPECT_NEAR(pattern.bound(problem, "out", {.name = "uniform"}, 30).relative, 1000 * 0x1p-53, 1e-20);
  EXPECT_EQ(pattern.bound(problem, "out", {.name = "uniform"}, 1).relative,
            pattern.bound(problem, "out", {.name = "uniform"}, 99).relative);
}

TEST(Reduce, BlockSizeChangesAFloatSumAsKnown) {
  // 1e8 copies of 1.23f: a tree within each block, then the blocks' results one after another.
  constexpr int kCount = 100'000'000;
  const auto block_of = [](int size, int present) {
    std::vector<float> values(static_cast<std::size_t>(present), 1.23F);
    const auto result =
        run("sequential", fmt::format("{{.block_size = {}, .coarsening = 1}}", size), array(present), bytes_of(values));
    EXPECT_TRUE(result.execution.clean());
    return first_of<float>(result.buffers.at("out"));
  };
  for (const auto& [size, known] : {std::pair{128, 123633392.0F}, {256, 122565560.0F}, {1024, 122865984.0F}}) {
    const float whole = block_of(size, size);
    float sum = 0;
    for (int i = 0; i < kCount / size; ++i) sum += whole;
    if (kCount % size > 0) sum += block_of(size, kCount % size);
    EXPECT_EQ(sum, known) << size;
  }
  float serial = 0;
  for (int i = 0; i < kCount; ++i) serial += 1.23F;
  EXPECT_EQ(serial, 33554432.0F) << "from 2^25 on, 1.23 is less than half a unit in the last place";
}

TEST(Reduce, TheChainOfKernelsChangesAFloatSumAsKnown) {
  // 1e8 copies of 1.23f: each thread sums with the stride of its grid, each block by a tree in shared memory, and a
  // last block does the same with the blocks' results.
  const auto of_block = [](std::size_t size, const std::vector<float>& values) {
    std::vector<float> sums(size, 0);
    for (std::size_t i = 0; i < values.size(); ++i) sums[i % size] += values[i];
    const auto result = run("sequential", fmt::format("{{.block_size = {}, .coarsening = 1}}", size),
                            array(static_cast<std::int64_t>(size)), bytes_of(sums));
    EXPECT_TRUE(result.execution.clean());
    return first_of<float>(result.buffers.at("out"));
  };
  const auto copies = [](std::size_t count, float value) { return std::vector<float>(count, value); };
  // 10240 blocks of 128: the threads of the first 3010 blocks have 77 elements, the others 76.
  std::vector<float> blocks = copies(3010, of_block(128, copies(std::size_t{77} * 128, 1.23F)));
  blocks.resize(10240, of_block(128, copies(std::size_t{76} * 128, 1.23F)));
  EXPECT_EQ(of_block(1024, blocks), 123000064.0F);
  EXPECT_EQ(of_block(512, blocks), 123000112.0F);
  EXPECT_EQ(of_block(1024, copies(781'250, of_block(128, copies(128, 1.23F)))), 122999376.0F);
}

TEST(Reduce, OneBlockOf256ShowsDivergenceAndConflicts) {
  const auto counts = [](const std::string& name, const std::string& pad = {}) {
    const auto result = run(name, fmt::format("{{.block_size = 256, .coarsening = 1{}}}", pad), array(256),
                            bytes_of(std::vector(256, 1.0F)));
    EXPECT_TRUE(result.execution.clean()) << name;
    EXPECT_EQ(first_of<float>(result.buffers.at("out")), 256) << name;
    return result.execution.access;
  };
  // Number of active warps in each level: 8 8 8 8 8 4 2 1 with threads spread over all warps; 4 2 1 1 1 1 1 1 with the
  // first threads of the block. Each active warp has two loads and a store; 8 warps store at the start, and one reads
  // the result.
  const auto interleaved = counts("interleaved");
  EXPECT_EQ(interleaved.shared_load_requests, 2U * 47 + 1);
  EXPECT_EQ(interleaved.shared_load_wavefronts, 2U * 47 + 1) << "no conflicts";
  EXPECT_EQ(interleaved.shared_store_requests, 8U + 47);
  const auto strided = counts("strided_index");
  EXPECT_EQ(strided.shared_load_requests, 2U * 12 + 1);
  // Two lanes per bank at stride 2, then 4, 8, 8 (of 16 lanes), 8 (of 8), 4, 2 and 1.
  EXPECT_EQ(strided.shared_load_wavefronts, 2U * (4 * 2 + 2 * 4 + 8 + 8 + 8 + 4 + 2 + 1) + 1);
  EXPECT_EQ(strided.shared_store_wavefronts, 8U + 47);
  EXPECT_LT(counts("strided_index", ", .bank_pad = 1").shared_load_wavefronts, strided.shared_load_wavefronts / 2);
  EXPECT_EQ(interleaved.barriers, 9U);
  EXPECT_EQ(strided.barriers, 9U);

  const auto unrolled = counts("unrolled_warp");
  EXPECT_EQ(unrolled.barriers, 3U) << "the last six levels are one warp's";
  EXPECT_EQ(unrolled.warp_operations, 2U * 6);
  EXPECT_EQ(unrolled.shared_load_wavefronts, unrolled.shared_load_requests) << "no conflicts";

  // The first level adds pairs in registers, so 128 threads do the work of 256, with one level less.
  const auto on_load = run("first_add_on_load", "{.block_size = 128, .pairs_per_thread = 1, .unroll = 1}", array(256),
                           bytes_of(std::vector(256, 1.0F)));
  const auto sequential = counts("sequential");
  EXPECT_EQ(sequential.shared_load_wavefronts, sequential.shared_load_requests) << "no conflicts";
  EXPECT_EQ(first_of<float>(on_load.buffers.at("out")), 256);
  EXPECT_EQ(on_load.execution.access.global_load_sectors, sequential.global_load_sectors);
  EXPECT_EQ(on_load.execution.access.barriers, sequential.barriers - 1);
}

TEST(Reduce, APersistentGridLeavesItsCounterAsItWasAndRunsAgain) {
  const Bytes input = bytes_of(std::vector(5000, 1.0F));
  for (const auto& [name, params] :
       {std::pair{"grid_stride", "{.block_size = 128, .loads_in_flight = 1, .finish = last_block}"},
        std::pair{"cooperative_groups", "{.block_size = 128, .loads_in_flight = 2, .tile_size = 8}"}}) {
    const auto result = run(name, params, array(5000), input, 2);
    ASSERT_TRUE(result.execution.clean()) << describe(result.execution.findings[0]);
    EXPECT_EQ(first_of<float>(result.buffers.at("out")), 5000) << name;
  }
  const auto last = run("grid_stride", "{.finish = last_block}", array(5000), input, 2);
  EXPECT_EQ(first_of<unsigned>(last.buffers.at("arrived")), 0U);
}

TEST(Reduce, EveryKernelFinishesInEveryWay) {
  const Bytes input = bytes_of(std::vector(5000, 1.0F));
  for (const Kernel* kernel : catalogue().matching("reduce")) {
    if (kernel->name == "cooperative_groups") continue;  // its blocks wait for one another
    for (const char* finish : {"atomic", "second_kernel", "last_block", "host"}) {
      const auto result = run(kernel->name, fmt::format("{{.block_size = 128, .coarsening = 1, .finish = {}}}", finish),
                              array(5000), input);
      ASSERT_TRUE(result.execution.clean()) << kernel->name << finish << describe(result.execution.findings[0]);
      EXPECT_EQ(first_of<float>(result.buffers.at("out")), 5000) << kernel->name << finish;
      EXPECT_EQ(first_of<unsigned>(result.buffers.at("arrived")), 0U);
    }
  }
}

TEST(Reduce, InPlaceReductionsWorkOnAnUntimedCopy) {
  const Kernel& kernel = catalogue().kernel("reduce/global_memory");
  const Plan plan = kernel.plan(kernel.default_point, array(1 << 20), Device{});
  const auto& copy = std::get<Copy>(plan.steps.front().what);
  EXPECT_EQ(copy, (Copy{.from = "in", .to = "work", .bytes = 4 << 20}));
  EXPECT_FALSE(plan.steps.front().timed);
  for (std::size_t i = 1; i < plan.steps.size(); ++i) EXPECT_TRUE(plan.steps[i].timed);
  for (const auto& [launch, times] : launches_of(plan)) EXPECT_NE(launch.arguments[0], pointer_to("in"));
}

TEST(Reduce, AHostThatCombinesKeepsTheResult) {
  const Kernel& kernel = catalogue().kernel("reduce/grid_stride");
  const Plan plan = kernel.plan(kernel.space.parse("{.finish = host}", kernel.default_point), array(1 << 20), Device{});
  EXPECT_EQ(plan_fault(plan), "");
  EXPECT_EQ(plan.buffer("out").where, Where::pageable);
  EXPECT_TRUE(is_host_step(plan.steps.back()));
  EXPECT_FALSE(plan.is_plain());
}

TEST(Reduce, InputOfOneBlockNeedsOneLaunch) {
  for (const auto& [name, params] :
       {std::pair{"grid_stride", "{.finish = second_kernel}"}, std::pair{"grid_stride", "{.finish = last_block}"},
        std::pair{"cooperative_groups", "{}"}, std::pair{"warp_shuffle", "{}"}, std::pair{"unrolled_warp", "{}"}}) {
    const Kernel& kernel = catalogue().kernel(std::string("reduce/") + name);
    const Plan plan = kernel.plan(kernel.space.parse(params, kernel.default_point), array(700), Device{});
    EXPECT_EQ(launches_of(plan).size(), 1U) << name << params;
  }
  const auto alone = run("grid_stride", "{.finish = second_kernel}", array(700), bytes_of(std::vector(700, 1.0F)));
  ASSERT_TRUE(alone.execution.clean());
  EXPECT_EQ(first_of<float>(alone.buffers.at("out")), 700);
}

TEST(Reduce, CooperativeGridsAreResidentOnEveryDevice) {
  const Kernel& kernel = catalogue().kernel("reduce/cooperative_groups");
  Device device;
  device.sm_count = 5;
  device.max_threads_per_sm = 1024;
  device.max_blocks_per_sm = 16;
  for (const Point& point : points(kernel))
    for (const auto& [launch, times] : launches_of(kernel.plan(point, array(std::int64_t{1} << 33), device))) {
      EXPECT_TRUE(launch.cooperative);
      EXPECT_LE(launch.grid.x * launch.block.x, 5U * 1024);
      EXPECT_LE(launch.grid.x, 5U * 16);
    }
}

TEST(Reduce, ExactInputsHaveABoundOfZeroAndOthersOneThatGrowsWithDepth) {
  const Pattern& pattern = catalogue().pattern("reduce");
  EXPECT_EQ(pattern.bound(array(9), "out", {.name = "exact", .exact = true}, 30).relative, 0);
  EXPECT_DOUBLE_EQ(pattern.bound(array(9), "out", {.name = "uniform"}, 30).relative, 30 * 0x1p-24);
  EXPECT_EQ(pattern.bound(array(9, "max"), "out", {.name = "uniform"}, 30).comparison, Comparison::equal);
}

}  // namespace
}  // namespace warpwright
