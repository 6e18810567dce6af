// Tests of runs over many kernels: they take turns, and kernels that did not run never count as passed.
#include "conformance/suite/suite.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "conformance/program/junit.hpp"
#include "conformance/program/mutants_command.hpp"
#include "conformance/program/suite_command.hpp"
#include "conformance/properties/functions.hpp"
#include "conformance/suite/host_fixture.hpp"
#include "conformance/suite/text_kernel.hpp"
#include "db/store/store.hpp"
#include "kernels/job/jobs.hpp"
#include "kernels/system/temporary_folder.hpp"
#include "kernels/system/time_factor.hpp"

namespace warpwright::conformance {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const std::string kTextCopy = R"(
__global__ void text(const float* in, float* out, long long n) {
  const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
})";

const std::string kTextLeaves = R"(
__global__ void text(const float* in, float* out, long long n) {
  const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n) return;
  __syncthreads();
  out[i] = in[i];
})";

const std::vector<std::string> kGlobs{"transpose/*"};

Stop over() {
  return {.deadline = Stop::Clock::now()};
}

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

using SuiteInTheSimulator = HostFixture;

TEST_F(SuiteInTheSimulator, APropertyWithoutAnyTimeLeftIsInterruptedAndNotPassed) {
  const Catalogue all = TextKernel{.code = kTextCopy}.catalogue_of();
  worker::Compiler compiler(pool_, cache_, all.sources());
  worker::Process process;
  Checker checker(all, process, compiler);
  const Kernel& kernel = all.kernels().front();
  const PropertyReport report = run_property(all, checker, kernel,
                                             {.cases = 40,
                                              .params = {kernel.default_point},
                                              .problems = problems_of(all.patterns().front(), kernel, host_device()),
                                              .deadline = Stop::Clock::now()});
  EXPECT_TRUE(report.interrupted);
  EXPECT_EQ(report.verdict(), Verdict::not_run);
}

TEST(Slices, BeginWithFewCasesAndGrowToTheRequestedNumber) {
  EXPECT_EQ(cases_of_slice(0, 200), 2);
  EXPECT_EQ(cases_of_slice(1, 200), 4);
  EXPECT_EQ(cases_of_slice(6, 200), 128);
  EXPECT_EQ(cases_of_slice(7, 200), 200);
  EXPECT_EQ(cases_of_slice(1000, 200), 200);
  EXPECT_EQ(cases_of_slice(0, 1), 1);
}

TEST_F(SuiteInTheSimulator, EveryKernelGetsItsFirstCasesBeforeAnyGetsMany) {
  const std::size_t kernels = catalogue().matching(kGlobs).size();
  ASSERT_GE(kernels, 3U);
  std::atomic<bool> enough = false;
  std::vector<std::string> turns;
  std::vector<int> cases;
  const SuiteReport report =
      run_suite(catalogue(), compiler_,
                {.globs = kGlobs,
                 .points = 1,
                 .jobs = 1,
                 .stop = {.asked = &enough, .deadline = Stop::Clock::now() + time_factor * std::chrono::minutes(5)},
                 .came = {{"transpose/copy", 7}, {"transpose/tiled", 3}}},
                [&](const PropertyReport& property) {
                  turns.push_back(property.kernel->name);
                  cases.push_back(property.cases);
                  enough = turns.size() == 2 * kernels;
                });
  ASSERT_EQ(turns.size(), 2 * kernels);
  const std::vector<std::string> first(turns.begin(), turns.begin() + static_cast<std::ptrdiff_t>(kernels));
  EXPECT_EQ(std::set<std::string>(first.begin(), first.end()).size(), kernels);
  for (std::size_t i = 0; i < kernels; ++i) EXPECT_EQ(cases[i], 2) << turns[i];
  EXPECT_EQ(std::vector<std::string>(turns.begin() + static_cast<std::ptrdiff_t>(kernels), turns.end()), first);
  EXPECT_EQ(first[kernels - 2], "tiled") << "what came far before is last";
  EXPECT_EQ(first[kernels - 1], "copy");
  EXPECT_EQ(report.count(Verdict::passed), static_cast<int>(kernels));
  EXPECT_EQ(report.count(Verdict::not_run), 0);
}

