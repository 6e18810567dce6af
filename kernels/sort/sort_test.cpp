// Tests of the pattern sort: space sizes, plans at edge sizes, the oracle's order, the reference, known results.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "kernels/model/catalogue.hpp"
#include "kernels/model/elements.hpp"
#include "kernels/runtime/input.hpp"
#include "kernels/runtime/simulator/plan_fixture.hpp"
#include "kernels/sort/plans.hpp"

namespace warpwright {
namespace {

using testing::ElementsAre;

const std::vector<std::string> kKernels{"bitonic", "merge", "radix_lsd", "radix_onesweep", "radix_split", "radix_warp"};

const Pattern& pattern() {
  return catalogue().pattern("sort");
}

const Kernel& kernel(const std::string& name) {
  return catalogue().kernel("sort/" + name);
}

Problem array(std::int64_t count, const Settings& settings = {}, ElementType type = ElementType::u32) {
  return make_problem(pattern(), {type}, settings, {count});
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

std::vector<Bytes> expected(const Problem& problem, const std::vector<Bytes>& inputs) {
  std::vector<Bytes> values;
  for (const ExpectedOutput& output : pattern().oracle(problem, inputs)) values.push_back(output.values);
  return values;
}

/// The outputs of a kernel of the pattern with these params; "{}" means the defaults.
std::vector<Bytes> sorted(const std::string& name, const std::string& params, const Problem& problem,
                          const std::vector<Bytes>& inputs, std::uint64_t seed = 1) {
  const Kernel& of = kernel(name);
  const Plan plan = of.plan(of.space.parse(params, of.default_point), problem, Device{});
  simulator::SimulationOptions options;
  options.schedule.seed = seed;
  std::vector<Bytes> contents = inputs;
  for (const Bytes& input : inputs) contents.emplace_back(input.size(), std::byte{0xC5});
  const auto [execution, buffers] = simulator::run_plan(plan, of.source, contents, options);
  EXPECT_TRUE(execution.clean()) << name << ": " << describe(execution.findings[0]);
  return {buffers.at("out"), buffers.at("values_out")};
}

template <class T>
std::vector<T> sorted_keys(const std::string& name, const Problem& problem, const std::vector<T>& keys) {
  return elements_of<T>(sorted(name, "{}", problem, {bytes_of(keys), {}})[0]);
}

std::vector<std::string> radix_kernels() {
  return {"radix_lsd", "radix_split", "radix_onesweep", "radix_warp"};
}

TEST(Sort, SpacesHaveTheirKnownNumbersOfValidPoints) {
  const auto points = [](const std::string& name, const Device& device, ElementType type) {
    return kernel(name).space.points({.types = {type}, .device = device}).size();
  };
  std::vector<std::size_t> least;
  std::vector<std::size_t> most;
  for (const std::string& name : kKernels) {
    least.push_back(points(name, Device{}, ElementType::f64));
    most.push_back(points(name, hopper(), ElementType::u32));
  }
  EXPECT_THAT(least, ElementsAre(132, 110, 266, 4128, 135, 10));
  EXPECT_THAT(most, ElementsAre(144, 120, 280, 7680, 144, 10));
}

TEST(Sort, DefaultsAreValidForEveryType) {
  for (const std::string& name : kKernels)
    for (const auto& types : pattern().types)
      EXPECT_EQ(kernel(name).space.rejected_by(kernel(name).default_point, {.types = types, .device = Device{}}), "")
          << name;
}

TEST(Sort, RefusalsNameTheirReason) {
  const auto why = [](const std::string& name, const Problem& problem) {
    return kernel(name).refuses(kernel(name).default_point, problem, Device{});
  };
  EXPECT_EQ(why("bitonic", array(5, {{"items", "pairs"}})), "is not stable: values of equal keys would change places");
  EXPECT_EQ(why("bitonic", array(5, {{"begin_bit", "1"}})),
            "is not stable: keys that are equal in part of their bits would change places");
  EXPECT_EQ(why("bitonic", array(5, {{"end_bit", "32"}})), "");
  EXPECT_NE(why("bitonic", array(5, {{"end_bit", "32"}}, ElementType::f64)), "");
  const Kernel& onesweep = kernel("radix_onesweep");
  const Point by_arrival = onesweep.space.parse("{.ranking = by_arrival}", onesweep.default_point);
  EXPECT_EQ(onesweep.refuses(by_arrival, array(5, {{"items", "pairs"}}), Device{}),
            "the order of values shows: pairs are ranked by ballots");
  EXPECT_EQ(onesweep.refuses(by_arrival, array(5), Device{}), "");
  EXPECT_EQ(why("radix_warp", array(33)), "sorts at most 32 keys: those of one warp");
  EXPECT_EQ(why("radix_warp", array(32, {{"items", "pairs"}})), "");
}

TEST(Sort, NothingIsLaunchedForNoKeysAndForNoBits) {
  for (const std::string& name : kKernels) {
    EXPECT_TRUE(kernel(name).plan(kernel(name).default_point, array(0), Device{}).steps.empty()) << name;
    if (name == "bitonic") continue;
    const Problem no_bits = array(3, {{"begin_bit", "9"}, {"end_bit", "9"}, {"items", "pairs"}});
    const std::vector<Bytes> inputs{bytes_of(std::vector{3U, 1U, 2U}), bytes_of(std::vector{7U, 8U, 9U})};
    EXPECT_TRUE(launches_of(kernel(name).plan(kernel(name).default_point, no_bits, Device{})).empty()) << name;
    EXPECT_EQ(sorted(name, "{}", no_bits, inputs), inputs) << name;
    EXPECT_EQ(expected(no_bits, inputs), inputs);
  }
}

TEST(Sort, PlansReachAboveTwoToTheThirtyOneKeys) {
  const std::int64_t count = (std::int64_t{1} << 33) + 7;
  for (const std::string& name : kKernels) {
    if (name == "radix_warp") continue;
    const Plan plan = kernel(name).plan(kernel(name).default_point, array(count), hopper());
    const std::int64_t tile = kernel(name).tile(kernel(name).default_point)[0];
    std::uint32_t most_blocks = 0;
    for (const auto& [launch, times] : launches_of(plan)) {
      most_blocks = std::max(most_blocks, launch.grid.x);
      EXPECT_EQ(launch.entry.find("unsigned int, unsigned int"), std::string::npos) << launch.entry;
    }
    EXPECT_GE(most_blocks, divide_up(count, tile)) << name;
  }
}

TEST(Sort, EachDigitHasOnePassThatMovesTheKeysOnce) {
  const auto passes = [](const std::string& params, const Settings& settings, ElementType type) {
    const Kernel& lsd = kernel("radix_lsd");
    std::int64_t moves = 0;
    for (const auto& [launch, times] :
         launches_of(lsd.plan(lsd.space.parse(params, lsd.default_point), array(1000, settings, type), Device{})))
      if (launch.entry.find("radix_lsd<") != std::string::npos) moves += times;
    return moves;
  };
  EXPECT_EQ(passes("{.radix_bits = 8}", {}, ElementType::u32), 4);
  EXPECT_EQ(passes("{.radix_bits = 5}", {}, ElementType::u32), 7);
  EXPECT_EQ(passes("{.radix_bits = 8}", {}, ElementType::f64), 8);
  EXPECT_EQ(passes("{.radix_bits = 8}", {{"begin_bit", "3"}, {"end_bit", "12"}}, ElementType::f64), 2);
}

TEST(Sort, TheOracleOrdersZerosInfinitiesAndNanByTheirBits) {
  const float infinity = std::numeric_limits<float>::infinity();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> keys{nan, 0.0F, infinity, -0.0F, -1.0F, -nan, -infinity, 0x1p-149F};
  const std::vector<float> rising{-nan, -infinity, -1.0F, -0.0F, 0.0F, 0x1p-149F, infinity, nan};
  const Problem ascending = array(8, {}, ElementType::f32);
  EXPECT_EQ(expected(ascending, {bytes_of(keys), {}})[0], bytes_of(rising));
  for (const std::string& name : kKernels)
    EXPECT_EQ(bytes_of(sorted_keys(name, ascending, keys)), bytes_of(rising)) << name;
  const std::vector<float> falling(rising.rbegin(), rising.rend());
  const Problem descending = array(8, {{"order", "descending"}}, ElementType::f32);
  EXPECT_EQ(expected(descending, {bytes_of(keys), {}})[0], bytes_of(falling));
  for (const std::string& name : kKernels)
    EXPECT_EQ(bytes_of(sorted_keys(name, descending, keys)), bytes_of(falling)) << name;
}

TEST(Sort, TheOracleIsStableInBothDirectionsAndUsesOnlyItsBits) {
  const std::vector<Bytes> inputs{bytes_of(std::vector{0x21, -1, 0x11, 0x12, 0x22}),
                                  bytes_of(std::vector{1U, 2U, 3U, 4U, 5U})};
  const auto values = [&](const Settings& settings) {
    return elements_of<unsigned>(expected(array(5, settings, ElementType::i32), inputs)[1]);
  };
  EXPECT_THAT(values({{"items", "pairs"}}), ElementsAre(2, 3, 4, 1, 5));
  EXPECT_THAT(values({{"items", "pairs"}, {"end_bit", "4"}}), ElementsAre(1, 3, 4, 5, 2));
  EXPECT_THAT(values({{"items", "pairs"}, {"end_bit", "4"}, {"order", "descending"}}), ElementsAre(2, 4, 5, 1, 3));
  EXPECT_THAT(values({{"items", "pairs"}, {"begin_bit", "4"}, {"end_bit", "6"}}), ElementsAre(3, 4, 1, 5, 2));
}

TEST(Sort, KnownKeysMoveBitByBit) {
  const std::vector<unsigned> keys{7, 14, 4, 1};
  for (const std::string& name : radix_kernels()) {
    EXPECT_THAT(sorted_keys(name, array(4, {{"end_bit", "1"}}), keys), ElementsAre(14, 4, 7, 1)) << name;
    EXPECT_THAT(sorted_keys(name, array(4, {{"end_bit", "2"}}), keys), ElementsAre(4, 1, 14, 7)) << name;
    EXPECT_THAT(sorted_keys(name, array(4), keys), ElementsAre(1, 4, 7, 14)) << name;
  }
}

TEST(Sort, KnownFlagsAreSplit) {
  const std::vector<unsigned> flags{0, 1, 1, 0, 1, 0, 0, 1, 1, 0, 1};
  std::vector<unsigned> values(flags.size());
  std::iota(values.begin(), values.end(), 0U);
  const Problem problem = array(11, {{"items", "pairs"}, {"end_bit", "1"}});
  for (const std::string& name : radix_kernels()) {
    const auto split = sorted(name, "{}", problem, {bytes_of(flags), bytes_of(values)});
    EXPECT_THAT(elements_of<unsigned>(split[0]), ElementsAre(0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1)) << name;
    EXPECT_THAT(elements_of<unsigned>(split[1]), ElementsAre(0, 3, 5, 6, 9, 1, 2, 4, 7, 8, 10)) << name;
  }
}

TEST(Sort, KeysThatArriveOutOfOrderArePutBack) {
  const std::string params =
      "{.block_size = 128, .coarsening = 8, .radix_bits = 4, .ranking = warpwright::sort::ranking::by_arrival}";
  // One full tile of 8-bit keys: two passes move them, and the second must preserve the order of the first.
  std::vector<unsigned> keys(1024);
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = static_cast<unsigned>(i * 167 % 251);
  std::vector<unsigned> in_order = keys;
  std::sort(in_order.begin(), in_order.end());
  for (std::uint64_t seed = 1; seed <= 4; ++seed)
    EXPECT_EQ(elements_of<unsigned>(sorted("radix_onesweep", params, array(1024), {bytes_of(keys), {}}, seed)[0]),
              in_order)
        << "in the order of schedule " << seed;
}

TEST(Sort, TheMostSignificantDigitFirstIsCaught) {
  // Sorts by the wrong digit first: by two bits, then by the two bits below them.
  const Bytes keys = bytes_of(std::vector{7U, 14U, 4U, 1U});
  Bytes wrong = sorted("radix_lsd", "{}", array(4, {{"begin_bit", "1"}, {"end_bit", "2"}}), {keys, {}})[0];
  wrong = sorted("radix_lsd", "{}", array(4, {{"end_bit", "1"}}), {wrong, {}})[0];
  EXPECT_THAT(elements_of<unsigned>(wrong), ElementsAre(4, 14, 1, 7));
  const Problem problem = array(4);
  EXPECT_NE(wrong, expected(problem, {keys, {}})[0]);
  const Runner wrong_kernel = [&](const Problem&, const std::vector<Bytes>&) { return std::vector<Bytes>{wrong, {}}; };
  EXPECT_EQ(pattern().laws.at(0).name, "sorted");
  EXPECT_EQ(pattern().laws.at(0).broken(problem, {keys, {}}, wrong_kernel), "keys are not in order");
}

TEST(Sort, LawsFindTheirFaults) {
  const Problem problem = array(3, {{"items", "pairs"}});
  const std::vector<Bytes> inputs{bytes_of(std::vector{2U, 1U, 3U}), bytes_of(std::vector{5U, 6U, 7U})};
  const auto broken = [&](std::size_t law, const std::vector<unsigned>& keys, const std::vector<unsigned>& values) {
    return pattern().laws.at(law).broken(problem, inputs, [&](const Problem&, const std::vector<Bytes>&) {
      return std::vector<Bytes>{bytes_of(keys), bytes_of(values)};
    });
  };
  EXPECT_EQ(broken(0, {1, 2, 3}, {6, 5, 7}), "");
  EXPECT_EQ(broken(1, {1, 2, 3}, {6, 5, 7}), "");
  EXPECT_NE(broken(1, {1, 2, 2}, {6, 5, 7}), "");
  EXPECT_NE(broken(1, {1, 2, 3}, {5, 6, 7}), "");
  int runs = 0;
  EXPECT_NE(pattern().laws.at(2).broken(problem, inputs,
                                        [&](const Problem&, const std::vector<Bytes>&) {
                                          const unsigned last = runs++ == 0 ? 3 : 4;
                                          return std::vector<Bytes>{bytes_of(std::vector{1U, 2U, last}), inputs[1]};
                                        }),
            "");
}

TEST(Sort, TheReferenceIsTheOracle) {
  Device small;
  small.sm_count = 1;
  for (const auto& types : pattern().types)
    for (const auto& [count, settings] : {std::pair<std::int64_t, Settings>{0, {}},
                                          {3, {{"begin_bit", "40"}, {"end_bit", "30"}}},
                                          {700, {{"order", "descending"}, {"begin_bit", "3"}}},
                                          {1500, {{"items", "pairs"}, {"end_bit", "21"}}}}) {
      const Problem problem = array(count, settings, types[0]);
      const auto inputs = generate_inputs(pattern(), problem, {.kind = "special", .seed = 5});
      const Reference reference = pattern().reference(problem, small);
      const auto [execution, buffers] = simulator::run_plan(reference.plan, reference.source, inputs);
      ASSERT_TRUE(execution.clean()) << describe(execution.findings[0]);
      for (const ExpectedOutput& output : pattern().oracle(problem, inputs))
        EXPECT_EQ(buffers.at(output.buffer + ".expected"), output.values) << output.buffer << problem_text(problem);
    }
}

TEST(Sort, SpecialKeysHoldNanAndZerosOfEitherSign) {
  const auto count = [](ElementType type, std::uint64_t bits) {
    const Problem problem = array(4000, {}, type);
    const Bytes keys = generate_inputs(pattern(), problem, {.kind = "special", .seed = 14})[0];
    std::int64_t found = 0;
    for (std::size_t at = 0; at < keys.size(); at += size_of(type)) {
      std::uint64_t key = 0;
      std::memcpy(&key, &keys[at], size_of(type));
      found += key == bits ? 1 : 0;
    }
    return found;
  };
  for (const std::uint64_t bits : {0x00000000ULL, 0x80000000ULL, 0x7fc00000ULL, 0xffc00000ULL, 0xff800000ULL})
    EXPECT_GT(count(ElementType::f32, bits), 20) << bits;
  EXPECT_GT(count(ElementType::f64, 0x8000000000000000ULL), 20);
  EXPECT_GT(count(ElementType::i32, 0x80000000ULL), 20);
}

TEST(Sort, OnesweepSkipsDigitsThatAreTheSameInAllKeys) {
  const Kernel& onesweep = kernel("radix_onesweep");
  const std::string params = "{.block_size = 128, .coarsening = 8, .counting = late}";
  for (const std::uint32_t mask : {0U, 0xff00U, 0xff0000ffU, 0x00ffff0fU, 0xffffffffU})
    for (const char* items : {"keys", "pairs"}) {
      const Problem problem = array(1500, {{"items", items}});
      std::vector<Bytes> inputs = generate_inputs(pattern(), problem, {.kind = "uniform", .seed = 11});
      auto keys = elements_of<unsigned>(inputs[0]);
      for (unsigned& key : keys) key = (key & mask) | (0x5a5a5a5aU & ~mask);
      inputs[0] = bytes_of(keys);
      const Plan plan = onesweep.plan(onesweep.space.parse(params, onesweep.default_point), problem, Device{});
      std::vector<Bytes> contents = inputs;
      for (const Bytes& input : inputs) contents.emplace_back(input.size(), std::byte{0xC5});
      const auto [execution, buffers] = simulator::run_plan(plan, onesweep.source, contents);
      ASSERT_TRUE(execution.clean()) << describe(execution.findings[0]);
      EXPECT_EQ((std::vector<Bytes>{buffers.at("out"), buffers.at("values_out")}), expected(problem, inputs)) << mask;
      // A copy or a single pass needs no array between input and output; two or more do.
      if (mask == 0xffffffffU) continue;
      const auto moved = std::ranges::count_if(elements_of<unsigned>(buffers.at("spare")),
                                               [&](unsigned key) { return (key & ~mask) == (0x5a5a5a5aU & ~mask); });
      EXPECT_EQ(moved, mask == 0 || mask == 0xff00U ? 0 : 1500) << mask;
    }
}

TEST(Sort, KeysRankedByArrivalAreOrderedInAnyOrderOfArrival) {
  for (const char* ranking : {"first_by_arrival", "by_arrival"}) {
    const std::string params = "{.block_size = 128, .coarsening = 8, .ranking = " + std::string(ranking) + "}";
    for (const char* kind : {"uniform", "few_values", "reversed"}) {
      const Problem problem = array(2500);
      const auto inputs = generate_inputs(pattern(), problem, {.kind = kind, .seed = 7});
      for (std::uint64_t seed = 0; seed < 2; ++seed)
        EXPECT_EQ(sorted("radix_onesweep", params, problem, inputs, seed), expected(problem, inputs)) << kind << seed;
    }
  }
  // Keys compared only in part show their order, so they are ranked by ballots.
  const Problem part = array(1500, {{"begin_bit", "8"}, {"end_bit", "16"}});
  const auto inputs = generate_inputs(pattern(), part, {.kind = "uniform", .seed = 7});
  EXPECT_EQ(sorted("radix_onesweep", "{.block_size = 128, .coarsening = 8, .ranking = by_arrival}", part, inputs),
            expected(part, inputs));
}

TEST(Sort, TicketsMakeAnyOrderOfBlocksCorrect) {
  const std::string params = "{.block_size = 128, .coarsening = 8, .radix_bits = 4, .window = 4}";
  const Problem problem = array(3000, {{"items", "pairs"}, {"end_bit", "16"}});
  const auto inputs = generate_inputs(pattern(), problem, {.kind = "uniform", .seed = 3});
  for (std::uint64_t seed = 0; seed < 6; ++seed)
    EXPECT_EQ(sorted("radix_onesweep", params, problem, inputs, seed), expected(problem, inputs)) << seed;
}

}  // namespace
}  // namespace warpwright
