// Tests of certificates: their shapes, and their time.
#include "tuner/measuring/certify.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "kernels/core/target.hpp"
#include "tuner/measuring/measuring_fixture.hpp"

namespace warpwright::tuner {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

/// Tiles of 64 elements, with a separate instance for an incomplete last tile.
Kernel tiled_kernel() {
  Kernel kernel = row_kernel();
  kernel.tile = [](const Point&) { return std::vector<std::int64_t>{64}; };
  kernel.plan = [plan = kernel.plan](const Point& params, const Problem& problem, const Device& device) {
    Plan made = plan(params, problem, device);
    if (problem.elements() % 64 == 0) std::get<Launch>(made.steps.front().what).entry += " whole";
    return made;
  };
  return kernel;
}

class Certificates : public Measuring {
 protected:
  std::vector<std::vector<std::int64_t>> shapes(std::int64_t tuned) const {
    const Problem problem = make_problem(toys_.pattern("toy"), {ElementType::f32}, {}, {tuned});
    return shapes_of_instances(prepare(kernel_, kernel_.default_point, problem, gpu_.device()), problem, gpu_.device());
  }

  const Kernel kernel_ = tiled_kernel();
};

TEST_F(Certificates, HaveAShapeForTheInstanceThatWasTuned) {
  EXPECT_THAT(shapes(1 << 20), ElementsAre(ElementsAre(64)));
  EXPECT_THAT(shapes((1 << 20) + 1), ElementsAre(ElementsAre(65)));
}

TEST_F(Certificates, CoverGpuAndSimulatorAndEndInTime) {
  const CompiledConfiguration winner = prepare(kernel_, kernel_.default_point, task_.problem, gpu_.device());
  const Certification whole = certify(gpu_, winner, task_.problem, 1, {}, stop_);
  EXPECT_EQ(whole.on_device.cases, 200);
  EXPECT_EQ(whole.on_host.cases, 60);
  EXPECT_THAT(gpu_.simulated, SizeIs(1));
  ASSERT_THAT(gpu_.properties, SizeIs(5));
  std::set<std::uint64_t> seeds;
  for (const conformance::PropertyOptions& options : gpu_.properties)
    if (is_host(options.target)) seeds.insert(options.seed);
  EXPECT_THAT(seeds, SizeIs(4));
  const auto before = std::chrono::steady_clock::now();
  certify(gpu_, winner, task_.problem, 1, before, stop_);
  for (std::size_t i = 0; i < gpu_.properties.size(); ++i) {
    const conformance::PropertyOptions& options = gpu_.properties[i];
    EXPECT_THAT(options.shapes, SizeIs(is_host(options.target) ? 2 : 8));
    EXPECT_EQ(options.deadline.has_value(), i >= 5);
    EXPECT_TRUE(options.sampled.empty()) << "the GPU has run the problem itself";
    if (options.deadline) {
      EXPECT_GE(*options.deadline - before, std::chrono::seconds(1));
    }
  }
}

class EqualBitsOfRuns : public Certificates {
 protected:
  EqualBitsOfRuns() {
    kernel_of_many_blocks_.plan = [plan = row_kernel().plan](const Point& params, const Problem& problem,
                                                             const Device& device) {
      Plan made = plan(params, problem, device);
      std::get<Launch>(made.steps.front().what).grid.x = static_cast<unsigned>(problem.elements() / 1024 + 1);
      return made;
    };
  }

  EqualBits checked(const Kernel& kernel, int blocks_per_sm = 1) {
    CompiledConfiguration winner = prepare(kernel, kernel.default_point, task_.problem, gpu_.device());
    winner.occupancy.emplace_back().blocks_per_sm = blocks_per_sm;
    return equal_bits(gpu_, toys_, winner, task_.problem, {}, stop_);
  }
  std::optional<bool> shown(const Kernel& kernel) { return checked(kernel).shown; }

