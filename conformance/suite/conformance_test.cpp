// Tests of the checks: comparisons, repro lines, edges, and kernels known to be correct or wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <set>

#include "conformance/cases/case.hpp"
#include "conformance/cases/comparison.hpp"
#include "conformance/checks/case_plan.hpp"
#include "conformance/checks/case_runner.hpp"
#include "conformance/checks/run_plan.hpp"
#include "conformance/suite/host_fixture.hpp"
#include "conformance/suite/suite.hpp"
#include "conformance/suite/text_kernel.hpp"
#include "kernels/model/elements.hpp"
#include "kernels/runtime/compare.cuh"
#include "kernels/runtime/input.hpp"

namespace warpwright::conformance {
namespace {

using InTheSimulator = HostFixture;

ComparisonResult compare_floats(const std::vector<double>& expected, const std::vector<float>& got, double relative,
                                const std::vector<double>& magnitude) {
  const std::vector<Buffer> buffers{
      {.name = "out", .role = Role::out, .type = ElementType::f32, .count = static_cast<std::int64_t>(got.size())}};
  const Bound bound{.comparison = Comparison::bounded, .relative = relative, .absolute = 0, .formula = "test"};
  return compare_outputs(buffers, {{.buffer = "out", .values = bytes_of(expected), .magnitude = magnitude}},
                         {bytes_of(got)}, {bound}, 0xFF);
}

const float kNan = std::numeric_limits<float>::quiet_NaN();
const float kInfinity = std::numeric_limits<float>::infinity();

TEST(Accuracies, AreOfTheWorstElementInUnitsOfItsMagnitude) {
  const double u = unit_roundoff(ElementType::f32);
  const ComparisonResult one = compare_floats({1, 4}, {1, 4 + 0x1p-20F}, 16 * u, {1, 4});
  EXPECT_EQ(one.verdict, Verdict::passed);
  EXPECT_NEAR(one.accuracy.relative, 0x1p-22, 1e-9);
  EXPECT_NEAR(one.accuracy.ulp, 2, 1e-3) << "the oracle's own rounding is in the bound";
  EXPECT_EQ(compare_floats({1, 4}, {1, 4}, 16 * u, {1, 4}).accuracy.ulp, 0) << "exact";
  const Bound absolute{.comparison = Comparison::bounded, .absolute = 1, .formula = "1"};
  EXPECT_EQ(accuracy_of(0.5, absolute, ElementType::i32).relative, 0);
  EXPECT_FALSE(std::isfinite(accuracy_of(0.5, absolute, ElementType::f32).ulp)) << "not known";
}

TEST(Comparison, AnUnexpectedNanFails) {
  EXPECT_EQ(compare_floats({1.0}, {kNan}, 1e9, {1.0}).verdict, Verdict::failed);
  EXPECT_EQ(compare_floats({static_cast<double>(kNan)}, {1.0F}, 1e9, {1.0}).verdict, Verdict::failed);
  EXPECT_EQ(compare_floats({static_cast<double>(kNan)}, {kNan}, 0, {1.0}).verdict, Verdict::passed);
}

TEST(Comparison, AnExpectedInfinityMustBeExact) {
  EXPECT_EQ(compare_floats({static_cast<double>(kInfinity)}, {kInfinity}, 0, {1.0}).verdict, Verdict::passed);
  EXPECT_EQ(compare_floats({static_cast<double>(kInfinity)}, {3e38F}, 1e9, {1.0}).verdict, Verdict::failed);
  EXPECT_EQ(compare_floats({1.0}, {kInfinity}, 1e9, {1.0}).verdict, Verdict::failed);
}

TEST(Comparison, NegativeReferencesHaveTheSameBoundAsPositiveOnes) {
  EXPECT_EQ(compare_floats({-100.0}, {-100.5F}, 0.001, {100.0}).verdict, Verdict::failed);
  EXPECT_EQ(compare_floats({-100.0}, {-100.05F}, 0.001, {100.0}).verdict, Verdict::passed);
}

TEST(Comparison, TheRatioIsErrorOverBound) {
  EXPECT_NEAR(compare_floats({8.0}, {9.0F}, 0.5, {4.0}).error_ratio, 0.5, 1e-9);
}

TEST(Comparison, AFailureBeyondABoundNamesErrorBoundAndRatio) {
  const auto result = compare_floats({8.0}, {9.0F}, 0.125, {4.0});
  EXPECT_THAT(
      result.detail,
      testing::HasSubstr("out[0] is 9 where 8 was expected, an error of 1, 2 times the bound of 0.5 (bound: test)"));
  EXPECT_THAT(compare_floats({8.0}, {9.0F}, 0, {4.0}).detail,
              testing::HasSubstr("an error of 1 where none is allowed"));
  EXPECT_THAT(compare_floats({8.0}, {kNan}, 1, {4.0}).detail, testing::HasSubstr("where 8 was expected (bound"));
}

TEST(Comparison, AFailureCountsTheWrongElementsAndNamesTheWorst) {
  const std::vector<double> ones(3, 1.0);
  EXPECT_THAT(compare_floats(ones, {1, 2, 1}, 0.5, ones).detail,
              testing::EndsWith("; it is the only wrong one of 3 elements"));
  const auto result = compare_floats(ones, {3, 1, 5}, 0.5, ones);
  EXPECT_THAT(result.detail,
              testing::AllOf(testing::StartsWith("out[0] is 3 where 1 was expected"),
                             testing::EndsWith("; 2 of 3 elements are wrong, out[2] by 8 times the bound")));
  EXPECT_NEAR(result.error_ratio, 8, 1e-9);
}

TEST(Comparison, ElementsWithoutAMagnitudeAreNotCompared) {
  const auto result = compare_floats({1.0, 0.0}, {1.0F, kNan}, 0, {1.0, compare::kNotCompared});
  EXPECT_EQ(result.verdict, Verdict::passed) << result.detail;
  EXPECT_EQ(compare_floats({1.0, 0.0}, {2.0F, kNan}, 0, {1.0, compare::kNotCompared}).verdict, Verdict::failed);
}

TEST(Comparison, TheInputsOfAnElementAreThoseOfItsIndexAndThoseWithFewElements) {
  const auto buffer = [](const std::string& name, Role role, std::int64_t count) {
    return Buffer{.name = name, .role = role, .type = ElementType::f32, .count = count};
  };
  const std::vector<Buffer> buffers{buffer("x", Role::in, 9), buffer("scale", Role::in, 2), buffer("all", Role::in, 10),
                                    buffer("y", Role::out, 9)};
  const std::vector<Bytes> inputs{bytes_of(std::vector<float>{0, 1, 2, 3, 4, 5, 6, 7, 8}),
                                  bytes_of(std::vector<float>{0.5, 7}), bytes_of(std::vector<float>(10, 1))};
  EXPECT_EQ(inputs_of(buffers, inputs, "y", 4), "x[4] is 4, scale is {0.5, 7}");
}

TEST(Comparison, EveryElementIsComparedIncludingTheLast) {
  std::vector<float> got(1000, 1.0F);
  got.back() = 2.0F;
  const auto result = compare_floats(std::vector(1000, 1.0), got, 1e-3, std::vector(1000, 1.0));
  EXPECT_EQ(result.verdict, Verdict::failed);
  EXPECT_NE(result.detail.find("out[999]"), std::string::npos) << result.detail;
}

TEST(Comparison, AnOutputOfFewerElementsThanExpectedIsAnError) {
  EXPECT_THROW(compare_floats({1.0, 1.0}, {1.0F}, 1, {1.0, 1.0}), std::logic_error);
}

TEST(Comparison, AllZeroOutputsOfNonzeroInputsAreMistrusted) {
  EXPECT_EQ(compare_floats({0.0}, {0.0F}, 1, {2.0}).verdict, Verdict::mistrusted);
  EXPECT_EQ(compare_floats({0.0}, {0.0F}, 1, {0.0}).verdict, Verdict::passed);
}

TEST(Comparison, AnElementThatStillHasThePoisonIsReported) {
  float poisoned = 0;
  std::memset(&poisoned, 0xFF, sizeof poisoned);
  EXPECT_TRUE(compare_floats({static_cast<double>(kNan)}, {poisoned}, 1, {1.0}).equals_poison);
}

TEST(Case, AReproLineParsesBack) {
  Case test;
  test.kernel = &catalogue().kernel("reduce/grid_stride");
  test.problem = make_problem(catalogue().pattern("reduce"), {ElementType::f64}, {{"op", "max"}}, {1023});
  test.params = test.kernel->space.points(surroundings_of(test.problem, host_device())).at(100);
  test.input = {.kind = "special", .seed = 17};
  test.schedule_seed = 99;
  test.resident_blocks = 3;
  EXPECT_EQ(parse_repro(catalogue(), repro_line(test)), test);
  EXPECT_EQ(repro_line(test).find("multiprocessors"), std::string::npos);
  test.multiprocessors = 40;
  EXPECT_EQ(parse_repro(catalogue(), repro_line(test)), test);
  EXPECT_EQ(device_for(test, host_device()).sm_count, 40);
  test.multiprocessors = 0;
  EXPECT_EQ(device_for(test, host_device()).sm_count, host_device().sm_count);
  test.law = "permutation";
  EXPECT_EQ(parse_repro(catalogue(), repro_line(test)), test);
  test.target = "sm_90";
  test.schedule_seed = 0;
  test.resident_blocks = 0;
  EXPECT_EQ(parse_repro(catalogue(), repro_line(test)), test);
}

TEST(Case, ABadLineSaysWhatIsWrong) {
  const auto message = [](const std::string& line) {
    try {
      (void)parse_repro(catalogue(), line);
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_NE(message("problem=reduce[float,1]").find("kernel="), std::string::npos);
  EXPECT_NE(message("kernel=reduce/none problem=reduce[float,1]").find("reduce/sequential"), std::string::npos);
  EXPECT_NE(message("kernel=reduce/sequential problem=transpose[float,1x1]").find("does not solve"), std::string::npos);
  EXPECT_NE(message("kernel=reduce/sequential params={.block_size = 7} problem=reduce[float,1]").find("no value '7'"),
            std::string::npos);
  EXPECT_NE(message("kernel=reduce/sequential problem=reduce[op=sum,data=fcc,float,1]").find("no data 'fcc'"),
            std::string::npos);
  EXPECT_NE(message("kernel=reduce/sequential problem=reduce[op=sum,bins=4,float,1]").find("no setting 'bins'"),
            std::string::npos);
  EXPECT_NE(message("kernel=reduce/sequential problem=reduce[float,1] input=odd:3").find("no input 'odd'"),
            std::string::npos);
  for (const std::string count : {"0", "-1", "5000", "many"})
    EXPECT_NE(
        message("kernel=reduce/sequential problem=reduce[float,1] multiprocessors=" + count).find("multiprocessors="),
        std::string::npos)
        << count;
  EXPECT_NE(message("kernel=reduce/sequential problem=reduce[float,1] check=luck").find("no law"), std::string::npos);
}

TEST(Property, EdgesAreNearTheTileAndWithinTheLimit) {
  const auto edges = edge_extents(100, 300);
  for (const std::int64_t edge : {0, 1, 31, 32, 33, 99, 100, 101, 199, 200, 201, 299, 300})
    EXPECT_TRUE(std::ranges::find(edges, edge) != edges.end()) << edge;
  EXPECT_TRUE(std::ranges::is_sorted(edges));
  EXPECT_LE(edges.back(), 300);
}

TEST_F(InTheSimulator, AnExceptionInAWorkerThreadReachesTheCaller) {
  const auto refuse = [](const PropertyReport&) { throw std::runtime_error("enough"); };
  EXPECT_THROW(
      run_suite(catalogue(), compiler_, {.globs = {"transpose/*", "transpose/tiled"}, .cases = 1, .points = 1}, refuse),
      std::runtime_error);
}

TEST_F(InTheSimulator, TheReferencesOfThePatternsAgreeWithTheirOracles) {
  worker::Process process;
  std::set<Problem> problems;
  for (const Kernel& kernel : catalogue().kernels())
    for (const Problem& problem : problems_of(catalogue().pattern(kernel.pattern), kernel, host_device()))
      problems.insert(problem);
  std::vector<Reference> references;
  std::vector<Program> programs;
  for (const Problem& problem : problems) {
    const Reference& reference =
        references.emplace_back(catalogue().pattern(problem.pattern).reference(problem, host_device()));
    programs.push_back(program_of(reference.plan, reference.source));
  }
  const auto builds = compiler_.compile(host_target(), programs);
  std::size_t next = 0;
  for (const Problem& problem : problems) {
    const Pattern& pattern = catalogue().pattern(problem.pattern);
    const Reference& reference = references[next];
    const Input input{.kind = std::string(kOwnData), .seed = 5};
    const auto inputs = generate_inputs(pattern, problem, input);
    const auto expected = pattern.oracle(problem, inputs);
    const CompiledProgram built = builds[next++].get();
    ASSERT_TRUE(built.ok) << built.log;
    const auto outputs = run_plan_on_host(process, reference.plan, built, inputs);
    for (const Buffer& observed : observed_buffers(pattern, problem, host_device())) {
      const auto wanted = std::ranges::find(expected, observed.name, &ExpectedOutput::buffer);
      ASSERT_NE(wanted, expected.end()) << observed.name;
      const Bytes& found = outputs.at(observed.name + ".expected");
      const Bound bound = pattern.bound(problem, observed.name, input_kind(pattern, problem, input.kind), 1);
      if (bound.comparison != Comparison::bounded) {
        EXPECT_EQ(found, wanted->values) << problem_text(problem) << " " << observed.name;
        continue;
      }
      for (std::size_t i = 0; i < wanted->magnitude.size(); ++i) {
        double got = 0;
        double right = 0;
        std::memcpy(&got, &found[i * sizeof got], sizeof got);
        std::memcpy(&right, &wanted->values[i * sizeof right], sizeof right);
        EXPECT_NEAR(got, right, reference.depth * 0x1p-53 * wanted->magnitude[i]) << problem_text(problem);
      }
    }
  }
}

TEST_F(InTheSimulator, AnOutputThatIsNotWrittenIsReportedUnlikeOneThatIsMinusOne) {
  const auto detail_of = [&](const std::string& statement) {
    const Catalogue all = TextKernel{.code =
                                         "__global__ void text(const float* in, float* out, long long n) {\n"
                                         "  const long long i = blockIdx.x * 256LL + threadIdx.x;\n"
                                         "  if (i < n) " +
                                         statement + "\n}\n"}
                              .catalogue_of();
    worker::Compiler compiler(pool_, cache_, all.sources());
    worker::Process process;
    Checker checker(all, process, compiler);
    Case test;
    test.kernel = &all.kernels().front();
    test.params = test.kernel->default_point;
    test.problem = make_problem(all.pattern("copying"), {ElementType::f32}, {}, {300});
    return checker.check(test).detail;
  };
  EXPECT_THAT(detail_of("if (i != 7) out[i] = in[i];"), testing::HasSubstr("out[7] was never written: "));
  // The kernel writes the bit pattern of the first poison.
  EXPECT_THAT(detail_of("out[i] = i == 7 ? __int_as_float(-1) : in[i];"), testing::HasSubstr("out[7] is "));
}

TEST_F(InTheSimulator, AWrongKernelIsFoundAndTheCaseShrunk) {
  // A sum that omits the last element.
  Kernel broken = catalogue().kernel("reduce/sequential");
  broken.plan = [plan = broken.plan](const Point& point, const Problem& problem, const Device& device) {
    Plan made = plan(point, problem, device);
    for (Step& step : made.steps)
      if (auto* launch = std::get_if<Launch>(&step.what); launch != nullptr && problem.elements() > 40) {
        launch->arguments[2] = value(problem.elements() - 1);
        break;
      }
    return made;
  };
  worker::Process process;
  Checker checker = checker_with(process);
  const PropertyOptions options{.cases = 200,
                                .seed = 3,
                                .params = {broken.default_point},
                                .problems = problems_of(catalogue().pattern("reduce"), broken, host_device()),
                                .deadline = std::nullopt};
  const PropertyReport report = run_property(catalogue(), checker, broken, options);
  ASSERT_FALSE(report.ok());
  EXPECT_GT(report.counterexample->problem.elements(), 40);
  EXPECT_LT(report.counterexample->problem.elements(), 100) << repro_line(*report.counterexample);
  EXPECT_LE(report.counterexample->problem.elements(), report.first_failure->problem.elements());
  EXPECT_EQ(run_property(catalogue(), checker, broken, options).counterexample, report.counterexample);
}

TEST_F(InTheSimulator, ManyStepsGetMoreTimeOnAGpuThanASmallCase) {
  const Kernel& kernel = catalogue().kernel("lennard_jones/step");
  const Pattern& pattern = catalogue().pattern("lennard_jones");
  RunLimits limits;
  const auto limit = [&](const std::string& count, std::int64_t atoms) {
    const Problem problem = make_problem(pattern, {ElementType::f32}, {{"op", "steps"}, {"steps", count}}, {atoms});
    return gpu_time_limit(most_steps_of(pattern, kernel, kernel.default_point, problem), limits).count();
  };
  EXPECT_LT(limit("2", 5), limits.on_device.count() + 10);
  EXPECT_GT(limit("20000", 4000), 10'000);
  limits.most_time = std::chrono::seconds(5);
  EXPECT_EQ(limit("20000", 4000), 5'000);
}

TEST_F(InTheSimulator, AKernelThatIsLessDeterministicThanDeclaredIsFound) {
  Kernel broken = catalogue().kernel("reduce/grid_stride");
  const Point atomic = broken.space.parse("{.finish = warpwright::reduce::finish::atomic}", broken.default_point);
  const Problem floats = make_problem(catalogue().pattern("reduce"), {ElementType::f32}, {}, {1});
  ASSERT_FALSE(broken.deterministic(atomic, floats));
  ASSERT_TRUE(broken.deterministic(broken.default_point, floats));
  broken.deterministic = [](const Point&, const Problem&) { return true; };
  worker::Process process;
  Checker checker = checker_with(process);
  const PropertyReport report = run_property(catalogue(), checker, broken,
                                             {.cases = 1200,
                                              .seed = 2,
                                              .params = {atomic},
                                              .problems = {floats},
                                              .deadline = std::nullopt,
                                              .determinism = true});
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.failure.verdict, Verdict::failed);
  EXPECT_NE(report.failure.detail.find("not deterministic: the bits of out[0]"), std::string::npos)
      << report.failure.detail;
  const Case again = parse_repro(catalogue(), repro_line(*report.counterexample));
  EXPECT_EQ(again.law, kDeterminism);
  EXPECT_EQ(checker.check(again).detail, report.failure.detail);
}

TEST_F(InTheSimulator, ALawThatNeedsAProblemWhichTheKernelRefusesGivesWayToTheOracle) {
  // The transposed product has 2 columns, whose rows do not begin at multiples of 16 bytes.
  const Kernel& kernel = catalogue().kernel("matmul/wgmma_tma");
  Case test{
      .kernel = &kernel,
      .params = kernel.space.parse("{.tile_m = 64, .tile_n = 64, .stages = 2}", kernel.default_point),
      .problem = make_problem(catalogue().pattern("matmul"), {ElementType::bf16, ElementType::f32}, {}, {2, 8, 16}),
      .input = {.kind = "exact", .seed = 1},
      .law = "the transposed product",
      .target = "host/sm_90"};
  worker::Process process;
  Checker checker = checker_with(process);
  const CaseResult result = checker.check(test);
  EXPECT_EQ(result.verdict, Verdict::passed) << result.detail;
  test.problem.shape = {8, 8, 16};
  EXPECT_EQ(checker.check(test).verdict, Verdict::passed);
}

TEST_F(InTheSimulator, EqualBitsAreShownOrRefutedByManySchedules) {
  const Kernel& kernel = catalogue().kernel("reduce/grid_stride");
  const Point atomic = kernel.space.parse("{.finish = warpwright::reduce::finish::atomic}", kernel.default_point);
  const Problem floats = make_problem(catalogue().pattern("reduce"), {ElementType::f32}, {}, {20000});
  worker::Process process;
  Checker checker = checker_with(process);
  const auto report = [&](const Point& params, const std::atomic<bool>* stop = nullptr) {
    return run_property(catalogue(), checker, kernel,
                        {.params = {params}, .problems = {floats}, .stop = stop, .equal_bits = 50});
  };
  const PropertyReport equal = report(kernel.default_point);
  EXPECT_TRUE(equal.ok()) << equal.failure.detail;
  EXPECT_EQ(equal.cases, 1);
  EXPECT_NE(report(atomic).failure.detail.find("not deterministic: "), std::string::npos);
  const std::atomic<bool> stop = true;
  EXPECT_TRUE(report(kernel.default_point, &stop).interrupted);
}

TEST_F(InTheSimulator, OneGpuAddsInOneWay) {
  const Kernel& kernel = catalogue().kernel("matmul/mma");
  const Problem halves =
      make_problem(catalogue().pattern("matmul"), {ElementType::f16, ElementType::f32}, {}, {16, 16, 64});
  worker::Process process;
  Checker checker = checker_with(process);
  const PropertyReport report =
      run_property(catalogue(), checker, kernel,
                   {.target = "host/sm_80", .params = {kernel.default_point}, .problems = {halves}, .equal_bits = 8});
  EXPECT_TRUE(report.ok()) << report.failure.detail;
}

TEST_F(InTheSimulator, ALaunchThatTheDeviceRefusesIsNotLaunchable) {
  Kernel broken = catalogue().kernel("transpose/copy");
  broken.plan = [plan = broken.plan](const Point& point, const Problem& problem, const Device& device) {
    Plan made = plan(point, problem, device);
    for (Step& step : made.steps) std::get<Launch>(step.what).block = {2048, 1, 1};
    return made;
  };
  worker::Process process;
  Checker checker = checker_with(process);
  Case test;
  test.kernel = &broken;
  test.params = broken.default_point;
  test.problem = make_problem(catalogue().pattern("transpose"), {ElementType::f32}, {{"op", "copy"}}, {10, 10});
  const CaseResult result = checker.check(test);
  EXPECT_EQ(result.verdict, Verdict::not_launchable);
  EXPECT_NE(result.detail.find("block of 2048 x 1 x 1 threads"), std::string::npos) << result.detail;
}

}  // namespace
}  // namespace warpwright::conformance