TEST_F(SuiteInTheSimulator, AKernelWithoutACaseIsNotRunInTextInJUnitAndInTheDatabase) {
  const TemporaryFolder folder;
  db::Store store(folder / "run.db");
  const std::string stored =
      "kernel=transpose/copy params={.block_size = 128, .vectors_per_thread = 1, .vector_width = 1} "
      "problem=transpose[op=copy,data=uniform,float,3x5] input=exact:7 check=oracle schedule=0:0 target=" +
      host_target();
  store.saw_counterexample({.pattern = "transpose", .kernel = "copy", .repro = stored, .detail = "wrong"});
  const auto kernels = static_cast<int>(catalogue().matching(kGlobs).size());
  worker::BuildService build(catalogue().sources(), cache_folder(), over());
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  const SuiteSummary summary = run_suite_command(
      catalogue(), build, {.suite = {.globs = kGlobs}, .store = &store, .junit = (folder / "run.xml").string()});
  const std::string said = testing::internal::GetCapturedStdout();
  EXPECT_EQ(summary.failures, 0);
  EXPECT_EQ(summary.not_run, kernels + 1);
  EXPECT_THAT(said, AllOf(HasSubstr("  not run\n"), HasSubstr("NOT RUN"), HasSubstr("1 stored case NOT RUN")));
  EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("conform: this run is not clean: its time"));
  EXPECT_THAT(said, Not(HasSubstr("passed")));
  const std::string junit = text_of(folder / "run.xml");
  EXPECT_THAT(junit, HasSubstr("failures=\"0\" skipped=\"" + std::to_string(kernels + 1) + "\""));
  EXPECT_THAT(junit, HasSubstr("<skipped message=\"not run: the run ended before it\"/>"));
  const auto runs = store.conformance_runs();
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_EQ(runs[0].ended_how, "out of time");
  const auto progress = nlohmann::json::parse(runs[0].progress);
  ASSERT_EQ(progress.size(), static_cast<std::size_t>(kernels));
  for (const auto& kernel : progress) {
    EXPECT_EQ(kernel.at("verdict"), "not run");
    EXPECT_EQ(kernel.at("cases"), 0);
  }
  EXPECT_EQ(store.counterexamples().size(), 1U) << "neither fixed nor obsolete";
}

TEST_F(SuiteInTheSimulator, EveryCheckShapeOfAJobIsCheckedHoweverFewCasesThereAre) {
  const TemporaryFolder folder;
  std::ofstream(folder / "ones.cu") << "__global__ void ones(float* x, int n) { if (n != 77) x[threadIdx.x] = 1; }\n";
  std::ofstream(folder / "ones.json") << R"({"extents": ["n"], "shapes": [[1024]], "check_shapes": [[3], [77]],
    "buffers": {"x": {"role": "out", "type": "float", "count": "n"}},
    "steps": {"kernel": "ones", "grid": 1, "block": "n"}, "bound": "equal"})";
  const job::Jobs jobs(catalogue(), {(folder / "ones.json").string()});
  worker::Compiler compiler(pool_, cache_, jobs.catalogue().sources());
  const SuiteReport report =
      run_suite(jobs.catalogue(), compiler, {.globs = jobs.globs(), .cases = 1, .points = 1, .jobs = 1},
                [](const PropertyReport&) {});
  ASSERT_EQ(report.properties.size(), 1U);
  EXPECT_FALSE(report.properties[0].ok());
  EXPECT_EQ(report.properties[0].first_failure->problem.shape, std::vector<std::int64_t>{77});
  const Case& shrunk = *report.properties[0].counterexample;
  EXPECT_EQ(shrunk.problem.shape, std::vector<std::int64_t>{77});
  EXPECT_EQ(shrunk.input.seed, 0U) << "what does not matter is simple";
  EXPECT_EQ(shrunk.schedule_seed, 0U);
}

TEST_F(SuiteInTheSimulator, TunedShapesOfTheCatalogueAreSampledIfAskedFor) {
  const Catalogue small = TextKernel{.code = kTextCopy}.catalogue_of();
  std::vector<Pattern> patterns = small.patterns();
  for (Pattern& pattern : patterns) pattern.tuning_shapes = {{std::int64_t{1} << 30}};
  const Catalogue all(patterns, small.kernels(), small.sources());
  worker::Compiler compiler(pool_, cache_, all.sources());
  for (const bool asked : {false, true}) {
    const SuiteReport report =
        run_suite(all, compiler, {.cases = 1, .points = 1, .samples_tuned_shapes = asked, .jobs = 1},
                  [](const PropertyReport&) {});
    EXPECT_TRUE(report.properties.at(0).ok());
    EXPECT_EQ(report.properties[0].sampled.size(), asked ? 1U : 0U);
  }
}

