// Tests of drawing cases: which are among a kernel's first cases, which are too large, and how far failures shrink.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "conformance/checks/case_plan.hpp"
#include "conformance/properties/property.hpp"
#include "conformance/properties/remarks.hpp"
#include "conformance/properties/sample_points.hpp"
#include "conformance/suite/host_fixture.hpp"
#include "conformance/suite/text_kernel.hpp"
#include "kernels/model/elements.hpp"

namespace warpwright::conformance {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class Drawing : public HostFixture {
 protected:
  /// The text's own configurations, as the suite draws them.
  static PropertyOptions options_for(const Catalogue& all, int cases) {
    const Kernel& kernel = all.kernels().front();
    const auto problems = problems_of(all.pattern(kernel.pattern), kernel, host_device());
    return {.cases = cases,
            .seed = 1,
            .params = sample_points(kernel, surroundings_of(problems.front(), host_device()), 0, 1),
            .problems = problems,
            .drawn_before = 0};
  }

  PropertyReport run(const Catalogue& all, const PropertyOptions& options) {
    worker::Compiler compiler(pool_, cache_, all.sources());
    worker::Process process;
    Checker checker(all, process, compiler);
    return run_property(all, checker, all.kernels().front(), options);
  }

  /// What the line of the counterexample gives.
  CaseResult repeated(const Catalogue& all, const PropertyReport& report, const RunLimits& limits = {}) {
    worker::Compiler compiler(pool_, cache_, all.sources());
    worker::Process process;
    return Checker(all, process, compiler).check(*report.counterexample, limits);
  }
};

const std::string kCopy = R"(
__global__ void text(const float* in, float* out, long long n) {
  const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
})";

/// A kernel that is wrong for more than `most` elements.
std::string wrong_above(std::int64_t most, const std::string& what) {
  return "__global__ void text(const float* in, float* out, long long n) {\n"
         "  const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;\n"
         "  if (n > " +
         std::to_string(most) + "LL) " + what + "\n  if (i < n) out[i] = in[i];\n}\n";
}

TEST_F(Drawing, ATableForEachBlockThatOverflowsAbove131072ElementsIsFoundEarly) {
  // The table has an entry for each of 512 blocks of 256 threads.
  const Catalogue all = TextKernel{.code = R"(
__global__ void text(const float* in, float* out, long long n) {
  __shared__ float of_block[512];
  if (threadIdx.x == 0) of_block[blockIdx.x] = in[static_cast<long long>(blockIdx.x) * blockDim.x];
  const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
})"}
                            .catalogue_of();
  PropertyOptions options = options_for(all, 12);
  options.shrink = false;
  const PropertyReport report = run(all, options);
  ASSERT_FALSE(report.ok());
  EXPECT_GT(report.counterexample->problem.elements(), 131'072);
  EXPECT_THAT(report.failure.detail, HasSubstr("of_block"));
}

TEST_F(Drawing, PointsCoverManyPairsOfValues) {
  const Kernel& kernel = catalogue().kernel("scan/three_kernel");
  const Surroundings surroundings =
      surroundings_of(problems_of(catalogue().pattern(kernel.pattern), kernel, host_device()).front(), host_device());
  const auto pairs_of = [](const std::vector<Point>& points) {
    std::set<std::tuple<std::size_t, std::int64_t, std::size_t, std::int64_t>> pairs;
    for (const Point& point : points)
      for (std::size_t one = 0; one < point.size(); ++one)
        for (std::size_t other = one + 1; other < point.size(); ++other)
          pairs.emplace(one, point[one], other, point[other]);
    return pairs.size();
  };
  const auto all = static_cast<double>(pairs_of(kernel.space.points(surroundings)));
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const auto points = sample_points(kernel, surroundings, 20, seed);
    EXPECT_EQ(points.front(), kernel.default_point);
    EXPECT_EQ(std::set<Point>(points.begin(), points.end()).size(), 20U);
    EXPECT_EQ(points, sample_points(kernel, surroundings, 20, seed));
    EXPECT_GT(static_cast<double>(pairs_of(points)), 0.85 * all) << pairs_of(points) << " of " << all;
  }
}

