// Tests of the contract between patterns, kernels and the harness: what must be rejected, and what must be accepted.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "conformance/checks/case_plan.hpp"
#include "conformance/checks/problem_setup.hpp"
#include "conformance/checks/run_plan.hpp"
#include "conformance/properties/property.hpp"
#include "conformance/suite/host_fixture.hpp"
#include "kernels/runtime/input.hpp"
#include "kernels/system/temporary_folder.hpp"

namespace warpwright::conformance {
namespace {

using testing::HasSubstr;

class Contract : public HostFixture {
 protected:
  /// The kernel with a changed plan.
  static Kernel changed(const std::string& name, const std::function<void(Plan&)>& change) {
    Kernel kernel = catalogue().kernel(name);
    kernel.plan = [plan = kernel.plan, change](const Point& point, const Problem& problem, const Device& device) {
      Plan made = plan(point, problem, device);
      change(made);
      return made;
    };
    return kernel;
  }

  /// The default configuration on a problem with default settings.
  static Case case_of(const Kernel& kernel, const std::vector<std::int64_t>& shape, const std::string& params = "") {
    const Pattern& pattern = catalogue().pattern(kernel.pattern);
    Case test;
    test.kernel = &kernel;
    test.params = kernel.space.parse(params, kernel.default_point);
    test.problem = make_problem(pattern, pattern.types.front(), {}, shape);
    return test;
  }