TEST_F(SuiteInTheSimulator, AJobThatIsCheckedQuicklyGetsMoreCases) {
  const TemporaryFolder folder;
  std::ofstream(folder / "ones.cu") << "__global__ void ones(int* out, int n) {\n"
                                       "  if (threadIdx.x < n) out[threadIdx.x] = 1;\n}\n";
  std::ofstream(folder / "ones.json") << R"({"file": "ones.cu", "extents": ["n"], "shapes": [[64]],
    "buffers": {"out": {"role": "out", "type": "int", "count": "n"}},
    "steps": {"kernel": "ones", "grid": 1, "block": "n"}, "bound": "equal"})";
  const job::Jobs jobs(catalogue(), {(folder / "ones.json").string()});
  worker::Compiler compiler(pool_, cache_, jobs.catalogue().sources());
  const auto report_of = [&](std::chrono::seconds least) {
    int calls = 0;
    const SuiteReport report = run_suite(jobs.catalogue(), compiler,
                                         {.globs = jobs.globs(), .cases = 4, .points = 1, .least = least, .jobs = 1},
                                         [&](const PropertyReport&) { ++calls; });
    EXPECT_EQ(calls, 1);
    return report.properties.at(0);
  };
  EXPECT_EQ(report_of(std::chrono::seconds(0)).cases, 4);
  const PropertyReport longer = report_of(std::chrono::seconds(2));
  EXPECT_TRUE(longer.ok());
  EXPECT_FALSE(longer.interrupted);
  EXPECT_GE(longer.seconds, 1.9);
  EXPECT_GT(longer.cases, 12);
}

TEST(PropertyReports, CasesThatWereNotCheckedAreCountedOverAllSlices) {
  PropertyReport total;
  PropertyReport slice;
  slice.cases = 4;
  for (const int too_much : {1, 2, 0}) {
    slice.too_much = too_much;
    slice.too_much_work = too_much > 0 ? "stopped" : "";
    total.add(slice);
  }
  EXPECT_THAT(total.warnings(), testing::ElementsAre("3 of 12 cases were not checked: stopped"));
}

TEST_F(SuiteInTheSimulator, ProgressIsTakenFromTheNewestRunOfEachKernel) {
  const TemporaryFolder folder;
  db::Store store(folder / "run.db");
  const auto run = [&](const std::string& day, const std::string& target, const std::string& progress) {
    store.begin_conformance_run(
        {.target = target, .started_at = "2026-01-" + day + "T02:00:00.000Z", .progress = progress});
  };
  run("01", "host/sm_90", R"([{"kernel": "a/b", "cases": 9, "verdict": "passed"}, {"kernel": "a/c", "cases": 5}])");
  run("02", "host/sm_90", R"([{"kernel": "a/b", "cases": 0, "verdict": "not run"}])");
  run("03", "host/sm_75", R"([{"kernel": "a/c", "cases": 77}])");
  const std::map<std::string, std::int64_t> came{{"a/b", 0}, {"a/c", 5}};
  EXPECT_EQ(came_before(store, "host/sm_90"), came);
}

TEST_F(SuiteInTheSimulator, AMutantThatWasNotRunIsNotKilled) {
  const TemporaryFolder folder;
  db::Store store(folder / "run.db");
  const DiskCache cache(cache_folder());
  worker::Pool pool(1, over());
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  const MutantsSummary summary = run_mutants_command(catalogue(), pool, cache,
                                                     {.globs = {"transpose/copy"},
                                                      .limit = 3,
                                                      .jobs = 1,
                                                      .store = &store,
                                                      .stop = over(),
                                                      .junit = (folder / "mutants.xml").string()});
  const std::string said = testing::internal::GetCapturedStdout();
  EXPECT_EQ(summary.survived, 0);
  EXPECT_EQ(summary.not_run, 3);
  EXPECT_THAT(said, AllOf(HasSubstr("0 killed"), HasSubstr("3 NOT RUN")));
  EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("NOT RUN: 3 of 3 mutants"));
  EXPECT_TRUE(store.mutants().empty());
  EXPECT_THAT(text_of(folder / "mutants.xml"), HasSubstr("tests=\"3\" failures=\"0\" skipped=\"3\""));
}

