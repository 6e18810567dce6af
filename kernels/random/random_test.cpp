// Tests of the pattern random: known answers of Philox, space sizes, plans, conversions, oracle, and that all
// configurations give the same sequence.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "kernels/model/catalogue.hpp"
#include "kernels/model/elements.hpp"
#include "kernels/random/normal.hpp"
#include "kernels/random/numbers.cuh"
#include "kernels/runtime/input.hpp"
#include "kernels/runtime/simulator/plan_fixture.hpp"

namespace warpwright {
namespace {

using testing::ElementsAre;

const Pattern& pattern() {
  return catalogue().pattern("random");
}

Problem numbers(std::int64_t count, const Settings& settings = {}, ElementType type = ElementType::f32) {
  return make_problem(pattern(), {type}, settings, {count});
}

Surroundings on(ElementType type) {
  return {.types = {type}, .device = Device{}};
}

Bytes seed_of(std::uint64_t seed) {
  return bytes_of(std::vector{seed});
}

Bytes run(const Kernel& kernel, const Point& point, const Problem& problem, std::uint64_t seed) {
  const auto [execution, buffers] =
      simulator::run_plan(kernel.plan(point, problem, Device{}), kernel.source, {seed_of(seed)});
  EXPECT_TRUE(execution.clean()) << describe(execution.findings[0]);
  return buffers.at("out");
}

TEST(Philox, GivesThePublishedKnownAnswers) {
  using random::philox;
  using random::philox_block;
  EXPECT_EQ(philox({{0, 0, 0, 0}}, 0, 0), (philox_block{{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}}));
  constexpr unsigned kOnes = 0xffffffff;
  EXPECT_EQ(philox({{kOnes, kOnes, kOnes, kOnes}}, kOnes, kOnes),
            (philox_block{{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}}));
  EXPECT_EQ(philox({{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}}, 0xa4093822, 0x299f31d0),
            (philox_block{{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}}));
}

TEST(Philox, CountsBlocksAndTakesTheLowWordOfASeedFirst) {
  EXPECT_EQ(random::block_of(0x299f31d0a4093822, 0x85a308d3243f6a88),
            random::philox({{0x243f6a88, 0x85a308d3, 0, 0}}, 0xa4093822, 0x299f31d0));
}

TEST(Random, DeviceCodeGivesTheKnownAnswerOfACounterOfZeroToo) {
  const Problem bits = numbers(4, {}, ElementType::u32);
  for (const Kernel* kernel : catalogue().matching("random"))
    EXPECT_THAT(elements_of<unsigned>(run(*kernel, kernel->default_point, bits, 0)),
                ElementsAre(0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8));
}

TEST(Random, SpacesHaveTheirKnownNumberOfValidPoints) {
  for (const auto& [name, floats, doubles] :
       {std::tuple{"random/per_thread", 120U, 80U}, std::tuple{"random/grid_stride", 456U, 304U}}) {
    const Space& space = catalogue().kernel(name).space;
    EXPECT_EQ(space.points(on(ElementType::f32)).size(), floats) << name;
    EXPECT_EQ(space.points(on(ElementType::u32)).size(), floats) << name;
    EXPECT_EQ(space.points(on(ElementType::f64)).size(), doubles) << name;
  }
}

TEST(Random, DefaultsAreValidAndARejectedPointNamesItsConstraint) {
  for (const Kernel* kernel : catalogue().matching("random")) {
    for (const auto& types : pattern().types)
      EXPECT_EQ(kernel->space.rejected_by(kernel->default_point, on(types[0])), "") << kernel->full_name();
    const Point wide = kernel->space.parse("{.vector_width = 4}", kernel->default_point);
    EXPECT_EQ(kernel->space.rejected_by(wide, on(ElementType::f64)), "at most 16 bytes an access");
  }
}

TEST(Random, CombinationsWithoutSuchNumbersAreRefused) {
  for (const Kernel* kernel : catalogue().matching("random")) {
    const auto reason = [&](const Problem& problem) {
      return kernel->refuses(kernel->default_point, problem, Device{});
    };
    EXPECT_EQ(reason(numbers(1, {{"distribution", "normal"}}, ElementType::u32)), "normal numbers are float or double");
    EXPECT_NE(reason(numbers(1, {{"transform", "inverse"}})), "");
    EXPECT_EQ(reason(numbers(1, {{"distribution", "normal"}, {"transform", "inverse"}})), "");
    EXPECT_EQ(reason(numbers(1, {}, ElementType::u32)), "");
  }
}

TEST(Random, NoNumbersLaunchNothingAndPlansReachAboveTwoToTheThirtyOne) {
  const std::int64_t count = (std::int64_t{1} << 34) + 7;
  for (const Kernel* kernel : catalogue().matching("random"))
    for (const Point& point : kernel->space.points(on(ElementType::f32))) {
      EXPECT_TRUE(kernel->plan(point, numbers(0, {{"offset", "3"}}), Device{}).steps.empty());
      const auto launches = launches_of(kernel->plan(point, numbers(count, {{"offset", "3"}}), Device{}));
      ASSERT_EQ(launches.size(), 1U);
      EXPECT_LT(launches[0].launch.grid.x, 1U << 31);
    }
}

TEST(Random, PartialBlocksCausedByTheOffsetAreLaunchedToo) {
  const Kernel& kernel = catalogue().kernel("random/per_thread");
  const auto blocks = [&](const char* offset) {
    const Point small = kernel.space.parse("{.block_size = 64}", kernel.default_point);
    return launches_of(kernel.plan(small, numbers(256, {{"offset", offset}}), Device{})).at(0).launch.grid.x;
  };
  EXPECT_EQ(blocks("0"), 1U);
  EXPECT_EQ(blocks("1"), 2U);
  EXPECT_EQ(blocks("4"), 1U);
}

TEST(Random, ConversionsHaveOpenOrClosedEndsAsDeclared) {
  constexpr unsigned kOnes = ~0U;
  constexpr unsigned long long kAll = ~0ULL;
  EXPECT_EQ(random::half_open(0U), 0);
  EXPECT_EQ(random::half_open(kOnes), 1 - 0x1p-24F);
  EXPECT_EQ(random::half_open(kAll), 1 - 0x1p-53);
  EXPECT_EQ(random::positive(0U), 0x1p-33F);
  EXPECT_EQ(random::positive(kOnes), 1);
  EXPECT_EQ(random::positive(0ULL), 0x1p-53);
  EXPECT_EQ(random::positive(kAll), 1);
  EXPECT_EQ(random::open(0U), 0x1p-24F);
  EXPECT_EQ(random::open(kOnes), 1 - 0x1p-24F);
  EXPECT_EQ(random::open(0ULL), 0x1p-53);
  EXPECT_EQ(random::open(kAll), 1 - 0x1p-53);
}

TEST(Random, QuantilesAndAnglesOnTheCpuAreKnown) {
  EXPECT_EQ(random::normal_quantile(0.5L), 0);
  EXPECT_NEAR(static_cast<double>(random::normal_quantile(0.975L)), 1.959963984540054, 1e-15);
  EXPECT_NEAR(static_cast<double>(random::normal_quantile(0x1p-53L)), -8.209536151601387, 1e-14);
  for (const long double p : {0x1p-53L, 1e-6L, 0.1L, 0.25L, 0.4999999L, 0.50001L, 0.9L}) {
    const long double x = random::normal_quantile(p);
    EXPECT_NEAR(static_cast<double>(std::erfc(-x / std::sqrt(2.0L)) / 2 / p), 1, 1e-16) << p;
    EXPECT_NEAR(static_cast<double>(random::normal_quantile(1 - p) + x), 0, 1e-15 / static_cast<double>(p)) << p;
  }
  EXPECT_EQ(random::cosine_of_pi(0.5L), 0);
  EXPECT_EQ(random::sine_of_pi(1.0L), 0);
  for (int k = 0; k < 64; ++k) {
    const long double a = k / 32.0L;
    EXPECT_NEAR(static_cast<double>(random::cosine_of_pi(a)), std::cos(3.14159265358979323846 * k / 32), 1e-14) << k;
    EXPECT_NEAR(static_cast<double>(random::sine_of_pi(a)), std::sin(3.14159265358979323846 * k / 32), 1e-14) << k;
  }
}

TEST(Random, TheOracleTakesFourWordsOfABlockInTheirOrder) {
  const auto of = [](const Problem& problem) { return pattern().oracle(problem, {seed_of(0)}).at(0).values; };
  EXPECT_THAT(elements_of<float>(of(numbers(2, {{"offset", "1"}}))),
              ElementsAre(0xe169c5 * 0x1p-24F, 0xbc57ac * 0x1p-24F));
  EXPECT_THAT(elements_of<double>(of(numbers(2, {}, ElementType::f64))),
              ElementsAre(static_cast<double>(0xe169c58d6627e8d5 >> 11) * 0x1p-53,
                          static_cast<double>(0x9b00dbd8bc57ac4c >> 11) * 0x1p-53));
  const auto normal = elements_of<double>(of(numbers(2, {{"distribution", "normal"}})));
  const double length = std::sqrt(-2 * std::log(0x6627e8d5 * 0x1p-32));
  EXPECT_NEAR(normal[0], length * std::cos(2 * 3.14159265358979323846 * 0xe169c5 * 0x1p-24), 1e-6);
  EXPECT_NEAR(normal[1], length * std::sin(2 * 3.14159265358979323846 * 0xe169c5 * 0x1p-24), 1e-6);
}

TEST(Random, NoConfigurationChangesTheSequence) {
  const std::vector<Settings> kinds{{{"offset", "6"}},
                                    {{"distribution", "normal"}, {"offset", "5"}},
                                    {{"distribution", "normal"}, {"transform", "inverse"}}};
  for (const ElementType type : {ElementType::f32, ElementType::f64})
    for (const Settings& settings : kinds) {
      const Problem problem = numbers(1501, settings, type);
      std::set<Bytes> results;
      for (const Kernel* kernel : catalogue().matching("random"))
        for (const char* params :
             {"{}", "{.block_size = 64, .philox_blocks = 4, .vector_width = 2, .store = streaming}"})
          results.insert(run(*kernel, kernel->space.parse(params, kernel->default_point), problem, 77));
      EXPECT_EQ(results.size(), 1U) << problem_text(problem);
    }
}

TEST(Random, TheReferenceIsTheOracle) {
  Device small;
  small.sm_count = 1;
  for (const auto& types : pattern().types)
    for (const Settings& settings : std::vector<Settings>{{{"offset", "7"}},
                                                          {{"distribution", "normal"}, {"offset", "3"}},
                                                          {{"distribution", "normal"}, {"transform", "inverse"}}}) {
      if (types[0] == ElementType::u32 && settings.contains("distribution")) continue;
      const Problem problem = numbers(1000, settings, types[0]);
      const auto inputs = generate_inputs(pattern(), problem, {.kind = "exact", .seed = 8});
      const Reference reference = pattern().reference(problem, small);
      const auto [execution, buffers] = simulator::run_plan(reference.plan, reference.source, inputs);
      ASSERT_TRUE(execution.clean()) << describe(execution.findings[0]);
      const ExpectedOutput wanted = pattern().oracle(problem, inputs).at(0);
      if (wanted.magnitude.empty()) {
        EXPECT_EQ(buffers.at("out.expected"), wanted.values);
        continue;
      }
      const auto mine = elements_of<double>(buffers.at("out.expected"));
      const auto sizes = elements_of<double>(buffers.at("out.magnitude"));
      const auto theirs = elements_of<double>(wanted.values);
      for (std::size_t i = 0; i < mine.size(); ++i) {
        EXPECT_NEAR(mine[i], theirs[i], reference.depth * 0x1p-53 * wanted.magnitude[i]) << problem_text(problem) << i;
        EXPECT_EQ(sizes[i], std::fabs(mine[i]));
      }
    }
}

/// Runs a law with the results of `make` instead of a kernel's.
std::string broken(const std::string& name, const Problem& problem,
                   const std::function<Bytes(const Problem&, std::uint64_t)>& make) {
  const auto law = std::ranges::find(pattern().laws, name, &Law::name);
  return law->broken(problem, {seed_of(5)}, [&](const Problem& asked, const std::vector<Bytes>& inputs) {
    return std::vector<Bytes>{make(asked, elements_of<std::uint64_t>(inputs.at(0)).at(0))};
  });
}

/// The oracle's expected values, as outputs.
Bytes right(const Problem& problem, std::uint64_t seed) {
  const ExpectedOutput wanted = pattern().oracle(problem, {seed_of(seed)}).at(0);
  if (wanted.magnitude.empty()) return wanted.values;
  const auto wide = elements_of<double>(wanted.values);
  return bytes_of(std::vector<float>(wide.begin(), wide.end()));
}

TEST(RandomLaws, HoldForTheOracle) {
  for (const char* name : {"moments", "chunks", "seeds"}) {
    EXPECT_EQ(broken(name, numbers(1000), right), "") << name;
    EXPECT_EQ(broken(name, numbers(1000, {{"distribution", "normal"}}), right), "") << name;
  }
}

TEST(RandomLaws, MomentsFindNumbersOfAnotherDistribution) {
  const auto changed = [](auto change) {
    return [change](const Problem& problem, std::uint64_t seed) {
      auto values = elements_of<float>(right(problem, seed));
      for (std::size_t i = 0; i < values.size(); ++i) values[i] = change(values, i);
      return bytes_of(values);
    };
  };
  using Values = std::vector<float>;
  const auto moved = [](const Values& v, std::size_t i) { return v[i] + 0.02F; };
  const auto flat = [](const Values& v, std::size_t i) { return 0.5F + (v[i] - 0.5F) * 0.9F; };
  const auto twice = [](const Values& v, std::size_t i) { return v[i / 2 * 2]; };
  const auto nan = [](const Values&, std::size_t) { return std::nanf(""); };
  EXPECT_THAT(broken("moments", numbers(10), changed(moved)), testing::HasSubstr("mean"));
  EXPECT_THAT(broken("moments", numbers(10), changed(flat)), testing::HasSubstr("variance"));
  EXPECT_THAT(broken("moments", numbers(10), changed(twice)), testing::HasSubstr("covariance"));
  EXPECT_NE(broken("moments", numbers(10), changed(nan)), "");
}

TEST(RandomLaws, ChunksAndSeedsFindKernelsThatIgnoreOffsetOrSeed) {
  const auto without_offset = [](Problem problem, std::uint64_t seed) {
    problem.numbers["offset"] = 0;
    return right(problem, seed);
  };
  EXPECT_NE(broken("chunks", numbers(100), without_offset), "");
  EXPECT_NE(broken("seeds", numbers(100), [](const Problem& problem, std::uint64_t) { return right(problem, 1); }), "");
}

}  // namespace
}  // namespace warpwright