TEST_F(Drawing, EveryKernelGetsALargeCaseThatItAccepts) {
  for (const Kernel& kernel : catalogue().kernels()) {
    const Pattern& pattern = catalogue().pattern(kernel.pattern);
    const auto problems = problems_of(pattern, kernel, host_device());
    const auto points = sample_points(kernel, surroundings_of(problems.front(), host_device()), 6, 1);
    const auto drawn = draw_cases(catalogue(), kernel, host_device(),
                                  {.cases = 14, .params = points, .problems = problems, .drawn_before = 0});
    Problem large = problems.front();
    for (std::int64_t& extent : large.shape) extent = 512 * 1024;
    // Skips kernels that accept only small problems, or none on the simulator.
    if (!kernel.refuses(kernel.default_point, large, host_device()).empty()) continue;
    double most = 0;
    for (const Case& test : drawn.cases) {
      const double steps = most_steps_of(pattern, kernel, test.params, test.problem);
      EXPECT_LE(steps, 64 * 8192) << repro_line(test);
      most = std::max(most, steps);
    }
    EXPECT_GT(most, 8 * 8192) << kernel.full_name();
  }
}

TEST_F(Drawing, LargeProblemsAreLargeInAllDimensionsOrInOne) {
  const Kernel& kernel = catalogue().kernel("transpose/tiled");
  const auto problems = problems_of(catalogue().pattern("transpose"), kernel, host_device());
  const auto drawn =
      draw_cases(catalogue(), kernel, host_device(),
                 {.cases = 14, .params = {kernel.default_point}, .problems = problems, .drawn_before = 0});
  std::int64_t square = 0;
  std::int64_t longest = 0;
  for (const Case& test : drawn.cases) {
    square = std::max(square, std::min(test.problem.shape[0], test.problem.shape[1]));
    longest = std::max(longest, std::max(test.problem.shape[0], test.problem.shape[1]));
  }
  EXPECT_GT(square, 300);
  EXPECT_GT(longest, 100'000);
}

TEST_F(Drawing, GridsWithMoreBlocksThanAWarpHasLanesAreDrawn) {
  for (const char* name : {"compact/stream", "reduce/cooperative_groups", "reduce/grid_stride"}) {
    const Kernel& kernel = catalogue().kernel(name);
    const auto problems = problems_of(catalogue().pattern(kernel.pattern), kernel, host_device());
    const auto points = sample_points(kernel, surroundings_of(problems.front(), host_device()), 40, 1);
    const auto drawn =
        draw_cases(catalogue(), kernel, host_device(), {.cases = 1000, .params = points, .problems = problems});
    const auto blocks_of = [&](const Case& test) {
      std::uint64_t blocks = 0;
      for (const PlannedLaunch& planned :
           launches_of(kernel.plan(test.params, test.problem, device_for(test, host_device())))) {
        blocks = std::max(blocks, planned.launch.grid.count());
        const std::uint64_t together = planned.launch.grid.count() * planned.launch.block.count();
        EXPECT_LE(planned.launch.cooperative ? together : 0, simulator::most_cooperative_threads) << repro_line(test);
      }
      return blocks;
    };
    int many = 0;
    for (const Case& test : drawn.cases) many += blocks_of(test) > 32 ? 1 : 0;
    EXPECT_GE(many, 1) << name;
  }
}

TEST_F(Drawing, ShapesOfSeveralTilesAreDrawnEvenIfTheyAreMoreWorkThanAnOrdinaryProblem) {
  const Kernel& kernel = catalogue().kernel("sort/merge");
  const auto problems = problems_of(catalogue().pattern("sort"), kernel, host_device());
  const auto drawn = draw_cases(catalogue(), kernel, host_device(),
                                {.cases = 400, .params = {kernel.default_point}, .problems = problems});
  const std::int64_t tile = kernel.tile(kernel.default_point).front();
  for (const std::int64_t tiles : {2, 3, 5})
    EXPECT_TRUE(std::ranges::any_of(drawn.cases, [&](const Case& test) {
      return test.problem.elements() == tiles * tile;
    })) << tiles;
}

TEST_F(Drawing, SlicesContinueWhereEarlierOnesEnded) {
  const Catalogue all = TextKernel{.code = kCopy}.catalogue_of();
  const auto largest = [&](int before) {
    PropertyOptions options = options_for(all, 5);
    options.drawn_before = before;
    std::int64_t most = 0;
    for (const Case& test : draw_cases(all, all.kernels().front(), host_device(), options).cases)
      most = std::max(most, test.problem.elements());
    return most;
  };
  EXPECT_GT(largest(0), 131'072);
  EXPECT_LE(largest(1000), 65'536);
}

TEST_F(Drawing, GivenShapesComeFirstAndTakeThePlaceOfNoLargeCase) {
  const Catalogue all = TextKernel{.code = kCopy}.catalogue_of();
  PropertyOptions options = options_for(all, 12);
  options.shapes = {{7}, {6}, {5}, {4}, {3}, {2}};
  const auto cases = draw_cases(all, all.kernels().front(), host_device(), options).cases;
  for (std::size_t i = 0; i < options.shapes.size(); ++i) EXPECT_EQ(cases.at(i).problem.shape, options.shapes[i]);
  EXPECT_TRUE(std::ranges::any_of(cases, [](const Case& one) { return one.problem.elements() > 131'072; }));
}

TEST_F(Drawing, AnEdgeShapeThatIsTooMuchWorkIsNamedWithTheOptionThatDrawsIt) {
  const Catalogue all = TextKernel{
      .code = kCopy, .edges = [](const TextParams&, const Problem&) -> std::vector<std::vector<std::int64_t>> {
        return {{1000}, {3'000'001}, {9'000'000}};
      }}.catalogue_of();
  PropertyOptions options = options_for(all, 60);
  const auto count = [&](std::int64_t elements) {
    return std::ranges::count_if(draw_cases(all, all.kernels().front(), host_device(), options).cases,
                                 [=](const Case& test) { return test.problem.elements() == elements; });
  };
  const DrawnCases drawn = draw_cases(all, all.kernels().front(), host_device(), options);
  ASSERT_TRUE(drawn.capped.any());
  EXPECT_THAT(
      describe(drawn.capped),
      "large edge cases left out, from shape 3000001 (3000001 steps of work) up; --max-steps 140625 includes all of "
      "them");
  EXPECT_EQ(count(9'000'000), 0);
  EXPECT_GT(count(1000), 0);
  PropertyReport report;
  report.kernel = &all.kernels().front();
  report.capped = drawn.capped;
  EXPECT_THAT(remarks_on(report), testing::ElementsAre(HasSubstr("large edge cases left out")));
  options.max_steps = 140'625;
  EXPECT_FALSE(draw_cases(all, all.kernels().front(), host_device(), options).capped.any());
  EXPECT_GT(count(9'000'000), 0);
}

/// Every thread adds up its own elements one after another; then the block reduces the sums.
const std::string kStridedSum = R"(
__global__ void text(const float* in, float* out, long long n) {
  __shared__ float partial[256];
  float sum = 0;
  for (long long i = threadIdx.x; i < n; i += blockDim.x) sum += in[i];
  partial[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) partial[threadIdx.x] += partial[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) *out = partial[0];
})";

TEST_F(Drawing, ASumDeeperThanItsKernelClaimsIsFoundEarly) {
  const auto one_block = [](std::int64_t, int) { return std::int64_t{1}; };
  const auto pairwise = [](const TextParams&, const Problem& problem, const Device&) {
    return std::log2(static_cast<double>(problem.elements()) + 1) + 1;
  };
  const auto in_turn = [](const TextParams& p, const Problem& problem, const Device&) {
    return static_cast<double>(divide_up(problem.elements(), p.block_size)) + 9;
  };
  for (const bool honest : {true, false}) {
    TextKernel text{.pattern = "adding", .code = kStridedSum, .blocks = one_block};
    text.depth = pairwise;
    if (honest) text.depth = in_turn;
    const Catalogue all = text.catalogue_of();
    PropertyOptions options = options_for(all, 8);
    options.shrink = false;
    const PropertyReport report = run(all, options);
    EXPECT_EQ(report.ok(), honest) << report.failure.detail;
    if (honest) continue;
    EXPECT_LE(report.cases, 3);
    EXPECT_THAT(report.failure.detail, AllOf(HasSubstr("an error of "), HasSubstr(" times the bound of ")));
  }
}

TEST_F(Drawing, TheTracedShapeOfAJobIsAmongItsFirstCases) {
  Pattern pattern = copying();
  pattern.trace_shape = {7777};
  Kernel kernel = TextKernel{.code = kCopy}.kernel();
  for (const bool is_job : {true, false}) {
    kernel.file = is_job ? "copy.json" : "";
    const Catalogue all({pattern}, {kernel}, {});
    const auto cases = draw_cases(all, all.kernels().front(), host_device(), options_for(all, 8)).cases;
    EXPECT_EQ(std::ranges::any_of(cases, [](const Case& one) { return one.problem.shape.front() == 7777; }), is_job);
  }
}

TEST_F(Drawing, FunctionsThatOnlyTheTunedProblemLaunchesAreNamed) {
  const Catalogue all = TextKernel{.code = kCopy}.catalogue_of();
  Kernel kernel = all.kernels().front();
  worker::Compiler compiler(pool_, cache_, all.sources());
  worker::Process process;
  Checker checker(all, process, compiler);
  const PropertyOptions options = options_for(all, 4);
  EXPECT_THAT(run_property(all, checker, kernel, options).warnings(), testing::IsEmpty());
  kernel.plan = [plan = kernel.plan](const Point& point, const Problem& problem, const Device& device) {
    Plan made = plan(point, problem, device);
    if (problem.elements() < 1'000'000) return made;
    made.steps.push_back(made.steps.back());
    std::get<Launch>(made.steps.back().what).entry = "warpwright::copying::finish<float>";
    return made;
  };
  std::vector<Pattern> patterns = all.patterns();
  for (Pattern& pattern : patterns) pattern.tuning_shapes = {{1 << 20}};
  const Catalogue tuned(patterns, {kernel}, all.sources());
  EXPECT_THAT(run_property(tuned, checker, tuned.kernels().front(), options).warnings(),
              testing::ElementsAre("no case launched finish, but tuned problems do"));
}

template <class T>
void expect_absorbed(ElementType type) {
  const auto terms = elements_of<T>(generic_fill(type, "absorbed").on_host(1000, 1));
  T running = 0;
  for (const T term : terms) running += term;
  EXPECT_EQ(terms[0], 1);
  EXPECT_EQ(running, 1) << "all but the first are lost";
  EXPECT_GT(static_cast<double>(terms[1]), 0.9 * unit_roundoff(type));
}

TEST_F(Drawing, ARunningSumOfAbsorbedDataLosesAllButTheFirstTerm) {
  expect_absorbed<float>(ElementType::f32);
  expect_absorbed<double>(ElementType::f64);
}

TEST_F(Drawing, AFailureAbove4096ElementsShrinksTo4097) {
  const Catalogue all = TextKernel{.code = wrong_above(4096, "{ if (i < n) out[i] = 7; return; }")}.catalogue_of();
  const PropertyReport report = run(all, options_for(all, 40));
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.counterexample->problem.elements(), 4097) << repro_line(*report.counterexample);
  EXPECT_GT(report.shrinking.tries, 0);
  EXPECT_FALSE(report.shrinking.out_of_time);
  EXPECT_THAT(remarks_on(report), testing::Contains(HasSubstr("until nothing simpler failed")));
}

TEST_F(Drawing, AHangShrinksToAHangWithinItsTimeBudget) {
  // The first thread never stops storing.
  const Catalogue all =
      TextKernel{.code = wrong_above(4096, "for (volatile int forever = 1; i == 0 && forever == 1;) out[0] = in[0];")}
          .catalogue_of();
  const PropertyReport report = run(all, options_for(all, 40));
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.failure.verdict, Verdict::timed_out);
  EXPECT_GT(report.shrinking.tries, 5);
  // The last try begins within the budget, and runs no longer than the budget.
  EXPECT_LT(report.shrinking.seconds, 2 * kHangShrinkingSeconds) << report.shrinking.tries << " tries";
  EXPECT_EQ(report.shrinking.out_of_time, report.shrinking.seconds > kHangShrinkingSeconds);
  EXPECT_GT(report.counterexample->problem.elements(), 4096);
  EXPECT_LT(report.counterexample->problem.elements(), report.first_failure->problem.elements());
  EXPECT_EQ(repeated(all, report).verdict, Verdict::timed_out) << "the line must be true";
}

/// Small, so that a case is stopped soon.
constexpr RunLimits kSmallLimits{.accesses = 2e5, .per_step_of_work = 1, .per_thread = 1, .blocks = 1e7};

TEST_F(Drawing, CasesThatOnlyTakeLongAreNoFailureAndAreCounted) {
  const Catalogue all =
      TextKernel{.code = wrong_above(0, "for (long long turn = 0; turn < n * n / 8; ++turn) if (i < n) out[i] = 1;")}
          .catalogue_of();
  PropertyOptions options = options_for(all, 12);
  options.limits = kSmallLimits;
  const PropertyReport report = run(all, options);
  EXPECT_TRUE(report.ok()) << report.failure.detail;
  EXPECT_EQ(report.verdict(), Verdict::passed);
  EXPECT_GT(report.too_much, 0);
  EXPECT_GT(report.checked(), 0);
  EXPECT_THAT(report.warnings(), testing::Contains(AllOf(HasSubstr("of 12 cases were not checked: "),
                                                         HasSubstr("waits: if the kernel needs more, state `work`"))));
}

TEST_F(Drawing, WithOnlyCasesThatTakeLongNothingIsCheckedAndTheReasonIsSaid) {
  const Catalogue all =
      TextKernel{.code = wrong_above(-1, "for (long long turn = 0; turn < 300000; ++turn) if (i < n) out[i] = turn;")}
          .catalogue_of();
  PropertyOptions options = options_for(all, 3);
  options.limits = kSmallLimits;
  options.shapes = {{300}, {400}, {500}};
  const PropertyReport report = run(all, options);
  EXPECT_EQ(report.verdict(), Verdict::skipped);
  EXPECT_THAT(report.skipped, HasSubstr("3 of 3 cases were not checked: "));
}

TEST_F(Drawing, ALoopWithACounterThatNeverEndsIsAHangWhereSmallerProblemsNeedLittle) {
  const Catalogue all =
      TextKernel{.code = wrong_above(1000, "for (unsigned turn = 1; turn != 0; turn += 2) if (i == 0) out[0] = turn;")}
          .catalogue_of();
  PropertyOptions options = options_for(all, 12);
  options.limits = kSmallLimits;
  const PropertyReport report = run(all, options);
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.failure.verdict, Verdict::timed_out);
  EXPECT_THAT(report.failure.detail, HasSubstr("a loop that does not end, since shape "));
  EXPECT_EQ(repeated(all, report, options.limits).detail, report.failure.detail)
      << "the line repeats it with the same words";
}

TEST_F(Drawing, AnEndlessLoopOfSomeParamsIsAHangIfTheDefaultNeedsLittle) {
  const std::string loop =
      "for (unsigned turn = 1; turn != 0 && blockDim.x == 64; turn += 2) if (i == 0) out[0] = turn;";
  const Catalogue all = TextKernel{.code = wrong_above(0, loop), .block_sizes = {256, 64}}.catalogue_of();
  PropertyOptions options = options_for(all, 12);
  options.limits = kSmallLimits;
  const PropertyReport report = run(all, options);
  ASSERT_FALSE(report.ok());
  EXPECT_THAT(report.failure.detail,
              HasSubstr("a loop that does not end, since with the default params shape 1 needs"));
}

}  // namespace
}  // namespace warpwright::conformance