  Kernel kernel_of_many_blocks_ = row_kernel();
};

TEST_F(EqualBitsOfRuns, AreShownByManySchedulesAndByRunsThatFillTheGpuAndThatDoNot) {
  EXPECT_EQ(checked(kernel_of_many_blocks_, 4).shown, true);
  ASSERT_THAT(gpu_.repeated, SizeIs(3));
  const conformance::PropertyOptions& on_gpu = gpu_.repeated[2];
  EXPECT_FALSE(is_host(on_gpu.target));
  EXPECT_EQ(on_gpu.equal_bits, 100);
  ASSERT_THAT(on_gpu.problems, SizeIs(2));
  const int sms = gpu_.device().sm_count;
  EXPECT_LT(on_gpu.problems[0].elements() / 1024 + 1, sms);
  EXPECT_GE(on_gpu.problems[1].elements() / 1024 + 1, 4 * sms);
  EXPECT_LT(on_gpu.problems[1].elements() / 2048 + 1, 4 * sms) << "a smaller one fills it too";
}

TEST_F(EqualBitsOfRuns, AreShownByPartsAtTheSameTimeThatHaveTheFirstScheduleInCommon) {
  checked(kernel_of_many_blocks_);
  ASSERT_THAT(gpu_.repeated, SizeIs(gpu_.compilers() + 1));
  std::set<int> schedules;
  for (const conformance::PropertyOptions& part : gpu_.repeated) {
    if (!is_host(part.target)) continue;
    EXPECT_THAT(part.problems, SizeIs(1));
    schedules.insert(0);
    for (int k = 1; k < part.equal_bits; ++k) schedules.insert(part.equal_bits_from + k);
  }
  EXPECT_THAT(schedules, SizeIs(50));
}

TEST_F(EqualBitsOfRuns, AreNotSaidWhereNothingShowsThem) {
  EXPECT_EQ(shown(row_kernel()), std::nullopt) << "64 blocks do not fill it";
  gpu_.why_not_simulated = "no compiler";
  EXPECT_EQ(shown(kernel_of_many_blocks_), std::nullopt);
  EXPECT_THAT(checked(kernel_of_many_blocks_).why, HasSubstr("no compiler"));
  gpu_.why_not_simulated.clear();
  EXPECT_THAT(checked(row_kernel()).why, HasSubstr("fills the GPU"));
  gpu_.is_late = true;
  EXPECT_EQ(shown(kernel_of_many_blocks_), std::nullopt);
  EXPECT_THAT(checked(kernel_of_many_blocks_).why, HasSubstr("no time was left for 50 schedules"));
  gpu_.is_late = false;
  script(1).has_equal_bits = false;
  EXPECT_EQ(shown(kernel_of_many_blocks_), false);
  EXPECT_THAT(checked(kernel_of_many_blocks_).why, HasSubstr("planted"));
}

TEST_F(EqualBitsOfRuns, AreAskedOfTheWinnerIfItMustBeDeterministic) {
  kernel_of_many_blocks_.deterministic = [](const Point& point, const Problem&) { return point.at(0) != 3; };
  const Catalogue catalogue{{toy_pattern()}, {kernel_of_many_blocks_}, {{"toy/row.cuh", ""}}};
  task_.kernels = {&catalogue.kernels().front()};
  for (const int k : {3, 4, 5}) script(k).us = 200;
  script(4).has_equal_bits = false;
  request_.params.only_deterministic = true;
  const TaskResult result = measure();
  EXPECT_EQ(result.outcome.not_deterministic, "planted in a case");
  EXPECT_EQ(std::ranges::count(gpu_.compiled_for_simulator, params(4)), 3)
      << "for the sample, when it became the best, and at the end of the search";
  EXPECT_THAT(gpu_.tested, ElementsAre(params(5))) << "4 was refuted before it got a certificate";
  EXPECT_THAT(gpu_.verified, Not(Contains(params(3)))) << "its kernel does not say so";
  EXPECT_EQ(ranking().front(), params(5)) << "4 was refuted";
  const std::vector<db::Best> answers = db::best(store_, {.arch = "sm_90", .deterministic = true});
  ASSERT_THAT(answers, SizeIs(1));
  EXPECT_EQ(answers[0].winner.params, params(5));
}

TEST_F(EqualBitsOfRuns, AreShownWithoutBeingAskedForOnlyIfTimeIsUnlimited) {
  const Catalogue catalogue{{toy_pattern()}, {kernel_of_many_blocks_}, {{"toy/row.cuh", ""}}};
  task_.kernels = {&catalogue.kernels().front()};
  measure();
  EXPECT_THAT(gpu_.repeated, SizeIs(3));
  gpu_.repeated.clear();
  end_ = Budget::Clock::now() + std::chrono::minutes(10);
  request_.remeasure = true;
  measure();
  EXPECT_THAT(gpu_.properties, SizeIs(10)) << "two certificates";
  EXPECT_THAT(gpu_.repeated, SizeIs(0));
}

}  // namespace
}  // namespace warpwright::tuner
