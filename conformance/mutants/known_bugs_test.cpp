// Tests that known bugs are found: bugs of kernels, and bugs of test harnesses, which this one must not have.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <set>

#include "conformance/cases/comparison.hpp"
#include "conformance/checks/case_plan.hpp"
#include "conformance/checks/run_plan.hpp"
#include "conformance/mutants/known_bugs.hpp"
#include "conformance/properties/property.hpp"
#include "kernels/runtime/build/compiler.hpp"

namespace warpwright::conformance {
namespace {

class KnownBugs : public testing::Test {
 protected:
  void SetUp() override {
    worker::Compiler compiler(pool_, cache_, known_bugs().sources());
    if (!compiler.toolchain().host_error.empty()) GTEST_SKIP() << compiler.toolchain().host_error;
  }
  DiskCache cache_{std::filesystem::path(WARPWRIGHT_BINARY_DIR) / "test_cache"};
  worker::Pool pool_;
};

TEST_F(KnownBugs, OfKernelsAreFoundAndTheirCorrectFormsPass) {
  // The kinds of findings that a CUDA developer would expect for each.
  const std::map<std::string, std::vector<std::string>> expected{
      {"in_place_reduction/wrong", {"race"}},
      {"warp_tail/wrong", {"race"}},
      {"kogge_stone/without_temporary", {"race"}},
      {"kogge_stone/without_second_barrier", {"race"}},
      {"guarded_barrier/wrong", {"barrier divergence"}},
      {"append/wrong", {"race"}},
      {"block_of_96/wrong", {"wrong value"}},
      {"single_pass_scan/without_ticket", {"hang"}},
      {"volatile_chain/without_fence", {"wrong value"}},
      {"volatile_chain/without_reading_fence", {"wrong value"}},
      {"volatile_chain/fence_of_block", {"wrong value"}}};
  const std::vector<Mutant> all = all_known_bugs();
  std::set<std::string> repros;
  constexpr std::uint64_t seeds = 5;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const auto results =
        run_mutants(known_bugs(), pool_, cache_, all, {.seed = seed}, [](std::size_t, const MutantResult&) {});
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const std::string name = all[i].kernel->full_name() + " with seed " + std::to_string(seed);
      if (all[i].kernel->name == "right") {
        EXPECT_EQ(results[i].outcome, "equivalent") << name << ": " << results[i].detail;
        continue;
      }
      ++wrong;
      EXPECT_EQ(results[i].outcome, "killed") << name << ": " << results[i].detail;
      ASSERT_TRUE(expected.contains(all[i].kernel->full_name())) << name;
      EXPECT_THAT(expected.at(all[i].kernel->full_name()), testing::Contains(results[i].how))
          << name << ": " << results[i].detail;
      repros.insert(results[i].repro);
    }
    EXPECT_EQ(wrong, expected.size());
  }
  EXPECT_GT(repros.size(), 3 * expected.size()) << "each seed draws other cases";
}

TEST_F(KnownBugs, AMissingFenceIsShownByOneStaleReadWithBothLines) {
  const Kernel& kernel = known_bugs().kernel("volatile_chain/without_fence");
  worker::Process process;
  worker::Compiler compiler(pool_, cache_, known_bugs().sources());
  Checker checker(known_bugs(), process, compiler);
  const PropertyReport report =
      run_property(known_bugs(), checker, kernel,
                   {.cases = 200,
                    .seed = 7,
                    .params = {kernel.default_point},
                    .problems = problems_of(known_bugs().pattern("volatile_chain"), kernel, host_device())});
  ASSERT_TRUE(report.counterexample);
  EXPECT_EQ(report.counterexample->stale_loads, 1u) << repro_line(*report.counterexample);
  EXPECT_LE(report.counterexample->problem.elements(), 128) << "a few blocks of 32";
  const std::string& detail = report.failure.detail;
  EXPECT_THAT(detail, testing::HasSubstr("the load at conformance/mutants/known_bugs/volatile_chain.cuh:34:"));
  EXPECT_THAT(detail, testing::HasSubstr("before the store at conformance/mutants/known_bugs/volatile_chain.cuh:38:"));
  // The reproduction line alone gives the same failure.
  const std::string line = repro_line(*report.counterexample);
  EXPECT_THAT(line, testing::HasSubstr(" stale=1:"));
  const Case again = parse_repro(known_bugs(), line);
  EXPECT_EQ(again, *report.counterexample);
  EXPECT_EQ(checker.check(again).detail, detail);
}