  CaseResult check(const Case& test, const Catalogue& all = catalogue()) {
    worker::Process process;
    return checker_with(process, all).check(test);
  }
};

/// The default configuration, as in stored rows and in the names of compiled kernels.
std::string text_of_default(const std::string& name) {
  const Kernel& kernel = catalogue().kernel(name);
  return kernel.space.text(kernel.default_point);
}

TEST(SpacesOfTheCatalogue, EnumeratorsAreSpelledWithTheirNamespaces) {
  EXPECT_THAT(text_of_default("reduce/sequential"), HasSubstr(".finish = warpwright::reduce::finish::second_kernel"));
  EXPECT_THAT(text_of_default("sort/quicksort"), HasSubstr(".stream = warpwright::child_stream::fire_and_forget"));
  EXPECT_THAT(text_of_default("map/axpy"), HasSubstr(".store = warpwright::block::store_hint::plain"));
}

TEST(SpacesOfTheCatalogue, TheTextOfEveryValueParsesBackWithAndWithoutItsNamespaces) {
  for (const Kernel& kernel : catalogue().kernels()) {
    for (std::size_t i = 0; i < kernel.space.axes().size(); ++i) {
      const Axis& axis = kernel.space.axes()[i];
      for (const std::int64_t value : axis.values) {
        Point point = kernel.default_point;
        point[i] = value;
        EXPECT_EQ(kernel.space.parse(kernel.space.text(point), kernel.default_point), point) << kernel.full_name();
        EXPECT_EQ(kernel.space.parse(axis.name + "=" + axis.label(value), kernel.default_point), point)
            << kernel.full_name();
      }
    }
  }
}

TEST_F(Contract, AKernelForCompleteTilesOnlyGetsThemAndItsSecondRunIsRefused) {
  Kernel picky = catalogue().kernel("reduce/sequential");
  picky.refuses = [](const Point&, const Problem& problem, const Device&) -> std::string {
    return problem.elements() % 4 == 0 ? "" : "needs a multiple of 4 elements";
  };
  worker::Process process;
  Checker checker = checker_with(process);
  const PropertyOptions options{.cases = 40,
                                .seed = 3,
                                .params = {picky.default_point},
                                .problems = problems_of(catalogue().pattern("reduce"), picky, host_device()),
                                .deadline = std::nullopt};
  const PropertyReport report = run_property(catalogue(), checker, picky, options);
  EXPECT_TRUE(report.ok());
  EXPECT_EQ(report.cases, 40);
  EXPECT_GT(report.refused, 0);
  EXPECT_EQ(report.skipped, "");
  for (const Case& test : draw_cases(catalogue(), picky, host_device(), options).cases)
    EXPECT_EQ(test.problem.elements() % 4, 0);
  Case odd;
  odd.kernel = &picky;
  odd.params = picky.default_point;
  odd.problem = make_problem(catalogue().pattern("reduce"), {ElementType::f32}, {}, {1});
  const CaseResult result = checker.check(odd);
  EXPECT_EQ(result.verdict, Verdict::skipped);
  EXPECT_EQ(result.detail, "needs a multiple of 4 elements");
}

TEST_F(Contract, AKernelThatRefusesTheTraceShapeGetsItsTile) {
  Kernel small = catalogue().kernel("reduce/sequential");
  const std::vector<std::int64_t> tile = small.tile(small.default_point);
  small.refuses = [&](const Point&, const Problem& problem, const Device&) -> std::string {
    return problem.shape[0] <= tile[0] ? "" : "takes one tile";
  };
  const auto problems = problems_of(catalogue().pattern("reduce"), small, host_device());
  EXPECT_EQ(problems.size(),
            problems_of(catalogue().pattern("reduce"), catalogue().kernel("reduce/sequential"), host_device()).size());
  for (const Problem& problem : problems) EXPECT_EQ(problem.shape, tile);
}

TEST_F(Contract, AKernelThatRefusesEverythingIsSkippedWithItsReason) {
  Kernel never = catalogue().kernel("reduce/sequential");
  never.refuses = [](const Point&, const Problem&, const Device&) { return std::string("needs sm_999"); };
  worker::Process process;
  Checker checker = checker_with(process);
  const PropertyReport report =
      run_property(catalogue(), checker, never,
                   {.cases = 5,
                    .params = {never.default_point},
                    .problems = problems_of(catalogue().pattern("reduce"), never, host_device()),
                    .deadline = std::nullopt});
  EXPECT_TRUE(report.ok());
  EXPECT_EQ(report.cases, 0);
  EXPECT_EQ(report.skipped, "needs sm_999");
}

TEST_F(Contract, AnArgumentThatTheKernelDoesNotAcceptCountsAsNotCompiled) {
  Kernel broken = catalogue().kernel("transpose/copy");
  broken.plan = [plan = broken.plan](const Point& point, const Problem& problem, const Device& device) {
    Plan made = plan(point, problem, device);
    for (Step& step : made.steps) std::get<Launch>(step.what).arguments.push_back(value(7));
    return made;
  };
  worker::Process process;
  Checker checker = checker_with(process);
  Case test;
  test.kernel = &broken;
  test.params = broken.default_point;
  test.problem = make_problem(catalogue().pattern("transpose"), {ElementType::f32}, {{"op", "copy"}}, {10, 10});
  EXPECT_EQ(checker.check(test).verdict, Verdict::not_compiled) << checker.check(test).detail;
}

TEST_F(Contract, ShrinkingNeverGrowsTheWork) {
  // The work decreases with the number of elements, so a case that rapidcheck takes for simpler is more work.
  std::vector<Pattern> patterns = catalogue().patterns();
  Pattern& pattern = *std::ranges::find(patterns, "reduce", &Pattern::name);
  pattern.work = [](const Problem& problem) {
    return Work{.steps = 1e6 / static_cast<double>(problem.elements() + 1)};
  };
  const Catalogue inverse(patterns, catalogue().kernels(), catalogue().sources());
  Kernel broken = catalogue().kernel("reduce/sequential");
  broken.plan = [](const Point&, const Problem& problem, const Device&) {
    return Plan{.buffers = catalogue().pattern("reduce").buffers(problem), .steps = {}};
  };
  worker::Process process;
  Checker checker = checker_with(process, inverse);
  const PropertyReport report = run_property(inverse, checker, broken,
                                             {.cases = 20,
                                              .seed = 5,
                                              .params = {broken.default_point},
                                              .problems = {make_problem(pattern, {ElementType::f32}, {}, {1})},
                                              .max_steps = 1e6,
                                              .deadline = std::nullopt});
  ASSERT_FALSE(report.ok());
  EXPECT_GE(report.counterexample->problem.elements(), report.first_failure->problem.elements());
}

TEST_F(Contract, APoolTaskCanCompileItsProgramsEvenWithOneThread) {
  const TemporaryFolder folder;
  worker::BuildService build(catalogue().sources(), folder.path(), {}, 1);
  worker::Compiler& compiler = build.compiler;
  const Kernel& kernel = catalogue().kernel("transpose/copy");
  const Problem problem = make_problem(catalogue().pattern("transpose"), {ElementType::f32}, {{"op", "copy"}}, {8, 8});
  const Program program = program_for(catalogue(), kernel, kernel.default_point, problem, host_device());
  auto built = build.pool.submit([&](worker::Process&) { return compiler.compile_one(host_target(), program); });
  ASSERT_EQ(built.wait_for(std::chrono::seconds(60)), std::future_status::ready);
  EXPECT_TRUE(built.get().ok);
  EXPECT_EQ(compiler.compiled(), 1);
  EXPECT_TRUE(compiler.compile_one(host_target(), program).ok);
  EXPECT_EQ(compiler.compiled(), 1) << "what a task has compiled is in the cache";
}

TEST_F(Contract, AWritePastTheDefinedHeadIsFound) {
  const Kernel writes_all = changed("compact/single_pass", [](Plan& plan) {
    const Buffer& out = plan.buffer("out");
    plan.steps.insert(plan.steps.begin(), {.what = Memset{.buffer = "out", .count = out.count, .value = value(0.0F)}});
  });
  const CaseResult result = check(case_of(writes_all, {1000}));
  EXPECT_EQ(result.verdict, Verdict::failed);
  EXPECT_NE(result.detail.find("tail"), std::string::npos) << result.detail;
  EXPECT_TRUE(check(case_of(catalogue().kernel("compact/single_pass"), {1000})).ok());
}

TEST_F(Contract, ScratchThatIsNotRestoredIsFound) {
  const Kernel leaves = changed("reduce/grid_stride", [](Plan& plan) {
    plan.steps.push_back({.what = Memset{.buffer = "arrived", .count = 1, .value = value(1U)}});
  });
  const CaseResult result = check(case_of(leaves, {1000}, "{.finish = last_block}"));
  EXPECT_EQ(result.verdict, Verdict::failed);
  EXPECT_NE(result.detail.find("arrived"), std::string::npos) << result.detail;
}

TEST_F(Contract, AKernelThatExpectsZeroedScratchIsFound) {
  const Kernel stale = changed("reduce/grid_stride", [](Plan& plan) {
    for (Buffer& buffer : plan.buffers) buffer.self_restoring = false;
  });
  EXPECT_FALSE(check(case_of(stale, {1000}, "{.finish = last_block}")).ok());
}

TEST_F(Contract, AConstantThatIsNeverUploadedIsFound) {
  const Kernel forgets = changed("convolution/constant", [](Plan& plan) {
    std::erase_if(plan.steps, [](const Step& step) { return std::holds_alternative<ConstantUpload>(step.what); });
  });
  EXPECT_FALSE(check(case_of(forgets, {20, 30})).ok());
  EXPECT_TRUE(check(case_of(catalogue().kernel("convolution/constant"), {20, 30})).ok());
}

TEST_F(Contract, AFaultingObservationIsTheHarnessFaultAndNoVerdict) {
  std::vector<Pattern> patterns = catalogue().patterns();
  for (Pattern& pattern : patterns)
    for (NamedObservation& observation : pattern.observations)
      observation.of = [of = observation.of](const Problem& problem, const Device& device) {
        Observation made = of(problem, device);
        for (Step& step : made.plan.steps)
          if (auto* launch = std::get_if<Launch>(&step.what))
            for (Argument& argument : launch->arguments)
              if (auto* pointer = std::get_if<BufferArgument>(&argument)) pointer->byte_offset += 1 << 20;
        return made;
      };
  const Catalogue faulty(patterns, catalogue().kernels(), catalogue().sources());
  EXPECT_THROW(check(case_of(faulty.kernel("compact/single_pass"), {1000}), faulty), std::runtime_error);
}

TEST(Catalogue, EveryPatternNamesTheUnitOfItsRates) {
  for (const Pattern& pattern : catalogue().patterns()) {
    ASSERT_TRUE(pattern.amount) << pattern.name;
    for (const Settings& settings : pattern.tuning_settings)
      for (const auto& shape : pattern.tuning_shapes) {
        const Amount amount = pattern.amount(make_problem(pattern, pattern.types.front(), settings, shape));
        EXPECT_GT(amount.count, 0) << pattern.name;
        EXPECT_NE(amount.unit, "") << pattern.name;
      }
  }
  const auto amount = [](const std::string& name, const Settings& settings, const std::vector<std::int64_t>& shape) {
    const Pattern& pattern = catalogue().pattern(name);
    const Amount found = pattern.amount(make_problem(pattern, pattern.types.front(), settings, shape));
    return std::pair(found.count, found.unit);
  };
  EXPECT_EQ(amount("matmul", {}, {10, 20, 30}), std::pair(12'000.0, std::string("FLOP")));
  EXPECT_EQ(amount("nbody", {{"op", "forces"}}, {100}), std::pair(10'000.0, std::string("interactions")));
  EXPECT_EQ(amount("lennard_jones", {{"op", "steps"}, {"steps", "20"}}, {4000}),
            std::pair(80'000.0, std::string("atom-steps")));
}

TEST_F(Contract, DeviceCodeFillsBuffersWithTheSameBitsAsTheCpu) {
  worker::Process process;
  for (const Pattern& pattern : catalogue().patterns())
    for (const auto& types : pattern.types) {
      const Problem problem = make_problem(pattern, types, {}, pattern.trace_shape);
      std::vector<InputKind> kinds = pattern.inputs(problem);
      kinds.insert(kinds.end(), pattern.data.begin(), pattern.data.end());
      for (const InputKind& kind : kinds) {
        const Input input{.kind = kind.name, .seed = 3};
        const Plan plan = fill_plan(pattern, problem, input, host_device());
        const CompiledProgram built =
            compiler_.compile_one(host_target(), fill_program({plan}, fills_of(pattern, problem, input)));
        ASSERT_TRUE(built.ok) << built.log;
        const auto filled_by_device = run_plan_on_host(process, plan, built, {});
        const auto made = generate_inputs(pattern, problem, input);
        for (std::size_t i = 0; i < made.size(); ++i)
          EXPECT_EQ(filled_by_device.at(plan.buffers[i].name), made[i])
              << problem_text(problem) << " " << kind.name << " " << plan.buffers[i].name;
      }
    }
}

TEST_F(Contract, ALongComputationWithFewAccessesIsNoHang) {
  const Kernel& kernel = catalogue().kernel("map/sqrt_loop");
  Case test;
  test.kernel = &kernel;
  test.params = kernel.default_point;
  test.input = {.kind = "all_equal", .seed = 1};
  // 2^13 times 2^14 loop iterations: more basic blocks than any execution without such work.
  test.problem =
      make_problem(catalogue().pattern("map"), {ElementType::f32}, {{"op", "sqrt_loop"}, {"limit", "128"}}, {1 << 13});
  worker::Process process;
  const CaseResult result = checker_with(process).check(test);
  EXPECT_EQ(result.verdict, Verdict::passed) << result.detail;
}

TEST_F(Contract, TransfersOverTheBusGetEnoughTime) {
  const auto us = [](const std::string& pattern) {
    const Pattern& found = catalogue().pattern(pattern);
    return slow_bus_us(found.work(make_problem(found, {ElementType::f32}, {}, {1 << 26})));
  };
  EXPECT_NEAR(us("pipeline"), 2 * 4 * std::pow(2, 26) / 8e3, 1);
  EXPECT_EQ(us("reduce"), 0);
}

TEST_F(Contract, NumbersAreDrawnWithinTheirDomainsMostlyThePreferredOne) {
  const Kernel& kernel = catalogue().kernel("convolution/constant");
  const Pattern& pattern = catalogue().pattern("convolution");
  const auto drawn = draw_cases(catalogue(), kernel, host_device(),
                                {.cases = 200,
                                 .seed = 4,
                                 .params = {kernel.default_point},
                                 .problems = problems_of(pattern, kernel, host_device()),
                                 .deadline = std::nullopt});
  ASSERT_EQ(drawn.cases.size(), 200U);
  std::map<double, int> seen;
  for (const Case& test : drawn.cases) {
    EXPECT_TRUE(pattern.numbers.at(0).allows(test.problem.number("filter")));
    ++seen[test.problem.number("filter")];
  }
  EXPECT_GT(seen.size(), 4U);
  EXPECT_EQ(std::ranges::max_element(seen, {}, [](const auto& entry) { return entry.second; })->first,
            pattern.numbers.at(0).preferred);
}

TEST_F(Contract, DrawnSizesAreLimitedByWorkNotByTheNumberOfElements) {
  const Kernel& kernel = catalogue().kernel("neighbor/cell_list");
  const Pattern& pattern = catalogue().pattern("neighbor");
  const auto drawn = draw_cases(catalogue(), kernel, host_device(),
                                {.cases = 100,
                                 .seed = 4,
                                 .params = {kernel.default_point},
                                 .problems = problems_of(pattern, kernel, host_device()),
                                 .max_steps = 8192,
                                 .deadline = std::nullopt});
  for (const Case& test : drawn.cases) EXPECT_LE(pattern.work(test.problem).steps, 64 * 8192.0 * 8);
}

TEST_F(Contract, AShapeThatFillsASecondLevelIsDrawnIfItIsNotTooMuchWork) {
  const Kernel& kernel = catalogue().kernel("neighbor/cell_list");
  const Pattern& pattern = catalogue().pattern("neighbor");
  const Point small = kernel.space.parse("{.block_size = 64}", kernel.default_point);
  Problem sparse = make_problem(pattern, {ElementType::f32}, {}, pattern.trace_shape);
  sparse.numbers["cutoff"] = 1;
  const auto edges = kernel.edges(small, sparse);
  ASSERT_EQ(edges.size(), 2U) << "of two and of three levels";
  const auto drawn_at_edges = [&](double max_steps) {
    const auto drawn = draw_cases(catalogue(), kernel, host_device(),
                                  {.cases = 100,
                                   .seed = 4,
                                   .params = {small},
                                   .problems = {sparse},
                                   .draw_numbers = false,
                                   .max_steps = max_steps,
                                   .deadline = std::nullopt});
    return std::ranges::count_if(drawn.cases, [&](const Case& test) { return test.problem.shape == edges[0]; });
  };
  EXPECT_GE(drawn_at_edges(8192), 5);
  EXPECT_EQ(drawn_at_edges(512), 0);
  sparse.numbers["cutoff"] = 20;
  EXPECT_TRUE(kernel.edges(small, sparse).empty());
}

}  // namespace
}  // namespace warpwright::conformance