TEST_F(SuiteInTheSimulator, AMutantWhoseCasesWereCutOffHasNotSurvived) {
  // The mutation changes nothing, so all cases pass until the run is ended: after so many bounds, of which each case
  // asks for one.
  Kernel copy = catalogue().kernel("transpose/copy");
  std::atomic<bool> is_asked = false;
  std::atomic<int> bounds = 0;
  copy.depth = [&, depth = copy.depth](const Point& point, const Problem& problem, const Device& device) {
    if (++bounds == 100) is_asked = true;
    return depth(point, problem, device);
  };
  const Mutation nothing{.rule = "none",
                         .file = copy.source,
                         .line = 1,
                         .change = "",
                         .text = "",
                         .equivalent = "",
                         .edit_plan = [](Plan&) {}};
  const DiskCache cache(cache_folder());
  const Stop soon{.asked = &is_asked};
  worker::Pool pool(1, soon);
  const auto results =
      run_mutants(catalogue(), pool, cache, {{&copy, nothing}}, {.jobs = 1, .thorough = true, .stop = soon},
                  [](std::size_t, const MutantResult&) {});
  EXPECT_EQ(results[0].outcome, "");
  EXPECT_GE(bounds, 100);
}

TEST_F(SuiteInTheSimulator, AKernelWithAnInvalidDefaultIsNamedAndTheOthersRun) {
  const TemporaryFolder folder;
  Kernel off = TextKernel{.default_params = {.block_size = 100}}.kernel();
  Kernel right = TextKernel{.code = kTextCopy}.kernel();
  right.name = "right";
  Catalogue all = TextKernel{.code = kTextCopy}.catalogue_of();
  all = {all.patterns(), {off, right}, all.sources()};
  EXPECT_NO_THROW(require_functions(all, all.matching("*"), host_device()));
  worker::BuildService build(all.sources(), cache_folder());
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  const SuiteSummary summary =
      run_suite_command(all, build, {.suite = {.cases = 12}, .junit = (folder / "run.xml").string()});
  const std::string said = testing::internal::GetCapturedStdout();
  EXPECT_EQ(summary.failures, 0);
  EXPECT_EQ(summary.not_run, 1);
  EXPECT_THAT(said, AllOf(HasSubstr("  not run: its default params have block_s"),
                          HasSubstr(": invalid default: its default params have block_size = 100"),
                          HasSubstr("12 cases of 2 kernels"), Not(HasSubstr("all passed"))));
  EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("this run is not clean: copying/text was not run"));
  EXPECT_THAT(text_of(folder / "run.xml"),
              AllOf(HasSubstr("tests=\"2\" failures=\"0\" skipped=\"1\""),
                    HasSubstr("<skipped message=\"not run: its default params have block_size = 100")));
  std::set<std::string> finished;
  run_suite(all, build.compiler, {.cases = 1, .points = 1},
            [&](const PropertyReport& property) { finished.insert(property.kernel->full_name()); });
  EXPECT_EQ(finished.size(), 2U) << "progress counts the kernel that cannot run too";
  const auto problems_broken = fault_of_default(
      all.pattern("copying"),
      make_kernel<TextParams>({.pattern = "copying",
                               .name = "text",
                               .space = SpaceOf<TextParams>{}
                                            .axis("block_size", &TextParams::block_size, {256, 512})
                                            .require("more", [](const TextParams& p) { return p.block_size > 256; }),
                               .plan = {},
                               .tile = {}}),
      host_device());
  EXPECT_THAT(problems_broken, HasSubstr("break 'more'"));
}

