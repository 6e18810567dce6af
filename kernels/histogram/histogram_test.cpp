// Tests of the pattern histogram: space sizes, plans at edge sizes, data, oracle, reference, conflicts of byte
// counters.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "kernels/model/catalogue.hpp"
#include "kernels/runtime/input.hpp"
#include "kernels/runtime/simulator/kernel_fixture.hpp"
#include "kernels/runtime/simulator/plan_fixture.hpp"

namespace warpwright {
namespace {

using simulator::bytes_of;
using simulator::values_of;
using testing::Each;
using testing::ElementsAre;
using Counts = std::vector<std::uint32_t>;

const Pattern& pattern() {
  return catalogue().pattern("histogram");
}

const Kernel& kernel(const std::string& name) {
  return catalogue().kernel("histogram/" + name);
}

std::vector<const Kernel*> kernels() {
  return catalogue().matching("histogram/*");
}

Problem keys(std::int64_t count, int bins = 256, ElementType type = ElementType::u8, const std::string& data = "zipf") {
  return make_problem(pattern(), {type}, {{"bins", std::to_string(bins)}, {"data", data}}, {count});
}

Bytes made(const Problem& problem, std::uint64_t seed = 3) {
  return generate_inputs(pattern(), problem, {.kind = std::string(kOwnData), .seed = seed})[0];
}

/// An H100's limits.
Device hopper() {
  return {.model = "sm_90",
          .compute_capability = 90,
          .sm_count = 132,
          .max_threads_per_sm = 2048,
          .max_blocks_per_sm = 32,
          .shared_per_sm = 233472,
          .shared_per_block_optin = 232448,
          .shared_reserved_per_block = 1024};
}

Point params(const Kernel& of, const std::string& text) {
  return of.space.parse(text, of.default_point);
}

simulator::PlanRun run(const std::string& name, const std::string& text, const Problem& problem, const Bytes& input,
                       std::uint64_t seed = 0) {
  simulator::SimulationOptions options;
  options.schedule.seed = seed;
  options.device = hopper();
  options.count_accesses = true;
  const Kernel& of = kernel(name);
  const Plan plan = of.plan(params(of, text), problem, hopper());
  return simulator::run_plan(plan, of.source, {input, Bytes(pattern().buffers(problem)[1].bytes(), std::byte{0xC5})},
                             options);
}

Counts counted(const std::string& name, const std::string& text, const Problem& problem, const Bytes& input,
               std::uint64_t seed = 0) {
  const auto [execution, buffers] = run(name, text, problem, input, seed);
  EXPECT_TRUE(execution.clean()) << name << text << describe(execution.findings[0]);
  return values_of<std::uint32_t>(buffers.at("out"));
}

Counts expected(const Problem& problem, const Bytes& input) {
  return values_of<std::uint32_t>(pattern().oracle(problem, {input})[0].values);
}

TEST(Histogram, SpacesHaveTheirKnownNumbersOfValidPoints) {
  const std::map<std::string, std::array<std::size_t, 3>> known{
      {"aggregated", {486, 243, 162}}, {"block_private", {2376, 1188, 756}},   {"global_atomic", {266, 266, 154}},
      {"tagged", {308, 176, 112}},     {"thread_private_64", {840, 504, 396}}, {"warp_private", {666, 360, 240}}};
  for (const auto& [name, sizes] : known) {
    const auto size = [&](ElementType type, const Device& device) {
      return kernel(name).space.points({.types = {type}, .device = device}).size();
    };
    EXPECT_EQ(size(ElementType::u8, hopper()), sizes[0]) << name;
    EXPECT_EQ(size(ElementType::u8, Device{}), sizes[1]) << name;
    EXPECT_EQ(size(ElementType::u32, Device{}), sizes[2]) << name;
  }
}

TEST(Histogram, DefaultsAreValidForEveryTypeAndAcceptTheKernelsMostBins) {
  for (const Kernel* one : kernels())
    for (const auto& types : pattern().types) {
      const int most = one->name == "thread_private_64" ? 64 : 4096;
      EXPECT_EQ(one->space.rejected_by(one->default_point, {.types = types, .device = Device{}}), "");
      EXPECT_EQ(one->refuses(one->default_point, keys(1000, most, types[0]), Device{}), "") << one->name;
    }
}

TEST(Histogram, RefusalsNameTheirReason) {
  const auto why = [](const std::string& name, const std::string& text, const Problem& problem) {
    return kernel(name).refuses(params(kernel(name), text), problem, Device{});
  };
  EXPECT_EQ(why("block_private", "{.copies = 32}", keys(9, 512)), "");
  EXPECT_EQ(why("block_private", "{.copies = 32}", keys(9, 513)),
            "needs 65664 bytes of shared memory, of which a block has 65536");
  EXPECT_EQ(why("thread_private_64", "{}", keys(9, 65)), "needs at most 64 bins");
  EXPECT_EQ(why("tagged", "{}", keys(std::int64_t{1} << 36, 64)), "");
  EXPECT_EQ(why("tagged", "{}", keys(std::int64_t{1} << 38, 64)), "a warp would count 2^27 keys or more");
}

TEST(Histogram, AnEmptyArrayZeroesTheBinsAndLaunchesNothing) {
  for (const Kernel* one : kernels())
    for (const Point& point : one->space.points({.types = {ElementType::u8}, .device = Device{}}))
      ASSERT_TRUE(launches_of(one->plan(point, keys(0, 64), Device{})).empty());
  EXPECT_THAT(counted("block_private", "{.finish = merge}", keys(0, 64), {}), Each(0U));
}

TEST(Histogram, PlansReachAboveTwoToTheThirtyOneKeys) {
  const Problem large = keys((std::int64_t{1} << 33) + 7, 64);
  for (const Kernel* one : kernels())
    for (const Point& point : one->space.points({.types = {ElementType::u8}, .device = hopper()})) {
      const auto launches = launches_of(one->plan(point, large, hopper()));
      ASSERT_FALSE(launches.empty());
      EXPECT_LE(launches[0].launch.grid.x, 132U * 32);
      EXPECT_EQ(launches[0].launch.arguments.back(), Argument(value(large.elements())));
    }
}

TEST(Histogram, RowsAreMergedByASecondLaunchAndNothingIsZeroed) {
  const Kernel& of = kernel("block_private");
  const Plan plan = of.plan(params(of, "{.finish = merge}"), keys(100'000), hopper());
  ASSERT_EQ(plan.steps.size(), 2U);
  EXPECT_EQ(plan.buffer("rows").count, 256 * std::int64_t{std::get<Launch>(plan.steps[0].what).grid.x});
  EXPECT_EQ(std::get<Launch>(plan.steps[1].what).entry, "warpwright::histogram::merge_rows");
}

TEST(Histogram, TheOracleCountsKeysBelowTheNumberOfBins) {
  EXPECT_THAT(expected(keys(6, 3), bytes_of(std::vector<std::uint8_t>{0, 2, 2, 3, 255, 1})), ElementsAre(1, 1, 2));
  EXPECT_THAT(expected(keys(4, 2, ElementType::u32), bytes_of(std::vector<std::uint32_t>{1, 0xffffffffU, 1U << 31, 0})),
              ElementsAre(1, 1));
}

TEST(Histogram, TheOracleCountsFloatsInEvenRangesFromZeroToOne) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinity = std::numeric_limits<float>::infinity();
  const std::vector<float> input{
      -0.0F,    0.25F,    std::nextafter(0.25F, 0.0F), std::nextafter(1.0F, 0.0F), 1.0F, nan, 0.5F, -0x1p-149F,
      infinity, 0x1p-149F};
  EXPECT_THAT(expected(keys(10, 4, ElementType::f32), bytes_of(input)), ElementsAre(3, 1, 1, 1));
}

TEST(Histogram, EveryDataSetHasAllItsKeysInBins) {
  for (const auto& types : pattern().types)
    for (const int bins : {2, 255, 256, 257, 4096})
      for (const InputKind& data : pattern().data) {
        const Problem problem = keys(5000, bins, types[0], data.name);
        const Counts counts = expected(problem, made(problem));
        EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), 0U), 5000U) << problem_text(problem);
        EXPECT_EQ(std::ranges::max(counts) == 5000U, data.name == "one_value") << problem_text(problem);
      }
}

