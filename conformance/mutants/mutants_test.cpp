// Tests of mutants: which mutations a kernel gets, what kills them, and that a change without effect survives.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "conformance/checks/case_plan.hpp"
#include "conformance/mutants/trivial_equivalence.hpp"
#include "conformance/program/mutants_command.hpp"
#include "conformance/properties/property.hpp"
#include "conformance/properties/sample_points.hpp"
#include "conformance/suite/text_kernel.hpp"
#include "kernels/runtime/build/compiler.hpp"

namespace warpwright::conformance {
namespace {

TEST(Mutations, OfEveryKernelDifferFromOneAnotherAndKeepLineNumbers) {
  for (const Kernel& kernel : catalogue().kernels()) {
    std::set<std::string> identities;
    for (const Mutation& mutation : mutations_of(catalogue(), kernel)) {
      EXPECT_TRUE(
          identities.insert(mutation.rule + mutation.file + std::to_string(mutation.line) + mutation.change).second)
          << kernel.full_name() << mutation.change;
      if (mutation.edit_plan) continue;
      const std::string& before = catalogue().sources().at(mutation.file);
      EXPECT_NE(mutation.text, before) << mutation.change;
      EXPECT_EQ(std::ranges::count(mutation.text, '\n'), std::ranges::count(before, '\n')) << mutation.change;
      EXPECT_EQ(mutation.file.find("runtime/"), std::string::npos);
    }
    EXPECT_GE(identities.size(), 8U) << kernel.full_name();
  }
}

TEST(Mutants, AreNamedByWhatKilledThem) {
  EXPECT_EQ(how_it_died({.verdict = Verdict::failed, .finding = FindingKind::out_of_bounds}), "out of bounds");
  EXPECT_EQ(how_it_died({.verdict = Verdict::failed, .finding = FindingKind::race}), "race");
  EXPECT_EQ(how_it_died({.verdict = Verdict::failed}), "wrong value");
  EXPECT_EQ(how_it_died({.verdict = Verdict::timed_out}), "hang");
  EXPECT_EQ(how_it_died({.verdict = Verdict::crashed}), "crashed");
}

TEST(Property, CoveringPointsHaveEveryValueOfEveryAxis) {
  for (const Kernel& kernel : catalogue().kernels()) {
    const Problem problem = problems_of(catalogue().pattern(kernel.pattern), kernel, host_device()).front();
    const Surroundings surroundings = surroundings_of(problem, host_device());
    const auto points = covering_points(kernel, surroundings);
    EXPECT_LE(points.size(), 12U) << kernel.full_name();
    const auto all = kernel.space.points(surroundings);
    for (std::size_t axis = 0; axis < all.front().size(); ++axis) {
      std::set<std::int64_t> wanted, got;
      for (const Point& point : all) wanted.insert(point[axis]);
      for (const Point& point : points) got.insert(point[axis]);
      EXPECT_EQ(wanted, got) << kernel.full_name();
    }
  }
}

class MutantsInTheSimulator : public testing::Test {
 protected:
  void SetUp() override {
    const SourceTree none;
    worker::Compiler compiler(pool_, cache_, none);
    if (!compiler.toolchain().host_error.empty()) GTEST_SKIP() << compiler.toolchain().host_error;
  }
  DiskCache cache_{std::filesystem::path(WARPWRIGHT_BINARY_DIR) / "test_cache"};
  worker::Pool pool_;
};

/// The mutation that replaces `what` by `by` in the kernel's text.
Mutation mutation_of(const Catalogue& all, const Kernel& kernel, const std::string& what, const std::string& by) {
  std::string text = all.sources().at(kernel.source);
  text.replace(text.find(what), what.size(), by);
  return {
      .rule = "none", .file = kernel.source, .line = 1, .change = what + " -> " + by, .text = text, .equivalent = ""};
}

TEST_F(MutantsInTheSimulator, AMutationThatChangesNothingSurvivesAndAFalseDeclarationIsFound) {
  const Kernel& copy = catalogue().kernel("transpose/copy");
  const Mutation nothing = mutation_of(catalogue(), copy, "rest < count", "rest < count && count > 0");
  std::vector<Mutation> mutations = mutations_of(catalogue(), copy);
  const auto guilty = std::ranges::find(mutations, "write nothing", &Mutation::rule);
  ASSERT_NE(guilty, mutations.end());
  guilty->equivalent = "so it is said";
  Mutation broken = nothing;
  broken.text = "this is no C++\n";
  const auto results = run_mutants(catalogue(), pool_, cache_, {{&copy, nothing}, {&copy, *guilty}, {&copy, broken}},
                                   {}, [](std::size_t, const MutantResult&) {});
  EXPECT_EQ(results[0].outcome, "survived");
  EXPECT_GT(results[0].cases, 1000);
  EXPECT_EQ(results[1].outcome, "survived");
  EXPECT_THAT(results[1].detail, testing::HasSubstr("declared equivalent (so it is said), yet:"));
  EXPECT_EQ(results[2].outcome, "not compiled");
  EXPECT_THAT(mutant_table({{&copy, *guilty}}, {results[1]}), testing::HasSubstr("write nothing"));
}

TEST_F(MutantsInTheSimulator, AMutantThatCompilesToTheCodeOfItsKernelIsEquivalentWithoutACase) {
  const Catalogue all = TextKernel{.code = R"(
__global__ void text(const float* in, float* out, long long n) {
  constexpr bool kPairs = false;
  const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if constexpr (kPairs) {
    if (2 * i + 1 < n) out[2 * i + 1] = in[2 * i + 1];
  } else if (i < n) {
    out[i] = in[i];
  }
})"}
                            .catalogue_of();
  const Kernel& kernel = all.kernels().front();
  Mutation same = mutation_of(all, kernel, "2 * i + 1 < n", "2 * i + 1 <= n");
  same.rule = "< for <=";
  Mutation declared = same;
  declared.equivalent = "nobody copies pairs";
  declared.declared = "text.mutants:3";
  const Mutation other = mutation_of(all, kernel, "else if (i < n)", "else if (i <= n)");
  const std::vector<Mutant> mutants{{&kernel, same}, {&kernel, declared}, {&kernel, other}};
  const auto results = run_mutants(all, pool_, cache_, mutants, {}, [](std::size_t, const MutantResult&) {});
  for (const MutantResult& result : {results[0], results[1]}) {
    EXPECT_EQ(result.outcome, "equivalent");
    EXPECT_EQ(result.how, kCompilerEquivalence);
    EXPECT_EQ(result.cases, 0);
    EXPECT_EQ(result.detail, "compiles to the same code as its kernel (1 instance)");
  }
  EXPECT_EQ(results[2].outcome, "killed");
  EXPECT_THAT(unneeded_declarations(mutants, results), testing::ElementsAre("text.mutants:3"));
  EXPECT_THAT(mutant_table(mutants, results), testing::HasSubstr("2 compiler equivalence\n"));
}

TEST_F(MutantsInTheSimulator, AMutantThatDiffersOnlyInInstancesOfLaterCasesIsRun) {
  const Kernel& copy = catalogue().kernel("transpose/copy");
  const Problem problem = problems_of(catalogue().pattern(copy.pattern), copy, host_device()).front();
  const auto first = covering_points(copy, surroundings_of(problem, host_device()));
  auto later = sample_points(copy, surroundings_of(problem, host_device()), 12, 2);
  std::erase_if(later, [&](const Point& point) { return std::ranges::find(first, point) != first.end(); });
  ASSERT_FALSE(later.empty());
  std::string is_that = "rest < count";
  for (std::size_t axis = 0; axis < copy.space.axes().size(); ++axis)
    is_that +=
        fmt::format("{}P.{} == {}", axis == 0 ? " + (" : " && ", copy.space.axes()[axis].name, later.front()[axis]);
  const auto results =
      run_mutants(catalogue(), pool_, cache_, {{&copy, mutation_of(catalogue(), copy, "rest < count", is_that + ")")}},
                  {}, [](std::size_t, const MutantResult&) {});
  EXPECT_EQ(results[0].outcome, "killed") << results[0].detail;
  EXPECT_EQ(results[0].how, "out of bounds");
}

TEST_F(MutantsInTheSimulator, AMutantBesideHostFunctionsIsComparedWithThem) {
  const Kernel& kernel = catalogue().kernel("lennard_jones/force_only");
  const Pattern& pattern = catalogue().pattern(kernel.pattern);
  std::vector<Program> programs;
  for (const Problem& problem : problems_of(pattern, kernel, host_device()))
    programs.push_back(program_for(catalogue(), kernel, kernel.default_point, problem, host_device()));
  ASSERT_FALSE(programs.front().host_functions.empty());
  const auto is_same = [&](const std::string& file, const std::string& what, const std::string& by) {
    SourceTree sources = catalogue().sources();
    std::string& text = sources.at("kernels/lennard_jones/" + file);
    text.replace(text.find(what), what.size(), by);
    worker::Compiler original(pool_, cache_, catalogue().sources());
    worker::Compiler mutant(pool_, cache_, sources);
    SameCode same(original, mutant, host_target());
    same.compare(programs);
    return same.all_same();
  };
  EXPECT_TRUE(is_same("lists.cuh", "other < atom", "other + 1 < atom")) << "lists of all neighbours hold them anyway";
  EXPECT_FALSE(is_same("lists.cuh", "found > capacity", "found >= capacity"));
  EXPECT_FALSE(is_same("on_host.cuh", "velocity[i] += kick", "velocity[i] -= kick"));
}

}  // namespace
}  // namespace warpwright::conformance