TEST_F(KnownBugs, NoneIsInTheCatalogue) {
  for (const auto& [path, text] : catalogue().sources()) EXPECT_EQ(path.find("known_bugs"), std::string::npos);
}

/// Compares as this harness does, for values that a weak harness would accept.
ComparisonResult ours(const std::vector<float>& got, const std::vector<double>& wanted) {
  const auto raw = [](const auto& values) {
    Bytes bytes(values.size() * sizeof(values[0]));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
  };
  std::vector<double> magnitude;
  for (const double value : wanted) magnitude.push_back(std::fabs(value));
  return compare_outputs(
      {{.name = "out", .role = Role::out, .type = ElementType::f32, .count = static_cast<std::int64_t>(got.size())}},
      {{.buffer = "out", .values = raw(wanted), .magnitude = magnitude}}, {raw(got)},
      {{.comparison = Comparison::bounded, .relative = 1e-3, .absolute = 0, .formula = "1e-3"}}, 0xFF);
}

TEST(HarnessBugs, AComparisonThatLetsNanPass) {
  const std::vector<float> got{1.0F, std::numeric_limits<float>::quiet_NaN()};
  const std::vector<double> wanted{1.0, 2.0};
  const auto theirs = [&] {
    for (std::size_t i = 0; i < got.size(); ++i)
      if (std::fabs(got[i] - wanted[i]) > 1e-3) return false;
    return true;
  };
  EXPECT_TRUE(theirs());
  EXPECT_EQ(ours(got, wanted).verdict, Verdict::failed);
}

TEST(HarnessBugs, ARelativeErrorDividedByASignedReference) {
  const std::vector<float> got{100.0F};
  const std::vector<double> wanted{-100.0};
  EXPECT_TRUE(std::fabs(got[0] - wanted[0]) / wanted[0] < 1e-3);
  EXPECT_EQ(ours(got, wanted).verdict, Verdict::failed);
}

TEST(HarnessBugs, ACheckOfFewerElementsThanWereLaunched) {
  std::vector<float> got(1000, 1.0F);
  got.back() = 2.0F;
  const std::vector<double> wanted(1000, 1.0);
  const std::size_t blocks_times_threads = 1000 / 64 * 64;
  EXPECT_TRUE(std::all_of(got.begin(), got.begin() + blocks_times_threads, [](float value) { return value == 1.0F; }));
  EXPECT_EQ(ours(got, wanted).verdict, Verdict::failed);
  got.pop_back();
  EXPECT_THROW(ours(got, wanted), std::logic_error);
}

TEST_F(KnownBugs, AReusedOutputBufferHidesAKernelThatWritesNothing) {
  const Kernel& kernel = catalogue().kernel("reduce/sequential");
  const auto mutations = mutations_of(catalogue(), kernel);
  const auto nothing = std::ranges::find(mutations, "write nothing", &Mutation::rule);
  ASSERT_NE(nothing, mutations.end());
  const Mutant mutant{&kernel, *nothing};
  const MutantProgram broken = program_of(catalogue(), mutant);

  worker::Process process;
  worker::Compiler right_compiler(pool_, cache_, catalogue().sources());
  worker::Compiler broken_compiler(pool_, cache_, broken.sources);
  const Problem problem = make_problem(catalogue().pattern("reduce"), {ElementType::i32}, {{"op", "sum"}}, {500});
  const Plan plan = kernel.plan(kernel.default_point, problem, host_device());
  const auto built = [&](worker::Compiler& compiler) {
    return compiler.compile_one(host_target(),
                                program_for(catalogue(), kernel, kernel.default_point, problem, host_device()));
  };
  const Bytes in(500 * sizeof(std::int32_t), std::byte{1});
  // What a weak harness does: the correct kernel ran first, its output stays in the buffer, and the wrong kernel runs
  // on the same buffer.
  Plan reusing = plan;
  for (Buffer& buffer : reusing.buffers)
    if (buffer.name == "out") buffer.role = Role::inout;
  const auto first = run_plan_on_host(process, plan, built(right_compiler), {in});
  const auto second = run_plan_on_host(process, reusing, built(broken_compiler), {in, first.at("out")});
  EXPECT_EQ(second.at("out"), first.at("out"));

  Checker checker(catalogue(), process, broken_compiler);
  Case test;
  test.kernel = &kernel;
  test.params = kernel.default_point;
  test.problem = problem;
  const CaseResult result = checker.check(test);
  EXPECT_EQ(result.verdict, Verdict::failed) << result.detail;
}

}  // namespace
}  // namespace warpwright::conformance
