// Tests of the pattern pipeline: space sizes, plans, oracle, and the simulator's findings on plans that omit a wait.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "kernels/model/catalogue.hpp"
#include "kernels/model/elements.hpp"
#include "kernels/pipeline/plans.hpp"
#include "kernels/runtime/input.hpp"
#include "kernels/runtime/simulator/plan_fixture.hpp"

namespace warpwright {
namespace {

using testing::HasSubstr;

const Pattern& pattern() {
  return catalogue().pattern("pipeline");
}

Problem elements(std::int64_t count, const Settings& settings = {}, ElementType type = ElementType::f32) {
  return make_problem(pattern(), {type}, settings, {count});
}

std::vector<const Kernel*> kernels() {
  return catalogue().matching("pipeline");
}

Point point_of(const Kernel& kernel, const std::string& params) {
  return kernel.space.parse(params, kernel.default_point);
}

TEST(Pipeline, SpacesHaveTheirKnownNumberOfValidPoints) {
  const std::map<std::string, std::size_t> known{
      {"one_stream", 12}, {"many_streams", 240},    {"pageable", 42},      {"pinned", 12},       {"managed", 42},
      {"concurrent", 32}, {"managed_prefetch", 96}, {"host_overlap", 252}, {"oversubscribed", 8}};
  EXPECT_EQ(kernels().size(), known.size());
  for (const Kernel* kernel : kernels())
    EXPECT_EQ(kernel->space.points({.types = {ElementType::f32}, .device = Device{}}).size(), known.at(kernel->name))
        << kernel->full_name();
}

TEST(Pipeline, DefaultsAreValidPoints) {
  for (const Kernel* kernel : kernels())
    EXPECT_EQ(kernel->space.rejected_by(kernel->default_point, {.types = {ElementType::f32}, .device = Device{}}), "")
        << kernel->full_name();
}

TEST(Pipeline, NoElementsDoNothing) {
  for (const Kernel* kernel : kernels())
    EXPECT_TRUE(kernel->plan(kernel->default_point, elements(0), Device{}).steps.empty()) << kernel->full_name();
}

TEST(Pipeline, EveryPlanIsValidAndWaitsForItsOutput) {
  for (const Kernel* kernel : kernels())
    for (const Point& point : kernel->space.points({.types = {ElementType::f32}, .device = Device{}}))
      for (const std::int64_t count : {1, 31, 33, 5000}) {
        const Plan plan = kernel->plan(point, elements(count), Device{});
        ASSERT_EQ(plan_fault(plan), "") << kernel->full_name() << kernel->space.text(point);
        EXPECT_FALSE(plan.is_plain());
        for (const PlannedLaunch& planned : launches_of(plan)) EXPECT_GE(planned.launch.grid.x, 1U);
      }
}

TEST(Pipeline, GridsOfExtremeSizesStayWithinTheLimits) {
  for (const Kernel* kernel : kernels())
    for (const PlannedLaunch& planned :
         launches_of(kernel->plan(kernel->default_point, elements(std::int64_t{1} << 35), Device{})))
      EXPECT_LT(planned.launch.grid.x, 1U << 31) << kernel->full_name();
}

TEST(Pipeline, ChunksCoverTheArrayInOrder) {
  for (const std::int64_t count : {1, 31, 32, 33, 64, 1000, 4097})
    for (const int most : {1, 3, 4, 64}) {
      const auto chunks = pipeline::chunks_of(count, most);
      EXPECT_LE(chunks.size(), static_cast<std::size_t>(most));
      std::int64_t next = 0;
      for (const auto& [begin, size] : chunks) {
        EXPECT_EQ(begin, next);
        EXPECT_GT(size, 0);
        EXPECT_LE(size, chunks.front().count);
        next = begin + size;
      }
      EXPECT_EQ(next, count);
    }
  EXPECT_TRUE(pipeline::chunks_of(0, 4).empty());
}

TEST(Pipeline, TheOracleAddsAsOftenAsRequested) {
  const Bytes in = bytes_of(std::vector<float>{0, -1, 0x1p24F});
  EXPECT_EQ(pattern().oracle(elements(3, {{"operations", "2"}}), {in}).at(0).values,
            bytes_of(std::vector<float>{1.25F, 0.25F, 0x1p24F}));
  const Bytes wide = bytes_of(std::vector<double>{0x1p24});
  EXPECT_EQ(pattern().oracle(elements(1, {{"operations", "4"}}, ElementType::f64), {wide}).at(0).values,
            bytes_of(std::vector<double>{0x1p24 + 2.5}));
}

TEST(Pipeline, TheBusTransfersAllInputAndAllOutput) {
  const Work work = pattern().work(elements(1000, {{"operations", "7"}}, ElementType::f64));
  EXPECT_EQ(work.bus_to_device, 8000);
  EXPECT_EQ(work.bus_to_host, 8000);
  EXPECT_EQ(work.operations, 7000);
}

TEST(Pipeline, OversubscriptionIsRefusedUnlessTheBoardIsExclusive) {
  const Kernel& kernel = catalogue().kernel("pipeline/oversubscribed");
  Device board;
  EXPECT_EQ(kernel.refuses(kernel.default_point, elements(64), board), "") << "the host target";
  board.memory_bytes = std::int64_t{16} << 30;
  EXPECT_THAT(kernel.refuses(kernel.default_point, elements(64), board), HasSubstr("--whole-board"));
  board.is_ours_alone = true;
  EXPECT_EQ(kernel.refuses(kernel.default_point, elements(64), board), "");
  for (const char* percent : {"125", "150"}) {
    const Plan plan =
        kernel.plan(point_of(kernel, std::string("{.percent = ") + percent + "}"), elements(1 << 20), board);
    EXPECT_GE(plan.buffer("arena").bytes(), board.memory_bytes / 100 * std::stoi(percent));
    EXPECT_EQ(plan.buffer("arena").where, Where::managed);
  }
}

/// The result of simulating a plan: whether the output was right, and all findings.
struct RunOnSimulator {
  bool right = false;
  std::string found;
};
RunOnSimulator simulated(const Kernel& kernel, const Plan& plan, const Problem& problem, std::uint64_t seed) {
  const auto inputs = generate_inputs(pattern(), problem, {.kind = "uniform", .seed = 3});
  simulator::SimulationOptions options;
  options.schedule.seed = seed;
  const auto run = simulator::run_plan(plan, kernel.source, inputs, options);
  RunOnSimulator made{.right = run.buffers.at("out") == pattern().oracle(problem, inputs).at(0).values, .found = ""};
  for (const simulator::Finding& finding : run.execution.findings) made.found += simulator::describe(finding) + "\n";
  return made;
}

TEST(PipelineInTheSimulator, EveryKernelIsRightInManyOrders) {
  const Problem problem = elements(1000, {{"operations", "3"}});
  for (const Kernel* kernel : kernels()) {
    const Plan plan = kernel->plan(kernel->default_point, problem, Device{});
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
      const RunOnSimulator result = simulated(*kernel, plan, problem, seed);
      ASSERT_EQ(result.found, "") << kernel->full_name() << " " << seed;
      ASSERT_TRUE(result.right) << kernel->full_name() << " " << seed;
    }
  }
}

TEST(PipelineInTheSimulator, AHostReadBeforeTheSynchronisationIsFoundInEveryKernelThatNeedsOne) {
  const Problem problem = elements(1000);
  for (const Kernel* kernel : kernels()) {
    Plan plan = kernel->plan(kernel->default_point, problem, Device{});
    ASSERT_EQ(
        std::erase_if(plan.steps, [](const Step& step) { return std::holds_alternative<Synchronise>(step.what); }), 1U);
    const std::string found = simulated(*kernel, plan, problem, 1).found;
    // A copy to pageable memory has completed when the host continues.
    if (kernel->name == "pageable")
      EXPECT_EQ(found, "");
    else
      EXPECT_THAT(found, HasSubstr("race: nothing orders")) << kernel->full_name();
  }
}

TEST(PipelineInTheSimulator, EveryWaitBetweenStreamsIsNeeded) {
  const Problem problem = elements(1000);
  for (const auto& [name, params] : {std::pair{"pipeline/many_streams", "{.streams = 2, .chunks = 8, .staged = true}"},
                                     std::pair{"pipeline/concurrent", "{.kernels = 4}"}}) {
    const Kernel& kernel = catalogue().kernel(name);
    const Plan plan = kernel.plan(point_of(kernel, params), problem, Device{});
    int waits = 0;
    for (std::size_t i = 0; i < plan.steps.size(); ++i)
      for (std::size_t w = 0; w < plan.steps[i].waits.size(); ++w) {
        Plan broken = plan;
        broken.steps[i].waits.erase(broken.steps[i].waits.begin() + static_cast<std::ptrdiff_t>(w));
        EXPECT_THAT(simulated(kernel, broken, problem, 1).found, HasSubstr("nothing orders"))
            << describe(plan.steps[i]) << " without '" << plan.steps[i].waits[w] << "'";
        ++waits;
      }
    EXPECT_GE(waits, 8) << name;
  }
}

TEST(PipelineReference, IsTheOracle) {
  for (const ElementType type : {ElementType::f32, ElementType::f64}) {
    const Problem problem = elements(700, {{"operations", "5"}}, type);
    const auto inputs = generate_inputs(pattern(), problem, {.kind = "uniform", .seed = 9});
    const Reference reference = pattern().reference(problem, Device{});
    const auto run = simulator::run_plan(reference.plan, reference.source, inputs);
    EXPECT_TRUE(run.execution.clean());
    EXPECT_EQ(run.buffers.at("out.expected"), pattern().oracle(problem, inputs).at(0).values);
  }
}

}  // namespace
}  // namespace warpwright
