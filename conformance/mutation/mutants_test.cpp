// Mutants: what is made of kernels, what killed them, and that one which changes nothing survives.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "conformance/mutation/mode.hpp"
#include "conformance/property.hpp"
#include "kernels/runtime/worker/compiler.hpp"

namespace warpwright::conformance {
namespace {

TEST(Mutations, OfEveryKernelDifferFromOneAnotherAndKeepTheirLines) {
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
  EXPECT_EQ(how_it_died({.verdict = Verdict::failed, .finding = FindingKind::out_of_bounds}), "bounds");
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

class MutantsOnTheHost : public testing::Test {
 protected:
  void SetUp() override {
    const SourceTree none;
    worker::Compiler compiler(pool_, cache_, none);
    if (!compiler.toolchain().host_error.empty()) GTEST_SKIP() << compiler.toolchain().host_error;
  }
  DiskCache cache_{std::filesystem::path(WARPWRIGHT_BINARY_DIR) / "test_cache"};
  worker::Pool pool_;
};

TEST_F(MutantsOnTheHost, AMutationThatChangesNothingSurvivesAndAFalseDeclarationIsFound) {
  const Kernel& copy = catalogue().kernel("transpose/copy");
  const std::string& text = catalogue().sources().at(copy.source);
  const Mutation nothing{
      .rule = "none", .file = copy.source, .line = 1, .change = "", .text = text + "// the same\n", .equivalent = ""};
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

}  // namespace
}  // namespace warpwright::conformance