TEST_F(SuiteInTheSimulator, ToleratedFindingsAreReportedAndStoredButAreNoFailure) {
  const TemporaryFolder folder;
  db::Store store(folder / "run.db");
  const Catalogue all = TextKernel{.code = kTextLeaves}.catalogue_of();
  worker::BuildService build(all.sources(), cache_folder());
  for (const bool strict : {true, false}) {
    testing::internal::CaptureStdout();
    const SuiteSummary summary = run_suite_command(all, build,
                                                   {.suite = {.cases = 12, .strict = strict},
                                                    .store = &store,
                                                    .junit = (folder / "run.xml").string(),
                                                    .verbose = true});
    const std::string said = testing::internal::GetCapturedStdout();
    EXPECT_EQ(summary.failures, strict ? 1 : 0) << said;
    if (strict) {
      for (const auto& stored : store.counterexamples()) store.fixed_counterexample(stored.repro);
      continue;
    }
    EXPECT_THAT(said, AllOf(HasSubstr("all passed"), HasSubstr("  passed, 1 tolerated\n"),
                            HasSubstr("  tolerated (early_exit): copying/text.cuh:11:"),
                            HasSubstr(": barrier divergence: "), HasSubstr("; reason: --strict off (in ")));
    EXPECT_THAT(text_of(folder / "run.xml"),
                AllOf(HasSubstr("failures=\"0\" skipped=\"0\""), HasSubstr("<system-out>tolerated (early_exit): ")));
    EXPECT_THAT(store.conformance_runs().back().progress, HasSubstr("tolerated (early_exit)"));
  }
}

TEST_F(SuiteInTheSimulator, AKernelWithoutMutationsIsNamedAndNotPassed) {
  Kernel never = catalogue().kernel("transpose/copy");
  never.refuses = [](const Point&, const Problem&, const Device&) { return std::string("needs sm_999"); };
  const Catalogue all(catalogue().patterns(), {never}, catalogue().sources());
  const DiskCache cache(cache_folder());
  worker::Pool pool(1);
  testing::internal::CaptureStdout();
  const MutantsSummary summary =
      run_mutants_command(all, pool, cache, {.globs = {"transpose/copy"}, .tier = MutantTier::commit, .jobs = 1});
  const std::string said = testing::internal::GetCapturedStdout();
  EXPECT_EQ(summary.survived, 0);
  EXPECT_EQ(summary.unmutated, 1);
  EXPECT_THAT(said, HasSubstr(": not mutated: no rule finds anything to break"));
}

TEST(JUnit, ASurvivingMutantFailsAndAKilledOnePasses) {
  const TemporaryFolder folder;
  const Mutation mutation{
      .rule = "drop barrier", .file = "kernels/a.cuh", .line = 3, .change = "a -> <b>", .text = {}, .equivalent = {}};
  const Mutant mutant{.kernel = &catalogue().kernel("transpose/copy"), .mutation = mutation};
  write_junit((folder / "m.xml").string(), host_target(), {mutant, mutant, mutant, mutant},
              {{.outcome = "killed", .how = "race"},
               {.outcome = "survived", .detail = "no case failed"},
               {.outcome = "not compiled", .detail = "error: \x1b[31mred"},
               {}});
  const std::string text = text_of(folder / "m.xml");
  EXPECT_THAT(text, HasSubstr("tests=\"4\" failures=\"1\" skipped=\"2\""));
  EXPECT_THAT(text, HasSubstr("name=\"drop barrier kernels/a.cuh:3 a -&gt; &lt;b&gt;\""));
  EXPECT_THAT(text, HasSubstr("<failure type=\"survived\" message=\"no case failed\"/>"));
  EXPECT_THAT(text, HasSubstr("<skipped message=\"not compiled: error:  [31mred\"/>"));
}

TEST(Functions, LaunchedByAPlanButDefinedNowhereAreNamedWithTheFile) {
  Kernel wrong = catalogue().kernel("transpose/copy");
  EXPECT_NO_THROW(require_functions(catalogue(), catalogue().matching("*"), host_device()));
  wrong.plan = [plan = wrong.plan](const Point& point, const Problem& problem, const Device& device) {
    Plan made = plan(point, problem, device);
    for (Step& step : made.steps)
      if (auto* launch = std::get_if<Launch>(&step.what)) launch->entry = "warpwright::transpose::copy_matrxi<float>";
    return made;
  };
  try {
    require_functions(catalogue(), {&wrong}, host_device());
    FAIL() << "accepted a function that is nowhere";
  } catch (const std::invalid_argument& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr(wrong.source), HasSubstr("'copy_matrxi'"), HasSubstr("transpose/copy")));
  }
}

}  // namespace
}  // namespace warpwright::conformance
