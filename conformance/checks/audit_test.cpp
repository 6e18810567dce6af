// Tests of the audit: it warns of jobs whose data or bound say nothing, and of no kernel of the catalogue.
#include "conformance/checks/audit.hpp"

#include <gmock/gmock.h>

#include "conformance/properties/drawing.hpp"
#include "conformance/suite/checked_jobs.hpp"

namespace warpwright::conformance {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class AuditOfJobs : public CheckedJobs {
 protected:
  /// Of a kernel with these members of its job; without them, nothing is wrong with it.
  std::vector<std::string> warnings_of(const std::string& bound, const std::string& data_of_a = "\"uniform\"",
                                       const std::string& result = "a[i] + b[i]", const std::string& role = "out") {
    const PropertyReport report =
        checked(R"raw({"extents": ["n"],
      "buffers": {"a": {"role": "in", "type": "float", "count": "n", "data": )raw" +
                    data_of_a +
                    R"raw(}, "b": {"role": "in", "type": "float", "count": "n"},
        "out": {"role": ")raw" +
                    role + R"raw(", "type": "float", "count": "n"}},
      "steps": {"kernel": "sums", "grid": "ceil_div(n, 64)", "block": 64}, "shapes": [4096],
      "oracle": {"kernel": "plain", "grid": "ceil_div(n, 32)", "block": 32}, "bound": )raw" +
                    bound + "}",
                "__global__ void sums(const float* a, const float* b, float* out, int n) {\n"
                "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                "  if (i < n) out[i] = " +
                    result +
                    ";\n}\n"
                    "__global__ void plain(const float* a, const float* b, float* out, int n) {\n"
                    "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                    "  if (i < n) out[i] = " +
                    result + ";\n}\n",
                40);
    EXPECT_TRUE(report.ok()) << report.failure.detail;
    return report.audit.warnings();
  }

  static constexpr const char* kDepth = R"({"depth": 1})";
  static constexpr const char* kZeros = R"({"from": 0})";
};

TEST(Audit, WithoutOtherDataOnlyBoundsAndHalfOfAllCasesSaySomething) {
  const auto warnings = [](Audit::Null zeros) {
    return Audit{.changes_inputs = false, .cases = 100, .nulls = {{"zeros", zeros}}, .inputs = {}}.warnings();
  };
  EXPECT_THAT(warnings({.equal = 30}), IsEmpty()) << "they may be the only possible answers";
  EXPECT_THAT(warnings({.equal = 60}), ElementsAre("zeros pass 60 of 100 cases: the data prove nothing"));
  EXPECT_THAT(warnings({.within = 30}), ElementsAre("zeros pass 30 of 100 cases: the bound proves nothing"));
  Audit all{.cases = 10};
  all.add({.changes_inputs = false, .cases = 90, .nulls = {{"zeros", {.equal = 30}}}});
  EXPECT_THAT(all.warnings(), IsEmpty());
}

TEST_F(AuditOfJobs, GivesNoWarningForAGoodOne) {
  EXPECT_THAT(warnings_of(kDepth), IsEmpty());
}

TEST_F(AuditOfJobs, WarnsOfABoundAsWideAsTheAnswers) {
  EXPECT_THAT(warnings_of(R"({"absolute": 1000})"),
              testing::Contains(testing::MatchesRegex("zeros pass [0-9]+ of [0-9]+ cases: the bound proves nothing")));
}

TEST_F(AuditOfJobs, WarnsOfDataThatSayNothing) {
  EXPECT_THAT(warnings_of(kDepth, kZeros, "a[i] * b[i]"),
              testing::Contains(testing::MatchesRegex("zeros pass ([0-9]+) of [0-9]+ cases: the data prove nothing")));
  EXPECT_THAT(warnings_of(kDepth, R"({"range": [-3, -1]})", "sqrtf(a[i]) + b[i]"),
              testing::Contains(HasSubstr("NaN pass ")));
}

TEST_F(AuditOfJobs, NamesAnInputThatNoOutputDependsOn) {
  EXPECT_THAT(warnings_of(kDepth, "\"uniform\"", "b[i] + b[i]"),
              ElementsAre(HasSubstr("no output depends on a: other data changed no answer in ")));
}

TEST_F(AuditOfJobs, LeavesOutBuffersThatAreAlsoOutputs) {
  EXPECT_THAT(warnings_of(kDepth, "\"uniform\"", "a[i] + b[i]", "inout"), IsEmpty());
}

TEST_F(AuditOfJobs, IsPartOfTheWarningsOfAKernelThatPasses) {
  PropertyReport report;
  report.caveats = {"the bound is guessed"};
  report.audit.cases = 60;
  report.audit.nulls["zeros"] = {.equal = 3, .within = 4};
  EXPECT_THAT(report.warnings(),
              ElementsAre("the bound is guessed", "zeros pass 7 of 60 cases: the bound proves nothing"));
  report.counterexample = Case{};
  EXPECT_THAT(report.warnings(), ElementsAre("the bound is guessed")) << "what is wrong was found";
}

TEST(Audits, CountCasesThatCouldHaveAnotherAnswerUnlessMostCannot) {
  const auto warned = [](const Audit::Null& null) {
    return !Audit{.cases = 60, .nulls = {{"zeros", null}}, .inputs = {}}.warnings().empty();
  };
  EXPECT_FALSE(warned({.equal = 3}));
  EXPECT_TRUE(warned({.equal = 4}));
  EXPECT_FALSE(warned({.equal = 30, .fixed = 27})) << "no problem of one body has forces";
  EXPECT_TRUE(warned({.equal = 31, .fixed = 31})) << "data that never say anything";
  EXPECT_TRUE(warned({.within = 4}));
}

TEST_F(AuditOfJobs, DoesNotCountProblemsWhoseAnswerIsZeroWhateverTheData) {
  EXPECT_THAT(warnings_of(kDepth, "\"uniform\"", "n > 1 ? a[i] + b[i] : 0"), IsEmpty());
}

using AuditOfTheCatalogue = HostFixture;

/// A few results are right by chance, and sorted data are their own answer: neither is worth a warning.
TEST_F(AuditOfTheCatalogue, WarnsOfNoKernel) {
  worker::Process process;
  for (const Pattern& pattern : catalogue().patterns()) {
    const auto kernels = catalogue().matching(pattern.name);
    if (kernels.empty() || !pattern.oracle) continue;
    const Kernel& kernel = *kernels.front();
    PropertyOptions options;
    options.cases = 60;
    options.max_steps = 4096;
    options.params = {kernel.default_point};
    options.problems = problems_of(pattern, kernel, host_device());
    Audit audit;
    for (const Case& test : draw_cases(catalogue(), kernel, host_device(), options).cases) {
      const OracleAnswer answer = oracle_answer(pattern, test.problem, test.input, process, compiler_);
      const auto observed = observed_buffers(pattern, test.problem, host_device());
      const InputKind kind = input_kind(pattern, test.problem, test.input.kind);
      const double depth = kernel.depth(test.params, test.problem, host_device());
      std::vector<Bound> bounds;
      for (const Buffer& buffer : observed) bounds.push_back(pattern.bound(test.problem, buffer.name, kind, depth));
      audit_case(audit, {pattern, test.problem, test.input, answer, observed, bounds}, process, compiler_);
    }
    EXPECT_THAT(audit.warnings(), IsEmpty()) << kernel.full_name();
  }
}

}  // namespace
}  // namespace warpwright::conformance