TEST(Histogram, ZipfKeysFallOffAsTheyShould) {
  constexpr int kCount = 200'000;
  for (const auto& types : pattern().types) {
    const Problem problem = keys(kCount, 100, types[0], "zipf");
    const Counts counts = expected(problem, made(problem));
    double harmonic = 0;
    for (int rank = 1; rank <= 100; ++rank) harmonic += 1.0 / rank;
    for (const int rank : {1, 2, 3, 7, 50, 100}) {
      const double part = 1 / (rank * harmonic);
      EXPECT_NEAR(counts[static_cast<std::size_t>(rank - 1)], kCount * part, 5 * std::sqrt(kCount * part)) << rank;
    }
  }
}

TEST(Histogram, SortedKeysCoverAllBinsInAscendingOrder) {
  const Problem problem = keys(10'000, 100, ElementType::f32, "sorted");
  const auto elements = values_of<float>(made(problem));
  EXPECT_TRUE(std::ranges::is_sorted(elements));
  EXPECT_THAT(expected(problem, bytes_of(elements)), Each(testing::AllOf(testing::Ge(99U), testing::Le(101U))));
}

TEST(Histogram, ChecksIncludeKeysWithoutABin) {
  for (const auto& types : pattern().types) {
    const Problem problem = keys(8000, 100, types[0]);
    const auto input = generate_inputs(pattern(), problem, {.kind = "exact", .seed = 4})[0];
    const Counts counts = expected(problem, input);
    EXPECT_NEAR(std::accumulate(counts.begin(), counts.end(), 0U), types[0] == ElementType::f32 ? 5000 : 4000, 500)
        << problem_text(problem);
  }
}

TEST(Histogram, TheReferenceIsTheOracle) {
  Device small;
  small.sm_count = 1;
  for (const auto& types : pattern().types)
    for (const std::int64_t count : {0, 1, 5000}) {
      const Problem problem = keys(count, 100, types[0]);
      const auto inputs = generate_inputs(pattern(), problem, {.kind = "exact", .seed = 5});
      const Reference reference = pattern().reference(problem, small);
      const auto [execution, buffers] = simulator::run_plan(reference.plan, reference.source, {inputs[0]});
      ASSERT_TRUE(execution.clean()) << describe(execution.findings[0]);
      EXPECT_EQ(values_of<std::uint32_t>(buffers.at("out.expected")), expected(problem, inputs[0]));
    }
}

TEST(Histogram, TheFastFormHasNoBankConflictsOnAnyData) {
  const std::string fast =
      "{.block_size = 512, .loads_in_flight = 4, .vector_width = 16, .copies = 32, .layout = interleaved, "
      ".grid_blocks_per_sm = 2}";
  EXPECT_EQ(
      kernel("block_private")
          .space.rejected_by(params(kernel("block_private"), fast), {.types = {ElementType::u8}, .device = hopper()}),
      "");
  const Problem problem = keys(70'001);
  const Bytes input = made(problem);
  const auto [execution, buffers] = run("block_private", fast, problem, input);
  EXPECT_EQ(values_of<std::uint32_t>(buffers.at("out")), expected(problem, input));
  EXPECT_EQ(execution.access.shared_load_wavefronts, execution.access.shared_load_requests) << "adding up the copies";
}

/// The average number of conflicting increments of byte counters if thread t of 64 counts key(t).
double ways(const std::string& bytes, const std::function<int(int)>& key) {
  std::vector<std::uint8_t> input;
  for (int thread = 0; thread < 64; ++thread) input.push_back(static_cast<std::uint8_t>(key(thread)));
  const auto result =
      run("thread_private_64", "{.block_size = 64, .loads_in_flight = 1, .vector_width = 1, .bytes = " + bytes + "}",
          keys(64, 64), bytes_of(input));
  EXPECT_TRUE(result.execution.clean());
  for (const simulator::LineAccess& line : result.execution.lines)
    if (line.file.ends_with("thread_private_64.cuh") && line.counts.shared_load_requests == 2 &&
        line.counts.shared_store_requests == 2)
      return static_cast<double>(line.counts.shared_store_wavefronts) / 2;
  ADD_FAILURE() << "no line increments";
  return 0;
}

TEST(Histogram, ByteCountersConflictAsKnown) {
  EXPECT_EQ(ways("thread_major", [](int) { return 7; }), 16);
  EXPECT_EQ(ways("bin_major", [](int) { return 7; }), 1);
  EXPECT_EQ(ways("shuffled", [](int) { return 7; }), 1);
  EXPECT_EQ(ways("bin_major", [](int thread) { return 2 * (thread % 4); }), 4);
  EXPECT_EQ(ways("shuffled", [](int thread) { return 2 * (thread % 4); }), 1);
  EXPECT_EQ(ways("shuffled", [](int thread) { return 2 * (thread / 16); }), 2);
  for (int draw = 0; draw < 20; ++draw) {
    const auto any = [&](int thread) { return (thread * (2 * draw + 1) * 37 + draw * thread * thread) % 64; };
    EXPECT_LE(ways("bin_major", any), 4);
    EXPECT_LE(ways("shuffled", any), 2);
  }
}

TEST(Histogram, AByteThatCountsPast255IsFound) {
  const Kernel& of = kernel("thread_private_64");
  const std::string text =
      "{.block_size = 64, .loads_in_flight = 4, .vector_width = 4, .grid_blocks_per_sm = 16, .chunks_per_flush = ";
  const Problem problem = keys(64 * 16 * 62, 64, ElementType::u8, "one_value");
  EXPECT_EQ(of.space.rejected_by(params(of, text + "14}"), {.types = problem.types, .device = Device{}}), "");
  EXPECT_EQ(of.space.rejected_by(params(of, text + "62}"), {.types = problem.types, .device = Device{}}),
            "a byte holds what a thread counts between flushes");
  EXPECT_EQ(counted("thread_private_64", text + "14}", problem, made(problem)), expected(problem, made(problem)));
  EXPECT_NE(counted("thread_private_64", text + "62}", problem, made(problem)), expected(problem, made(problem)));
}

TEST(Histogram, ATileThatFillsItsBytesIsCounted) {
  // 15 chunks of 16 keys and a tail: a thread counts 240 keys and a few more.
  for (const std::int64_t count : {64 * 16 * 14 - 1, 64 * 16 * 14, 64 * 16 * 14 + 1, 64 * 16 * 14 * 3 - 33}) {
    const Problem problem = keys(count, 64, ElementType::u8, "one_value");
    EXPECT_EQ(counted("thread_private_64",
                      "{.block_size = 64, .loads_in_flight = 4, .vector_width = 4, "
                      ".chunks_per_flush = 14, .grid_blocks_per_sm = 16, .finish = merge}",
                      problem, made(problem)),
              expected(problem, made(problem)));
  }
}

TEST(Histogram, TaggedCountsAreRightInAnyOrderOfTheLanes) {
  for (std::uint64_t seed = 0; seed < 8; ++seed)
    for (const char* data : {"one_value", "zipf", "uniform"}) {
      const Problem problem = keys(2500, 33, ElementType::u16, data);
      const Bytes input = made(problem, seed);
      ASSERT_EQ(counted("tagged", "{.block_size = 64, .layout = interleaved, .grid_blocks_per_sm = 16}", problem, input,
                        seed),
                expected(problem, input))
          << data << ' ' << seed;
    }
}

TEST(Histogram, WaysOfMatchingGiveTheSame) {
  for (const char* match : {"any", "ballots", "rounds"})
    for (const char* into : {"shared", "global"})
      for (const int bins : {2, 100}) {
        const Problem problem = keys(3001, bins);
        const Bytes input = generate_inputs(pattern(), problem, {.kind = "exact", .seed = 2})[0];
        EXPECT_EQ(counted("aggregated", fmt::format("{{.match = {}, .into = {}}}", match, into), problem, input),
                  expected(problem, input))
            << match << ' ' << into << ' ' << bins;
      }
}

}  // namespace
}  // namespace warpwright
